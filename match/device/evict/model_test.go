package evict_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/match/device/evict"
	"github.com/tolero-dev/tolero/taint"
)

// model is what is there, without any index, and the plans that the queue should
// have: after each event they are made anew for every pod.
type model struct {
	now    time.Time
	slices map[string]device.Slice
	rules  map[string]device.Rule
	claims map[string]modelClaim
	pods   map[int]*modelPod
}

type modelClaim struct {
	allocations []device.Allocation
	reserved    []int
}

type modelPod struct {
	placed  bool
	claims  []string
	due     time.Time // zero if nothing is scheduled
	evicted bool
}

func newModel() *model {
	return &model{slices: map[string]device.Slice{}, rules: map[string]device.Rule{}, claims: map[string]modelClaim{}, pods: map[int]*modelPod{}}
}

// advance sets the clock and decides what is due.
func (m *model) advance(now time.Time) (lines []string) {
	if now.After(m.now) {
		m.now = now
	}
	for key, p := range m.pods {
		if !p.due.IsZero() && !p.due.After(m.now) {
			lines = append(lines, line(key, evict.Evict, p.due, time.Time{}, m.causes(p)))
			p.due, p.evicted = time.Time{}, true
		}
	}
	return lines
}

// decide compares what should be with what is scheduled.
func (m *model) decide(causesBefore map[int][]string) (lines []string) {
	for key, p := range m.pods {
		due, scheduled := m.due(p)
		switch old := p.due; {
		case scheduled && !due.After(m.now):
			lines = append(lines, line(key, evict.Evict, due, old, m.causes(p)))
			p.due, p.evicted = time.Time{}, true
		case scheduled && old.IsZero():
			lines = append(lines, line(key, evict.Schedule, due, time.Time{}, m.causes(p)))
			p.due = due
		case scheduled && !due.Equal(old):
			lines = append(lines, line(key, evict.Move, due, old, m.causes(p)))
			p.due = due
		case !scheduled && !old.IsZero():
			lines = append(lines, line(key, evict.Cancel, old, time.Time{}, causesBefore[key]))
			p.due = time.Time{}
		}
	}
	return lines
}

// allCauses returns the causes of every pod, as they are.
func (m *model) allCauses() map[int][]string {
	causes := map[int][]string{}
	for key, p := range m.pods {
		causes[key] = m.causes(p)
	}
	return causes
}

func line(pod int, kind evict.Kind, due, was time.Time, causes []string) string {
	text := fmt.Sprintf("%d %v %d", pod, kind, due.UnixNano())
	if !was.IsZero() {
		text += fmt.Sprintf(" was %d", was.UnixNano())
	}
	return text + " " + strings.Join(causes, ", ")
}

// used returns the allocations of the claims that a pod uses (rule D9).
func (m *model) used(key int, p *modelPod) (list []device.Allocation) {
	if !p.placed || p.evicted {
		return nil
	}
	for _, name := range p.claims {
		if c, ok := m.claims[name]; ok && slices.Contains(c.reserved, key) {
			list = append(list, c.allocations...)
		}
	}
	return list
}

func (m *model) key(p *modelPod) int {
	for key, q := range m.pods {
		if p == q {
			return key
		}
	}
	return -1
}

// due is rules D6 to D9, by the functions of package device.
func (m *model) due(p *modelPod) (time.Time, bool) {
	e, ok := device.EarliestEviction(m.used(m.key(p), p), func(id device.ID) []taint.Taint {
		var rules []device.Rule
		for _, name := range slices.Sorted(maps.Keys(m.rules)) {
			rules = append(rules, m.rules[name])
		}
		_, own := m.own(id)
		return device.AppendEffective(nil, own, rules, id)
	})
	return e.At, ok
}

// own returns the taints of a device that its slice has, and the name of the slice.
func (m *model) own(id device.ID) (slice string, own []taint.Taint) {
	newest, found := int64(0), false
	for _, s := range m.slices {
		if s.Driver == id.Driver && s.Pool.Name == id.Pool && (!found || s.Pool.Generation > newest) {
			newest, found = s.Pool.Generation, true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.slices)) {
		s := m.slices[name]
		if s.Driver != id.Driver || s.Pool.Name != id.Pool || s.Pool.Generation != newest {
			continue
		}
		for _, d := range s.Devices {
			if d.Name == id.Device && slices.ContainsFunc(d.Taints, func(x taint.Taint) bool { return x.Effect == taint.NoExecute }) {
				return name, d.Taints
			}
		}
	}
	return "", nil
}

// causes is the reasons of rule D8, in order.
func (m *model) causes(p *modelPod) []string {
	byRules, bySlices := map[string]bool{}, map[string]bool{}
	for name, c := range m.claims {
		if !slices.Contains(p.claims, name) || !slices.Contains(c.reserved, m.key(p)) || !m.dated(c) {
			continue
		}
		for _, a := range c.allocations {
			for name, r := range m.rules {
				if r.Selects(a.ID) && len(device.AppendEvicting(nil, []taint.Taint{r.Taint}, a.Tolerations)) > 0 {
					byRules["DeviceTaintRule "+name] = true
				}
			}
			slice, own := m.own(a.ID)
			for _, i := range device.AppendEvicting(nil, own, a.Tolerations) {
				bySlices[fmt.Sprintf("%s/%s/%s %03d|ResourceSlice %s %s taint #%d", a.Driver, a.Pool, a.Device, i, slice, a.ID, i)] = true
			}
		}
	}
	causes := slices.Sorted(maps.Keys(byRules))
	for _, text := range slices.Sorted(maps.Keys(bySlices)) {
		_, text, _ = strings.Cut(text, "|")
		causes = append(causes, text)
	}
	return causes
}

// dated reports whether some taint that evicts from a claim has a time: a claim with
// none has no causes (rule D7).
func (m *model) dated(c modelClaim) bool {
	_, ok := device.EarliestEviction(c.allocations, func(id device.ID) []taint.Taint {
		_, own := m.own(id)
		return device.AppendEffective(nil, own, slices.Collect(maps.Values(m.rules)), id)
	})
	return ok
}

// tell returns decisions as lines.
func tell(decisions []evict.Decision[int]) (lines []string) {
	for _, d := range decisions {
		var causes []string
		for _, c := range d.Causes {
			causes = append(causes, c.String())
		}
		lines = append(lines, line(d.Pod, d.Kind, d.Due, d.Was, causes))
	}
	slices.Sort(lines)
	return lines
}

// impact is rule D12.
func (m *model) impact(r *device.Rule, pods int) evict.Impact {
	impact := evict.Impact{Pods: pods}
	newest := map[device.ID]int64{}
	for _, s := range m.slices {
		pool := s.ID("")
		if n, ok := newest[pool]; !ok || s.Pool.Generation > n {
			newest[pool] = s.Pool.Generation
		}
	}
	for _, s := range m.slices {
		for _, d := range s.Devices {
			if s.Pool.Generation == newest[s.ID("")] && r.Selects(s.ID(d.Name)) {
				impact.Published++
			}
		}
	}
	for _, c := range m.claims {
		for _, a := range c.allocations {
			if r.Selects(a.ID) {
				impact.Allocated++
			}
		}
	}
	return impact
}
