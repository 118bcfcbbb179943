package match_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
)

const (
	never = time.Duration(-1) // means "not evicted"
	now   = time.Duration(0)
)

func delay(after time.Duration, evicted bool) time.Duration {
	if !evicted && after == 0 {
		return never
	}
	return after
}

type evictionCase struct {
	taints, tolerations string
	want                time.Duration
}

func (c evictionCase) run(t *testing.T, p match.EvictionPolicy) {
	t.Helper()
	if got := delay(p.Delay(node(t, c.taints), pod(t, c.tolerations), matchtest.Epoch())); got != c.want {
		t.Errorf("%v: %q with %q: got %v, want %v", p, c.taints, c.tolerations, got, c.want)
	}
}

func TestE1OnlyNoExecuteEvicts(t *testing.T) {
	for _, c := range []evictionCase{
		{"", "", never},
		{"a:NoSchedule,b:PreferNoSchedule", "", never},
		{"a:NoExecute", "", now},
		{"a:NoExecute", "a:NoSchedule", now},
		{"a:NoExecute", "b", now},
		{"a:NoExecute,b:NoExecute", "a:NoExecute@300", now}, // any untolerated one
		{"b:NoExecute,a:NoExecute", "a:NoExecute@300", now},
		{"a:NoExecute", "a", never},
		{"a:NoSchedule,b:NoExecute", "b:NoExecute", never},
	} {
		for _, p := range []match.EvictionPolicy{match.FirstMatch, match.MostLenient, match.SinceAdded} {
			c.run(t, p)
		}
	}
}

// Unknown effects do not evict, whether their names sort before or after NoExecute.
func TestE1UnknownEffectsDoNotEvict(t *testing.T) {
	for _, effect := range []taint.Effect{"", "Evict", "NoExecutE", "NoExecute ", "noexecute"} {
		if after, evicted := match.EvictionDelay([]taint.Taint{{Key: "a", Effect: effect}}, nil); after != 0 || evicted {
			t.Errorf("%q: got %v, %v", effect, after, evicted)
		}
	}
}

func TestE2FirstMatchOfTheListCounts(t *testing.T) {
	for _, c := range []evictionCase{
		{"a:NoExecute", "a:NoExecute@300", 300 * time.Second},
		{"a:NoExecute", "a:NoExecute@0", now},
		{"a:NoExecute", "a:NoExecute@-1", now},
		{"a:NoExecute", "a:NoExecute@-9223372036854775808", now},
		{"a:NoExecute", "a@300", 300 * time.Second}, // an empty effect tolerates NoExecute too
		// The first that matches, though another would be more lenient or less.
		{"a:NoExecute", "a:NoExecute@60,a:NoExecute@300", 60 * time.Second},
		{"a:NoExecute", "a:NoExecute@300,a:NoExecute@60", 300 * time.Second},
		{"a:NoExecute", "a:NoExecute@60,a", 60 * time.Second},
		{"a:NoExecute", "a,a:NoExecute@60", never},
		{"a=1:NoExecute", "a=2@1,b@2,a:NoSchedule@3,a=1@60,*@5", 60 * time.Second},
		// The least over the taints; nil is forever.
		{"a:NoExecute,b:NoExecute", "a@300,b@60", 60 * time.Second},
		{"b:NoExecute,a:NoExecute", "a@300,b@60", 60 * time.Second},
		{"a:NoExecute,b:NoExecute", "a,b@60", 60 * time.Second},
		{"b:NoExecute,a:NoExecute", "a,b@60", 60 * time.Second},
		{"a:NoExecute,b:NoExecute", "a,b", never},
		{"a:NoExecute,b:NoExecute", "a@300,b@0", now},
		{"a:NoExecute,b:NoSchedule", "a@300,b@60", 300 * time.Second},
	} {
		c.run(t, match.FirstMatch)
		c.run(t, match.SinceAdded) // the same where TimeAdded is not set
		c.run(t, match.SinceAdded+1)
		got := delay(match.EvictionDelay(node(t, c.taints), pod(t, c.tolerations)))
		if got != c.want {
			t.Errorf("EvictionDelay: %q with %q: got %v, want %v", c.taints, c.tolerations, got, c.want)
		}
		other := match.SinceAdded + 1 // which needs no time
		if got := delay(other.Delay(node(t, c.taints), pod(t, c.tolerations), time.Time{})); got != c.want {
			t.Errorf("%v: %q with %q: got %v, want %v", other, c.taints, c.tolerations, got, c.want)
		}
	}
}

func TestE2MostLenient(t *testing.T) {
	for _, c := range []evictionCase{
		{"a:NoExecute", "a:NoExecute@60,a:NoExecute@300", 300 * time.Second},
		{"a:NoExecute", "a:NoExecute@300,a:NoExecute@60", 300 * time.Second},
		{"a:NoExecute", "a:NoExecute@60,a", never},
		{"a:NoExecute", "a,a:NoExecute@60", never},
		{"a:NoExecute", "a@-5,a@0", now},
		{"a:NoExecute", "a@-5", now},
		{"a:NoExecute", "a@60,b@300,a:NoSchedule@300", 60 * time.Second},
		{"a:NoExecute,b:NoExecute", "a@60,b@70,*@65", 65 * time.Second},
	} {
		c.run(t, match.MostLenient)
	}
}

