package without

import (
	"fmt"
	"slices"
	"time"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/canonical"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/lifecycle"
	"github.com/tolero-dev/tolero/toleration"
)

// matching is the rules of the matcher.
var matching = []string{"M1", "M2", "M3", "M4", "M5", "M6", "N1", "N2", "N3", "N4", "N5", "F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "E1", "E2", "E3"}

// removed is every rule that can be taken away.
var removed = func() (all []Mistake) {
	for _, chapter := range []struct {
		letter string
		last   int
	}{{"M", 6}, {"N", 5}, {"F", 8}, {"E", 6}, {"A", 8}, {"R", 7}, {"K", 4}, {"C", 6}, {"V", 4}, {"D", 13}} {
		for i := range chapter.last {
			all = append(all, Mistake{Rule: fmt.Sprint(chapter.letter, i+1)})
		}
	}
	return all
}()

// Answer answers a question without a rule. It is false where the rule has no part in
// questions of the kind.
func Answer(rule, ask string, in *canonical.Input) (answer any, concerned bool) {
	if slices.Contains(matching, rule) {
		if answer, ok := matched(matcher{rule, gateOf(in)}, ask, in); ok {
			return answer, true
		}
	}
	if answer := others[rule+" "+ask]; answer != nil {
		return answer(in), true
	}
	return nil, false
}

// Whole answers a question about matching with all rules, to show that the matcher here
// is right apart from the rule that is taken away.
func Whole(ask string, in *canonical.Input) (answer any, ok bool) {
	return matched(matcher{"", gateOf(in)}, ask, in)
}

func gateOf(in *canonical.Input) bool { return in.FeatureGates != nil && in.FeatureGates.Comparisons }

func podOf(in *canonical.Input) *canonical.PodSpec {
	if in.Pod == nil {
		return new(canonical.PodSpec)
	}
	return &in.Pod.Spec
}

func taintsOf(in *canonical.Input) []taint.Taint {
	if in.Node == nil {
		return nil
	}
	return in.Node.Spec.Taints
}

// matched answers the questions about matching.
func matched(m matcher, ask string, in *canonical.Input) (answer any, ok bool) {
	taints, list := taintsOf(in), podOf(in).Tolerations
	switch ask {
	case "tolerates":
		t, x := new(toleration.Toleration), new(taint.Taint)
		if in.Toleration != nil {
			t = in.Toleration
		}
		if in.Taint != nil {
			x = in.Taint
		}
		return m.tolerates(t, x), true
	case "untolerated":
		return m.untolerated(taints, list), true
	case "fits":
		return m.fits(taints, list), true
	case "verdict":
		return m.verdict(taints, list), true
	case "scores":
		return m.scores(in.Nodes, list), true
	case "cordon":
		if in.Node == nil || !in.Node.Spec.Unschedulable || m.lacks("F7") {
			return true, true
		}
		return m.first(list, &taint.Taint{Key: taint.KeyUnschedulable, Effect: taint.NoSchedule}) != nil, true
	case "kubelet":
		static := in.Pod != nil && in.Pod.Metadata != nil && in.Pod.Metadata.Annotations["kubernetes.io/config.source"] == "file"
		effects := []taint.Effect{taint.NoExecute}
		if m.lacks("F6") {
			effects = append(effects, taint.NoSchedule)
		}
		return static || len(m.untolerated(taints, list, effects...)) == 0, true
	case "daemonSet":
		run := len(m.untolerated(taints, list, m.hard()...)) == 0
		keep := len(m.untolerated(taints, list, taint.NoExecute)) == 0
		return canonical.Placement{Run: run, Keep: keep && (run || !m.lacks("F8"))}, true
	}
	return nil, false
}

type ask = func(*canonical.Input) any

// kept is that the pod keeps the tolerations that it has.
func kept(in *canonical.Input) any { return podOf(in).Tolerations }

// untouched is that the node keeps its taints.
func untouched(in *canonical.Input) any { return append([]taint.Taint{}, taintsOf(in)...) }

func always(answer any) ask { return func(*canonical.Input) any { return answer } }

// with answers a question with another input.
func with(kind string, change func(*canonical.Input)) ask {
	return func(in *canonical.Input) any {
		other := *in
		change(&other)
		r, err := canonical.Answer(kind, &other)
		if err != nil {
			return nil
		}
		return r.Answer
	}
}

// others is how to answer without a rule, by the rule and the kind of question: mostly as
// if that which the rule speaks of did not happen.
var others = map[string]ask{
	"N5 evictions": with("evictions", func(in *canonical.Input) { in.FeatureGates = &canonical.Gates{Comparisons: true} }),
	// What the old pod uses does not matter.
	"N5 validatePodUpdate": with("validatePod", func(*canonical.Input) {}),
	"E1 evictions": with("evictions", func(in *canonical.Input) {
		in.Events = eachEvent(in.Events, func(e *canonical.Event) {
			if e.Node != nil {
				node := *e.Node
				node.Spec.Taints = slices.Clone(node.Spec.Taints)
				for i := range node.Spec.Taints {
					node.Spec.Taints[i].Effect = taint.NoExecute
				}
				e.Node = &node
			}
		})
	}),
	"E2 evictions": evictionsOf(func(list []toleration.Toleration) { forEver(list, func(int64) bool { return true }) }),
	// The times of a list do not start anew, and nothing is cancelled.
	"E4 evictions": with("evictions", func(in *canonical.Input) {
		in.Events = slices.DeleteFunc(slices.Clone(in.Events), func(e canonical.Event) bool {
			return e.DeletePod != "" || e.Node != nil && e.At > 0 && !slices.ContainsFunc(e.Node.Spec.Taints, func(x taint.Taint) bool { return x.Effect == taint.NoExecute })
		})
	}),
	"E5 evictions": func(in *canonical.Input) any { return canonical.EvictionsUnder(match.MostLenient, in).Answer },

	// Once there is a budget, nobody is evicted.
	"E6 evictions": func(in *canonical.Input) any {
		r, _ := canonical.Answer("evictions", in)
		list := r.Answer.([]canonical.Eviction)
		for i := range in.Events {
			if e := &in.Events[i]; e.Budget != nil {
				list = slices.DeleteFunc(list, func(x canonical.Eviction) bool { return x.Milliseconds >= e.At })
			}
		}
		return list
	},

	"A1 defaultTolerationSeconds": kept,
	"A2 daemonSetTolerations":     kept,
	"A3 qosClass":                 always("BestEffort"),
	"A3 podTolerationRestriction": with("podTolerationRestriction", func(in *canonical.Input) {
		pod := *in.Pod
		pod.Status = &canonical.PodStatus{QOSClass: "BestEffort"}
		in.Pod = &pod
	}),
	"A4 extendedResources":        kept,
	"A5 podTolerationRestriction": with("podTolerationRestriction", func(in *canonical.Input) { in.Namespace = nil }),
	"A5 covers":                   func(in *canonical.Input) any { return in.Tolerations[0] == in.Tolerations[1] },
	"A5 runtimeClass":             func(in *canonical.Input) any { return append(kept(in).([]toleration.Toleration), classOf(in)...) },
	"A6 addToleration":            func(in *canonical.Input) any { return append(kept(in).([]toleration.Toleration), *in.Toleration) },
	"A7 newNode":                  untouched,
	"A7 registerWithTaints":       always(canonical.TaintsOrRefusal{}),
	"A8 staticPod":                kept,

	"R1 pressure":       always(true),
	"R2 topologySpread": always(true),
	"R3 outOfService":   always(false),
	"R4 proxyHealthy":   always(true),
	"R5 cloudShutdown":  untouched,
	"R5 controlPlane":   untouched,
	"R6 kubeletUpdate":  always(true),
	"R7 runtimeClass":   kept,

	"K1 kubectlTaint": with("kubectlTaint", func(in *canonical.Input) { in.Args = removals(in.Args, false) }),
	"K2 kubectlTaint": func(in *canonical.Input) any {
		list := taintsOf(in)
		for _, arg := range in.Args {
			if x, err := notation.Taint(arg); err == nil {
				list, _ = taint.Upsert(nil, list, x)
			}
		}
		return canonical.TaintsOrRefusal{Taints: list}
	},
	"K3 kubectlTaint": with("kubectlTaint", func(in *canonical.Input) { in.Overwrite = !in.Overwrite }),
	"K4 kubectlTaint": func(in *canonical.Input) any {
		r, _ := canonical.Answer("kubectlTaint", in)
		answer := r.Answer.(canonical.TaintsOrRefusal)
		answer.Taints = slices.Clone(answer.Taints)
		slices.Reverse(answer.Taints)
		return answer
	},

	"C1 conditionTaints": always(canonical.TaintChange{Add: []string{}, Remove: []string{}}),
	"C1 nodeLifecycle":   always([]canonical.NodeMoment{}),
	"C2 nodeLifecycle": func(in *canonical.Input) any {
		return canonical.LifecycleWith(in, func(c *lifecycle.Config) { c.Rate, c.SecondaryRate = 0, 0 }).Answer
	},
	"C3 nodeLifecycle": func(in *canonical.Input) any {
		return canonical.LifecycleWith(in, func(c *lifecycle.Config) { c.GracePeriod = 1000 * time.Hour }).Answer
	},
	"C4 zone": always(canonical.Zone{State: "Normal", Rate: 0.1}),
	"C5 zone": func(in *canonical.Input) any {
		r, _ := canonical.Answer("zone", in)
		z := r.Answer.(canonical.Zone)
		z.Rate = 0.1
		return z
	},
	"C5 nodeLifecycle": func(in *canonical.Input) any {
		return canonical.LifecycleWith(in, func(c *lifecycle.Config) { c.Rate = 1000 }).Answer
	},
	"C6 nodeLifecycle": func(in *canonical.Input) any {
		return canonical.LifecycleWith(in, func(c *lifecycle.Config) { c.Verify = nil }).Answer
	},

	"V1 validateNode":      always([]canonical.Fault{}),
	"V2 validatePod":       always([]canonical.Fault{}),
	"V2 validatePodUpdate": always([]canonical.Fault{}),
	"V3 validatePodUpdate": with("validatePod", func(*canonical.Input) {}),
	"V4 validateNode":      firstFault("validateNode"),
	"V4 validatePod":       firstFault("validatePod"),

	"D1 deviceAllocatable": with("deviceAllocatable", func(in *canonical.Input) {
		in.DeviceTaints = taint.Clone(in.DeviceTaints)
		for i := range in.DeviceTaints {
			in.DeviceTaints[i].Effect = taint.NoSchedule
		}
	}),
	"D2 deviceTolerates":   always(true),
	"D3 deviceTaints":      with("deviceTaints", func(in *canonical.Input) { in.DeviceTaintRules = nil }),
	"D4 deviceTaints":      with("deviceTaints", func(in *canonical.Input) { in.DeviceTaintRules = nil }),
	"D5 deviceAllocatable": always(true),
	"D6 deviceEvictions": with("deviceEvictions", func(in *canonical.Input) {
		in.Events = eachUse(in.Events, func(u *canonical.Use) {
			for i := range u.Devices {
				u.Devices[i].Tolerations = toleration.Clone(u.Devices[i].Tolerations)
				for j := range u.Devices[i].Tolerations {
					u.Devices[i].Tolerations[j].Effect = taint.NoExecute
					u.Devices[i].Tolerations[j].TolerationSeconds = nil
				}
			}
		})
	}),
	"D7 deviceEvictions": with("deviceEvictions", func(in *canonical.Input) {
		in.Events = eachTaint(in.Events, func(x *taint.Taint, at int64) {
			x.TimeAdded = &taint.Time{Time: canonical.Start.Add(time.Duration(at) * time.Millisecond)}
		})
	}),
	"D8 deviceEvictions":          with("deviceEvictions", onlyFirstTaint),
	"D9 deviceEvictions":          with("deviceEvictions", everyPodCounts),
	"D10 deviceEvictions":         with("deviceEvictions", firstVersions),
	"D11 deviceTaintRuleUpdate":   func(in *canonical.Input) any { return in.Rule.Spec.Taint.TimeAdded },
	"D12 deviceTaintRulePreview":  always(canonical.Preview{}),
	"D13 validateDevice":          always([]string{}),
	"D13 validateRequest":         always([]string{}),
	"D13 validateDeviceTaintRule": always([]string{}),
}

// evictionsOf answers about evictions of pods whose tolerations are changed.
func evictionsOf(change func([]toleration.Toleration)) ask {
	return with("evictions", func(in *canonical.Input) {
		in.Events = eachEvent(in.Events, func(e *canonical.Event) {
			if e.Pod != nil {
				pod := *e.Pod
				pod.Spec.Tolerations = toleration.Clone(pod.Spec.Tolerations)
				change(pod.Spec.Tolerations)
				e.Pod = &pod
			}
		})
	})
}

func classOf(in *canonical.Input) []toleration.Toleration {
	if in.RuntimeClass == nil || in.RuntimeClass.Scheduling == nil {
		return nil
	}
	return in.RuntimeClass.Scheduling.Tolerations
}

// removals returns the arguments that remove taints, or the others.
func removals(args []string, wanted bool) []string {
	return slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return (arg[len(arg)-1] == '-') != wanted })
}

