package gentest

import (
	"slices"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// canonical is package match itself.
func canonical(tolerations []toleration.Toleration) Matcher {
	m := matchtest.Canonical(rules)(tolerations)
	return Matcher{
		Tolerates:        m.Tolerates,
		FirstUntolerated: m.FirstUntolerated,
		Decide:           m.Decide,
		EvictionDelay: func(taints []taint.Taint) (time.Duration, bool) {
			return m.EvictionDelay(taints, match.FirstMatch, time.Time{})
		},
	}
}

// standalone is package match in the form of code that stands alone.
func standalone(tolerations []toleration.Toleration) Standalone {
	node := func(n int, at func(i int) (key, value, effect string)) []taint.Taint {
		var taints []taint.Taint
		for i := range n {
			key, value, effect := at(i)
			taints = append(taints, taint.Taint{Key: key, Value: value, Effect: taint.Effect(effect)})
		}
		return taints
	}
	return Standalone{
		Tolerates: func(key, value, effect string) bool {
			return match.Tolerates(tolerations, &taint.Taint{Key: key, Value: value, Effect: taint.Effect(effect)}, rules)
		},
		FirstUntolerated: func(n int, at func(i int) (key, value, effect string), effects ...string) (int, bool) {
			for i, t := range node(n, at) {
				if slices.Contains(effects, string(t.Effect)) && !match.Tolerates(tolerations, &t, rules) {
					return i, true
				}
			}
			return 0, false
		},
		Decide: func(n int, at func(i int) (key, value, effect string)) (unschedulable, avoid bool, after int64, evicted bool) {
			v := match.Decide(node(n, at), tolerations, rules)
			return v.Scheduling == match.Unschedulable, v.Scheduling == match.Avoid, int64(v.After), v.Eviction != match.Stay
		},
		EvictionDelay: func(n int, at func(i int) (key, value, effect string)) (int64, bool) {
			after, evicted := match.EvictionDelay(node(n, at), tolerations, rules)
			return int64(after), evicted
		},
	}
}

// telling has a toleration of every kind.
const telling = "gpu=ml:NoSchedule,cores>16,cores<-5:NoExecute,node.kubernetes.io/not-ready:NoExecute@300,b:NoExecute@0,c=1@30,*:PreferNoSchedule,d:Other"

func parse(t testing.TB, text string) []toleration.Toleration {
	list, err := notation.Tolerations(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestRightCodePasses(t *testing.T) {
	for _, text := range []string{"", "*", "*=", telling, "a>9223372036854775806,a<-9223372036854775807,a>5"} {
		list := parse(t, text)
		Run(t, list, canonical(list))
		Run(t, list, standalone(list).Matcher())
	}
}

// Code for a list that differs in one thing is found out, whichever of the
// answers it gives.
func TestWrongCodeFails(t *testing.T) {
	list := parse(t, telling)
	taints, complete := universe(list)
	if !complete {
		t.Fatal("the list is too long for a complete comparison")
	}
	for _, text := range []string{
		"gpu=mlx:NoSchedule", "gpu=m:NoSchedule", "gpu=ml", "gpu:NoSchedule", "gp=ml:NoSchedule", "GPU=ml:NoSchedule",
		"cores>15", "cores:NoSchedule", "cores<-4:NoExecute", "cores=016",
		"node.kubernetes.io/not-ready", "node.kubernetes.io/not-ready:NoSchedule", "node.kubernetes.io/not-read:NoExecute",
		"b:NoSchedule", "c=:NoSchedule", "c=0", "*:NoSchedule", "d", "d:Othe", "other", "*=other", "*:noexecute",
	} {
		other := canonical(append(slices.Clone(list), parse(t, text)...))
		right := canonical(list)
		for name, wrong := range map[string]Matcher{
			"Tolerates":        {Tolerates: other.Tolerates, FirstUntolerated: right.FirstUntolerated, Decide: right.Decide, EvictionDelay: right.EvictionDelay},
			"FirstUntolerated": {Tolerates: right.Tolerates, FirstUntolerated: other.FirstUntolerated, Decide: right.Decide, EvictionDelay: right.EvictionDelay},
		} {
			if check(taints, list, wrong) == nil {
				t.Errorf("one more toleration, %s, is not noticed in %s", text, name)
			}
		}
	}
}

// So is every toleration that is missing, or has other seconds, or another place.
func TestWrongTimesFail(t *testing.T) {
	list := parse(t, "a:NoExecute@60,a=1:NoExecute@30,b@5,c:NoExecute@0,*=x@7,d:NoExecute")
	taints, _ := universe(list)
	right := canonical(list)
	for _, text := range []string{
		"a:NoExecute@61,a=1:NoExecute@30,b@5,c:NoExecute@0,*=x@7,d:NoExecute", "a=1:NoExecute@30,a:NoExecute@60,b@5,c:NoExecute@0,*=x@7,d:NoExecute",
		"a:NoExecute@60,b,c:NoExecute@0,*=x@7,d:NoExecute", "a:NoExecute@60,b@5,c:NoExecute@1,*=x@7,d:NoExecute",
		"*=x@7,a:NoExecute@60,b@5,c:NoExecute@0,d:NoExecute", "a:NoExecute@60,b@5,c:NoExecute@0,*=x@7,d:NoExecute@9",
		"a:NoExecute@60,b@5,c:NoExecute@0,*=x@7",
	} {
		other := canonical(parse(t, text))
		for name, wrong := range map[string]Matcher{
			"Decide":        {Tolerates: right.Tolerates, FirstUntolerated: right.FirstUntolerated, Decide: other.Decide, EvictionDelay: right.EvictionDelay},
			"EvictionDelay": {Tolerates: right.Tolerates, FirstUntolerated: right.FirstUntolerated, Decide: right.Decide, EvictionDelay: other.EvictionDelay},
		} {
			if check(taints, list, wrong) == nil {
				t.Errorf("%s is not noticed in %s", text, name)
			}
		}
	}
}

// The second and third taints of a node count, and their order (rule F3).
func TestOnlyTheFirstTaintFails(t *testing.T) {
	list := parse(t, telling)
	taints, _ := universe(list)
	right := canonical(list)
	last := right
	last.FirstUntolerated = func(taints []taint.Taint, effects taint.EffectSet) (int, bool) {
		for i := len(taints) - 1; i >= 0; i-- {
			if _, found := right.FirstUntolerated(taints[i:i+1], effects); found {
				return i, true
			}
		}
		return 0, false
	}
	short := right
	short.Decide = func(taints []taint.Taint) match.Verdict { return right.Decide(taints[:min(2, len(taints))]) }
	late := right
	late.EvictionDelay = func(taints []taint.Taint) (after time.Duration, evicted bool) {
		return right.EvictionDelay(taints[:min(1, len(taints))])
	}
	for name, wrong := range map[string]Matcher{"the last one": last, "two": short, "one": late} {
		if check(taints, list, wrong) == nil {
			t.Errorf("code that looks at %s passes", name)
		}
	}
}

// Standalone code that contradicts itself is wrong.
func TestContradictionsFail(t *testing.T) {
	list := parse(t, telling)
	taints, _ := universe(list)
	right := standalone(list)
	type node = func(i int) (key, value, effect string)
	both, late := right, right
	both.Decide = func(n int, at node) (unschedulable, avoid bool, after int64, evicted bool) {
		unschedulable, avoid, after, evicted = right.Decide(n, at)
		return unschedulable, avoid || unschedulable, after, evicted
	}
	late.Decide = func(n int, at node) (unschedulable, avoid bool, after int64, evicted bool) {
		unschedulable, avoid, after, evicted = right.Decide(n, at)
		return unschedulable, avoid, max(after, 1), evicted
	}
	for name, wrong := range map[string]Standalone{"both": both, "late": late} {
		if check(taints, list, wrong.Matcher()) == nil {
			t.Errorf("code that says %s passes", name)
		}
	}
}

// A list of thousands is compared in part, in bounded time, all along the list.
func TestLongListsAreComparedInPart(t *testing.T) {
	var list []toleration.Toleration
	for i := range 3000 {
		list = append(list, toleration.Toleration{Key: "k" + string(rune('a'+i%26)), Value: string(rune(0x4e00 + i)), Effect: taint.NoSchedule})
	}
	taints, complete := universe(list)
	if complete || len(taints)*len(list) > 2*work || len(taints) < 1000 {
		t.Fatalf("complete %v, %d taints", complete, len(taints))
	}
	used := make(map[string]bool)
	for i := range taints {
		used[taints[i].Value] = true
	}
	first, last := used[list[0].Value], false
	for _, t := range list[2700:] {
		last = last || used[t.Value]
	}
	if !first || !last {
		t.Errorf("the beginning is there: %v, the end: %v", first, last)
	}
}

func FuzzTelling(f *testing.F) {
	list := parse(f, telling)
	Fuzz(f, list, standalone(list).Matcher())
}

func BenchmarkTelling(b *testing.B) {
	list := parse(b, telling)
	Benchmark(b, list, canonical(list))
}
