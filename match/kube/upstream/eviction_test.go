package upstream

import (
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	v1 "k8s.io/api/core/v1"
	v1helper "k8s.io/kubernetes/pkg/apis/core/v1/helper"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func mustTaints(texts ...string) (taints []taint.Taint) {
	for _, text := range texts {
		taints = append(taints, taint.MustParse(text))
	}
	return taints
}

func mustTolerations(text string) []toleration.Toleration {
	tolerations, err := notation.Tolerations(text)
	if err != nil {
		panic(err)
	}
	return tolerations
}

// TestE2Controller holds EvictionDelay against what the taint-eviction
// controller does, for every list of up to two tolerations of a small universe
// on nodes with different taints (rules E1, E2).
func TestE2Controller(t *testing.T) {
	// E1: other effects than NoExecute do not count. E2: the least over the taints.
	nodes := append(listsUpTo(2, mustTaints("a=5:NoExecute", "a=4:NoExecute", "b:NoExecute", "a=5:NoSchedule", "b:PreferNoSchedule")),
		mustTaints("b:NoExecute", "a=4:NoExecute", "a=5:NoExecute"))
	items := slices.Concat(
		allTolerations([]string{"a"}, []toleration.Operator{toleration.OpExists}, []string{""}, []taint.Effect{"", taint.NoExecute}, secondsWords),
		mustTolerations("b@1,b@60,b,*@30,*:NoExecute,a==5@10,a>4@20,a?In 5@2,a:NoSchedule"),
	)
	pods := listsUpTo(2, items)
	withGate(t, func(t *testing.T, rules ...toleration.Rules) {
		for _, taints := range nodes {
			compareEvictions(t, taints, pods, rules...)
		}
		t.Logf("%d pods on each of %d nodes compared", len(pods), len(nodes))
	})
}

// compareEvictions runs the controller for an hour, which is more than any
// seconds of the universe.
func compareEvictions(t *testing.T, taints []taint.Taint, pods [][]toleration.Toleration, rules ...toleration.Rules) {
	at := evictions(t, taints, pods, time.Hour)
	for i := range pods {
		after, evicted := match.EvictionDelay(taints, pods[i], rules...)
		want, wantEvicted := at[i]
		if evicted != wantEvicted || after != want {
			t.Errorf("taints %q, tolerations %q: evicted: %t, after %v, want %t, %v", taints, pods[i], evicted, after, wantEvicted, want)
		}
	}
}

// TestE2Order shows that the order of the list changes the outcome, with the
// controller and with EvictionDelay.
func TestE2Order(t *testing.T) {
	taints := mustTaints("a:NoExecute")
	pods := [][]toleration.Toleration{mustTolerations("a@300,a:NoExecute@1"), mustTolerations("a:NoExecute@1,a@300")}
	for i, after := range evictions(t, taints, pods, time.Hour) {
		if want := []time.Duration{300 * time.Second, time.Second}[i]; after != want {
			t.Errorf("%q: the controller evicts after %v, want %v", pods[i], after, want)
		}
	}
	compareEvictions(t, taints, pods)
}

// TestE3Difference shows the one difference: the controller turns seconds into
// nanoseconds in 64 bits, which overflow. This module saturates.
func TestE3Difference(t *testing.T) {
	taints := mustTaints("a:NoExecute")
	for _, test := range []struct {
		seconds         int64
		upstream        time.Duration
		upstreamEvicted bool
		ours            time.Duration
	}{
		{9223372036, 0, false, 9223372036 * time.Second}, // the last that fits; the hour of the test is over before
		{9223372037, 0, false, match.MaxDelay},           // negative, which means forever
		{18446744074, 290448384, true, match.MaxDelay},   // 0.29 s
		{math.MaxInt64, 0, false, match.MaxDelay},        // not converted: taken as forever
	} {
		tolerations := mustTolerations("a")
		tolerations[0].TolerationSeconds = &test.seconds
		at, evicted := evictions(t, taints, [][]toleration.Toleration{tolerations}, time.Hour)[0]
		if evicted != test.upstreamEvicted || at != test.upstream {
			t.Errorf("%d s: the controller evicts: %t, after %v, want %t, %v", test.seconds, evicted, at, test.upstreamEvicted, test.upstream)
		}
		if after, evicted := match.EvictionDelay(taints, tolerations); !evicted || after != test.ours {
			t.Errorf("%d s: EvictionDelay evicts: %t, after %v, want %v", test.seconds, evicted, after, test.ours)
		}
	}
}

// TestE4TimeAdded shows that seconds count from when the controller notices the
// taint, whenever it was added.
func TestE4TimeAdded(t *testing.T) {
	added := taint.Time{Time: time.Date(1999, 12, 31, 0, 0, 0, 0, time.UTC)} // the bubble's clock starts a day later
	taints := []taint.Taint{{Key: "a", Effect: taint.NoExecute, TimeAdded: &added}}
	compareEvictions(t, taints, [][]toleration.Toleration{mustTolerations("a@300")})
}

// TestE4Cancel shows that the removal of the taint cancels an eviction, and
// that the seconds start anew when it comes back.
func TestE4Cancel(t *testing.T) {
	taints, pods := mustTaints("a:NoExecute"), [][]toleration.Toleration{mustTolerations("a@300")}
	synctest.Test(t, func(t *testing.T) {
		runController(t, taints, pods, func(c *evictionController) {
			time.Sleep(299 * time.Second)
			c.setTaints()
			time.Sleep(time.Hour)
			if at, evicted := c.evictedAt(0); evicted {
				t.Fatalf("evicted after %v although the taint was gone", at)
			}
			back := time.Since(c.start)
			c.setTaints(taints...)
			time.Sleep(time.Hour)
			after, _ := match.EvictionDelay(taints, pods[0])
			if at, evicted := c.evictedAt(0); !evicted || at != back+after {
				t.Errorf("evicted: %t, after %v, want %v", evicted, at, back+after)
			}
		})
	})
}

// TestE5LaterChange pins what upstream does when the taints of a node change
// after an eviction was scheduled and a timed eviction would still follow: the
// first time remains in force, whether the new one is sooner or later. Only an untolerated
// taint, or tolerations without limit, make a difference.
func TestE5LaterChange(t *testing.T) {
	for _, test := range []struct {
		name    string
		taints  []taint.Taint // from 100 s on
		at      time.Duration
		evicted bool
	}{
		{"sooner", mustTaints("slow:NoExecute", "quick:NoExecute"), 300 * time.Second, true},
		{"later", mustTaints("slower:NoExecute"), 300 * time.Second, true},
		{"untolerated", mustTaints("slow:NoExecute", "other:NoExecute"), 100 * time.Second, true},
		{"without limit", mustTaints("calm:NoExecute"), 0, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			tolerations := mustTolerations("slow@300,quick@10,slower@3000,calm")
			synctest.Test(t, func(t *testing.T) {
				runController(t, mustTaints("slow:NoExecute"), [][]toleration.Toleration{tolerations}, func(c *evictionController) {
					time.Sleep(100 * time.Second)
					c.setTaints(test.taints...)
					time.Sleep(2 * time.Hour)
					if at, evicted := c.evictedAt(0); evicted != test.evicted || at != test.at {
						t.Errorf("evicted: %t, after %v, want %t, %v", evicted, at, test.evicted, test.at)
					}
				})
			})
		})
	}
}