func TestE2SinceAdded(t *testing.T) {
	added := func(ago time.Duration) []taint.Taint {
		return []taint.Taint{
			{Key: "a", Effect: taint.NoExecute, TimeAdded: &taint.Time{Time: matchtest.Epoch().Add(-ago)}},
			{Key: "b", Effect: taint.NoExecute},
		}
	}
	for _, c := range []struct {
		ago         time.Duration
		tolerations string
		want        time.Duration
	}{
		{0, "a@300,b", 300 * time.Second},
		{100 * time.Second, "a@300,b", 200 * time.Second},
		{100 * time.Second, "a@300,b@250", 200 * time.Second},
		{100 * time.Second, "a@300,b@150", 150 * time.Second},
		{300 * time.Second, "a@300,b", now},
		{400 * time.Second, "a@300,b", now},
		{-100 * time.Second, "a@300,b", 300 * time.Second}, // the clock went backwards
		{100 * time.Second, "a,b", never},
		{100 * time.Second, "a@-50,b", now},
		{100 * time.Second, "a@9223372036854775807,b", match.MaxDelay - 100*time.Second},
		{1 << 62, "a@300,b", now},
	} {
		if got := delay(match.SinceAdded.Delay(added(c.ago), pod(t, c.tolerations), matchtest.Epoch())); got != c.want {
			t.Errorf("%v ago, %q: got %v, want %v", c.ago, c.tolerations, got, c.want)
		}
	}
}

// A caller who forgets the time hears of it at the first call, whatever the lists are.
func TestE2SinceAddedPanicsWithoutTheTime(t *testing.T) {
	for name, ask := range map[string]func(now time.Time){
		"Delay":  func(now time.Time) { match.SinceAdded.Delay(nil, nil, now) },
		"Decide": func(now time.Time) { match.SinceAdded.Decide(nil, nil, now) },
	} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.Contains(text, "now is zero") {
					t.Errorf("%s with a zero now: %q", name, text)
				}
			}()
			ask(time.Time{})
		}()
		ask(time.Time{}.Add(1))
	}
}

// The zero time is no time, and JSON, which writes it as null, keeps every
// answer of every policy.
func TestE2ZeroTimeAddedIsNone(t *testing.T) {
	zero := []taint.Taint{{Key: "a", Effect: taint.NoExecute, TimeAdded: &taint.Time{}}}
	for _, p := range []match.EvictionPolicy{match.FirstMatch, match.MostLenient, match.SinceAdded} {
		if got := delay(p.Delay(zero, pod(t, "a@300"), matchtest.Epoch())); got != 300*time.Second {
			t.Errorf("%v: got %v", p, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		taints := matchtest.Taints().Draw(t, "taints")
		tolerations := matchtest.Tolerations(taints).Draw(t, "tolerations")
		data, err := json.Marshal(taints)
		if err != nil {
			t.Fatal(err)
		}
		var decoded []taint.Taint
		if err := json.Unmarshal(data, &decoded); err != nil {
			t.Fatal(err)
		}
		for _, p := range []match.EvictionPolicy{match.FirstMatch, match.MostLenient, match.SinceAdded} {
			before, after := p.Decide(taints, tolerations, matchtest.Epoch()), p.Decide(decoded, tolerations, matchtest.Epoch())
			if before != after {
				t.Fatalf("%v: %v, and after %s: %v", p, before, data, after)
			}
		}
	})
}

// Kubernetes multiplies in 64 bits and overflows; the nested module
// match/kube/upstream shows both answers side by side.
func TestE3SecondsSaturate(t *testing.T) {
	for _, c := range []evictionCase{
		{"a:NoExecute", "a@9223372036", 9223372036 * time.Second},
		{"a:NoExecute", "a@9223372037", match.MaxDelay},
		{"a:NoExecute", "a@18446744074", match.MaxDelay}, // 0.29 s in Kubernetes
		{"a:NoExecute", "a@9223372036854775807", match.MaxDelay},
		{"a:NoExecute,b:NoExecute", "a@9223372036854775807,b@1", time.Second},
	} {
		c.run(t, match.FirstMatch)
		c.run(t, match.MostLenient)
	}
}

// Kubernetes counts from when the taint is noticed, whenever it was added (rule
// E4), even if that was before the zero time that means no time.
func TestE4TimeAddedPlaysNoPart(t *testing.T) {
	taints := node(t, "a:NoExecute")
	taints[0].TimeAdded = &taint.Time{Time: time.Time{}.Add(-time.Minute)}
	if got := delay(match.EvictionDelay(taints, pod(t, "a@300"))); got != 300*time.Second {
		t.Errorf("got %v", got)
	}
	if got := match.Decide(taints, pod(t, "a@300")).After; got != 300*time.Second {
		t.Errorf("Decide: got %v", got)
	}
}