// firstFault is that the first fault ends the check.
func firstFault(kind string) ask {
	return func(in *canonical.Input) any {
		r, _ := canonical.Answer(kind, in)
		faults := r.Answer.([]canonical.Fault)
		return faults[:min(1, len(faults))]
	}
}

func eachEvent(events []canonical.Event, change func(*canonical.Event)) []canonical.Event {
	events = slices.Clone(events)
	for i := range events {
		change(&events[i])
	}
	return events
}

func eachUse(events []canonical.Event, change func(*canonical.Use)) []canonical.Event {
	return eachEvent(events, func(e *canonical.Event) {
		if e.Use != nil {
			use := *e.Use
			use.Devices = slices.Clone(use.Devices)
			change(&use)
			e.Use = &use
		}
	})
}

// eachTaint changes the taints of slices and rules, which are told of at some time.
func eachTaint(events []canonical.Event, change func(x *taint.Taint, at int64)) []canonical.Event {
	return eachEvent(events, func(e *canonical.Event) {
		if e.Rule != nil {
			rule := *e.Rule
			change(&rule.Spec.Taint, e.At)
			e.Rule = &rule
		}
		if e.Slice != nil {
			slice := *e.Slice
			slice.Spec.Devices = slices.Clone(slice.Spec.Devices)
			for i := range slice.Spec.Devices {
				d := &slice.Spec.Devices[i]
				d.Taints = taint.Clone(d.Taints)
				for j := range d.Taints {
					change(&d.Taints[j], e.At)
				}
			}
			e.Slice = &slice
		}
	})
}