// TestE2FirstMatch holds EvictionDelay against the tolerations that the
// controller takes, for more lists than it can be run on.
func TestE2FirstMatch(t *testing.T) {
	withGate(t, func(t *testing.T, rules ...toleration.Rules) {
		rapid.Check(t, func(t *rapid.T) {
			taints, tolerations := taintLists.Draw(t, "taints"), tolerationLists.Draw(t, "tolerations")
			if rapid.Bool().Draw(t, "tolerate most") {
				tolerations = append(tolerations, mustTolerations("a,b@7")...)
			}
			compareDelay(t, taints, tolerations, rules...)
		})
	})
}

// FuzzEvictionDelay does so for any words of two taints and two tolerations.
func FuzzEvictionDelay(f *testing.F) {
	setGate(f, true)
	f.Add("a", "a", "5", "5", "NoExecute", "a", "a", "Gt", "Exists", "4", int64(10), int64(20))  // the first match counts
	f.Add("a", "b", "5", "", "NoExecute", "a", "", "Equal", "Exists", "5", int64(-1), int64(0))  // zero or less is now
	f.Add("a", "b", "5", "", "NoSchedule", "", "", "", "Lt", "", int64(1), int64(math.MaxInt32)) // E1: does not count
	target.Fuzz(f, func(t *testing.T, key1, key2, value1, value2, effect, tolerated1, tolerated2, operator1, operator2, value string, seconds1, seconds2 int64) {
		taints := []taint.Taint{{Key: key1, Value: value1, Effect: taint.Effect(effect)}, {Key: key2, Value: value2, Effect: taint.NoExecute}}
		tolerations := []toleration.Toleration{
			{Key: tolerated1, Operator: toleration.Operator(operator1), Value: value, TolerationSeconds: &seconds1},
			{Key: tolerated2, Operator: toleration.Operator(operator2), Value: value2, Effect: taint.NoExecute, TolerationSeconds: &seconds2},
		}
		compareDelay(t, taints, tolerations, toleration.Rules{Comparisons: true})
	})
}

// compareDelay asks upstream which tolerations count. What the controller makes
// of their seconds is what TestE2Controller shows: the least, no less than zero.
func compareDelay(t rapid.TB, taints []taint.Taint, tolerations []toleration.Toleration, rules ...toleration.Rules) {
	var evicting []v1.Taint
	for _, x := range taints {
		if x.Effect == taint.NoExecute {
			evicting = append(evicting, kube.V1Taint(&x))
		}
	}
	tolerated, used := v1helper.GetMatchingTolerations(quiet, evicting, kube.AppendV1Tolerations(nil, tolerations))
	want, wantEvicted := match.MaxDelay, !tolerated
	for _, u := range used {
		if u.TolerationSeconds != nil && *u.TolerationSeconds > int64(match.MaxDelay/time.Second) { // E3
			wantEvicted = true
		} else if u.TolerationSeconds != nil {
			want, wantEvicted = min(want, time.Duration(max(0, *u.TolerationSeconds))*time.Second), true
		}
	}
	if !tolerated || !wantEvicted {
		want = 0
	}
	if after, evicted := match.EvictionDelay(taints, tolerations, rules...); evicted != wantEvicted || after != want {
		t.Fatalf("EvictionDelay(%q, %q) = %v, %t, want %v, %t", taints, tolerations, after, evicted, want, wantEvicted)
	}
}
