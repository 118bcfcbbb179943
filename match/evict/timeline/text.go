package timeline

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/taint/lifecycle"
	"github.com/tolero-dev/tolero/taint/word"
)

// String returns "unaffected", "back in time", "waiting", "tolerated", "scheduled",
// "cancelled" or "evicted", and for any other value its number, such as "Outcome(9)".
func (o Outcome) String() string {
	if int(o) < len(outcomes) {
		return outcomes[o]
	}
	return fmt.Sprintf("Outcome(%d)", uint8(o))
}

// String returns the kind in words, such as "zone changed", and for any other value its
// number, such as "Kind(9)".
func (k Kind) String() string {
	if int(k) < len(kinds) {
		return kinds[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Sentence returns what becomes of the pod of that index, without a full stop. Names
// that are not plain words are quoted. It panics if there is no such pod.
func (t *Timeline) Sentence(pod int32) string {
	f, p := &t.Pods[pod], &t.cluster.Pods[pod]
	text := fmt.Sprintf("%s on %s ", name(p.Name), name(p.Node))
	if f.Node < 0 {
		return text + "stays: its node is unknown"
	}
	switch f.Outcome {
	case Unaffected:
		return text + "stays: its node is not silent"
	case BackInTime:
		return text + "stays: its node" + t.history(f) + " is back before it is tainted"
	case Waiting:
		return text + "stays: its node" + t.history(f) + " is not tainted by the end"
	case Tolerated:
		return text + "stays: it tolerates forever what its node has" + t.history(f)
	case Scheduled:
		return text + "is to be evicted " + after(f.Due) + t.history(f) + f.cause()
	case Cancelled:
		return text + "stays: its eviction, due " + after(f.Due) + ", is cancelled " + after(f.At) + t.history(f) + "; " + f.Reason.String() + f.cause()
	}
	return text + "is evicted " + after(f.At) + t.history(f) + "; " + f.Reason.String() + f.cause()
}

// history is when the node of a pod was lost and tainted, if it was.
func (t *Timeline) history(f *Fate) string {
	var parts []string
	if f.Lost != Never {
		parts = append(parts, "lost "+after(f.Lost))
	}
	if f.Tainted != Never {
		parts = append(parts, "tainted "+after(f.Tainted))
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// cause is the taint that decides, and the toleration.
func (f *Fate) cause() string {
	if f.Taint == nil {
		return ""
	}
	text := " for " + f.Taint.String()
	if f.Toleration != nil {
		text += ", tolerated by " + f.Toleration.String()
	}
	return text
}

// after returns a time in words.
func after(d time.Duration) string {
	switch {
	case d == Never:
		return "never"
	case d < 0:
		return short(-d) + " before the start"
	}
	return "after " + short(d)
}

// name quotes what is no plain word, which a name may be. The parts of a zone's name
// are separated as in a path (see [lifecycle.ZoneKey]).
func name(s string) string {
	return string(word.Append(nil, strings.ReplaceAll(s, ":\x00:", "/")))
}

// shortName returns the name of a zone in so many characters. It keeps both ends: zones of
// a region differ at the end.
func shortName(zone string, most int) string {
	runes := []rune(name(zone))
	if len(runes) <= most {
		return string(runes)
	}
	head := (most - 1) / 2
	return string(runes[:head]) + "…" + string(runes[len(runes)-(most-1-head):])
}

// short returns a duration without the zeros that its String ends with: "5m" and not
// "5m0s".
func short(d time.Duration) string {
	text := d.Round(time.Millisecond).String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// thousands returns n with a comma before each three digits.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// moment is something that happens to zones, or to all nodes, in words. Zones to which
// the same happens at the same time share one.
type moment struct {
	at    time.Duration
	text  string
	zones []string
}

// String returns the moment in words.
func (m *moment) String() string {
	if m.zones == nil {
		return m.text
	}
	return zonesText(m.zones) + ": " + m.text
}

// listed is how many zones are named one by one.
const listed = 6

// zonesText names zones, and shortens long names: "zone a", "zones a and b", "zones a, b and c", "7 zones".
func zonesText(zones []string) string {
	n := len(zones)
	if n > listed {
		return thousands(n) + " zones"
	}
	names := make([]string, n)
	for i, zone := range zones {
		names[i] = shortName(zone, maxName)
	}
	if n == 1 {
		return "zone " + names[0]
	}
	return "zones " + strings.Join(names[:n-1], ", ") + " and " + names[n-1]
}

// moments returns what the table says beside the counts: silences that begin and end,
// states of zones, and whether all are lost. What happens to several zones at one time is
// one moment.
func (t *Timeline) moments() []moment {
	var list []moment
	add := func(at time.Duration, text, zone string) {
		for i := len(list) - 1; i >= 0 && list[i].at == at; i-- {
			if m := &list[i]; m.text == text {
				m.zones = append(m.zones, zone)
				return
			}
		}
		list = append(list, moment{at, text, []string{zone}})
	}
	for _, s := range t.silences() {
		add(s.at, s.text(), s.zone)
	}
	for i := range t.Events {
		switch e := &t.Events[i]; e.Kind {
		case ZoneChanged:
			add(e.At, stateName(e.State), e.Zone)
		case Stopped:
			list = append(list, moment{at: e.At, text: "all zones are lost: taints come off"})
		case Resumed:
			list = append(list, moment{at: e.At, text: "some zone is back: grace starts anew"})
		}
	}
	slices.SortStableFunc(list, func(a, b moment) int { return cmp.Compare(a.at, b.at) })
	return list
}

func stateName(state lifecycle.State) string {
	switch state {
	case lifecycle.FullDisruption:
		return "full disruption"
	case lifecycle.PartialDisruption:
		return "partial disruption"
	case lifecycle.Normal:
		return "normal"
	}
	return "not looked at"
}