// onlyFirstTaint leaves each device its first taint, and rules none.
func onlyFirstTaint(in *canonical.Input) {
	in.Events = slices.DeleteFunc(slices.Clone(in.Events), func(e canonical.Event) bool { return e.Rule != nil })
	in.Events = eachEvent(in.Events, func(e *canonical.Event) {
		if e.Slice != nil {
			slice := *e.Slice
			slice.Spec.Devices = slices.Clone(slice.Spec.Devices)
			for i := range slice.Spec.Devices {
				slice.Spec.Devices[i].Taints = slice.Spec.Devices[i].Taints[:min(1, len(slice.Spec.Devices[i].Taints))]
			}
			e.Slice = &slice
		}
	})
}

// everyPodCounts has all pods on nodes and in reservations, and slices of one generation.
func everyPodCounts(in *canonical.Input) {
	in.Events = eachUse(in.Events, func(u *canonical.Use) { u.Unplaced, u.NotInSpec, u.NotReserved = false, false, false })
	in.Events = eachEvent(in.Events, func(e *canonical.Event) {
		if e.Slice != nil {
			slice := *e.Slice
			slice.Spec.Pool.Generation = 1
			e.Slice = &slice
		}
	})
}

// firstVersions leaves out what changes or deletes a slice with taints, or a rule.
func firstVersions(in *canonical.Input) {
	tainted := false
	in.Events = slices.DeleteFunc(slices.Clone(in.Events), func(e canonical.Event) bool {
		if e.DeleteRule != "" || e.Slice != nil && tainted {
			return true
		}
		tainted = tainted || e.Slice != nil && len(e.Slice.Spec.Devices) > 0 && len(e.Slice.Spec.Devices[0].Taints) > 0
		return false
	})
}
