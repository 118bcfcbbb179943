package canonical

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/dialect"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

func init() {
	kinds["tolerates"] = tolerates
	kinds["untolerated"] = untolerated
	kinds["fits"] = fits
	kinds["verdict"] = verdict
	kinds["scores"] = scores
	kinds["cordon"] = cordon
	kinds["kubelet"] = kubelet
	kinds["daemonSet"] = daemonSet
	kinds["topologySpread"] = topologySpread
	kinds["pressure"] = pressure
}

// tolerates is whether one toleration tolerates one taint.
func tolerates(in *Input) Result {
	t, x := new(toleration.Toleration), new(taint.Taint)
	if in.Toleration != nil {
		t = in.Toleration
	}
	if in.Taint != nil {
		x = in.Taint
	}
	if t.Operator.Comparison() && !in.rules().Comparisons {
		return Result{Answer: false, Reason: fmt.Sprintf("operator %s counts only with the feature gate", t.Operator)}
	}
	return Result{Answer: t.Tolerates(x, in.rules()), Reason: why(t, x)}
}

// why says why a toleration tolerates a taint or not.
func why(t *toleration.Toleration, x *taint.Taint) string {
	switch {
	case t.Effect != "" && t.Effect != x.Effect:
		return fmt.Sprintf("effect %q is not %q", t.Effect, x.Effect)
	case t.Key != "" && t.Key != x.Key:
		return fmt.Sprintf("key %q is not %q", t.Key, x.Key)
	case !t.Tolerates(x, toleration.Rules{Comparisons: true}): // it counts
		return fmt.Sprintf("operator %q does not hold for the values %q and %q", t.Operator, x.Value, t.Value)
	}
	var matches []string
	for _, part := range []struct{ name, text string }{{"effect", string(t.Effect)}, {"key", t.Key}} {
		if part.text == "" {
			matches = append(matches, "the empty "+part.name+" matches every "+part.name)
		} else {
			matches = append(matches, "the "+part.name+" is the same")
		}
	}
	switch t.Operator {
	case toleration.OpExists:
		matches = append(matches, "Exists matches every value")
	case toleration.OpGt, toleration.OpLt:
		matches = append(matches, fmt.Sprintf("%s is %s than %s", x.Value, map[toleration.Operator]string{"Gt": "greater", "Lt": "less"}[t.Operator], t.Value))
	default:
		matches = append(matches, "the value is the same")
	}
	return strings.Join(matches, ", ")
}

// untolerated is the indexes of the taints that no toleration tolerates.
func untolerated(in *Input) Result {
	indexes, reasons := []int{}, []string(nil)
	tolerations := in.tolerations()
	for i, x := range in.taints() {
		if j, ok := match.FirstTolerating(tolerations, &x, in.rules()); ok {
			reasons = append(reasons, fmt.Sprintf("%s: %s", x, tolerations[j]))
		} else {
			indexes = append(indexes, i)
			reasons = append(reasons, fmt.Sprintf("%s: no toleration", x))
		}
	}
	return Result{Answer: indexes, Reason: cmp.Or(strings.Join(reasons, "; "), "no taints")}
}

// Fits is the answer whether taints keep a pod out.
type Fits struct {
	Fits  bool `json:"fits"`
	Taint *int `json:"taint,omitempty"` // the index of the first taint that keeps the pod out
}

// fits is whether the taints of a node let kube-scheduler place a pod there, and what
// the profiles of package dialect make of it.
func fits(in *Input) Result {
	r := fitsIn(dialect.Kubernetes(), in)
	byAnswer := map[string]int{key(r.Answer): -1}
	for _, p := range dialect.All() {
		other := fitsIn(p, in)
		i, known := byAnswer[key(other.Answer)]
		switch {
		case !known:
			byAnswer[key(other.Answer)] = len(r.Alternatives)
			r.Alternatives = append(r.Alternatives, Alternative{[]string{p.Name}, other.Answer, other.Reason})
		case i >= 0:
			r.Alternatives[i].Dialects = append(r.Alternatives[i].Dialects, p.Name)
		}
	}
	return r
}

func key(answer any) string {
	text, err := Marshal(answer)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// fitsIn asks a profile. What the gates say counts for the processes that ask them; the
// others have their own rules.
func fitsIn(p dialect.Profile, in *Input) Result {
	switch p.Name {
	case "kubernetes", "kube-controller-manager", "kubelet", "cluster-autoscaler":
		p.Rules = in.rules()
	}
	i, refused := p.Refuses(in.taints(), in.pod().Spec.Tolerations)
	if !refused {
		return Result{Answer: Fits{Fits: true}, Reason: "no taint keeps the pod out"}
	}
	return Result{Answer: Fits{Taint: &i}, Reason: fmt.Sprintf("%s is the first taint that keeps the pod out", in.taints()[i])}
}

// Verdict is the answer about both sides of a pod and a node.
type Verdict struct {
	Scheduling      string `json:"scheduling"`
	SchedulingTaint *int   `json:"schedulingTaint,omitempty"`
	Eviction        string `json:"eviction"`
	EvictionTaint   *int   `json:"evictionTaint,omitempty"`
	Milliseconds    int64  `json:"milliseconds,omitempty"` // until the eviction, rounded down
}

// verdict is what taints mean to a pod: to the scheduler, and while it runs. Kubernetes
// computes with seconds that overflow (rule E3).
func verdict(in *Input) Result {
	v := match.Decide(in.taints(), in.tolerations(), in.rules())
	a := Verdict{Scheduling: v.Scheduling.String(), Eviction: v.Eviction.String(), Milliseconds: v.After.Milliseconds()}
	if v.Scheduling != match.Schedulable {
		a.SchedulingTaint = &v.SchedulingTaint
	}
	if v.Eviction != match.Stay {
		a.EvictionTaint = &v.EvictionTaint
	}
	r := Result{Answer: a, Reason: v.Sentence(in.taints())}
	if w, overflows := overflowing(in.taints(), in.tolerations(), in.rules()); overflows {
		a.Eviction, a.EvictionTaint, a.Milliseconds = w.Eviction, w.EvictionTaint, w.Milliseconds
		r.Alternatives = []Alternative{{[]string{"kubernetes"}, a, "seconds overflow in 64-bit nanoseconds"}}
	}
	return r
}

// overflowing is the eviction as Kubernetes computes it, and whether that is another one:
// the least of the seconds wraps around in nanoseconds (rule E3). A negative result is
// forever.
func overflowing(taints []taint.Taint, tolerations []toleration.Toleration, rules toleration.Rules) (v Verdict, overflows bool) {
	const most = 9223372036
	least, decides := int64(-1), 0
	for i := range taints {
		if taints[i].Effect != taint.NoExecute {
			continue
		}
		j, ok := match.FirstTolerating(tolerations, &taints[i], rules)
		if !ok {
			return Verdict{}, false
		}
		if seconds := tolerations[j].TolerationSeconds; seconds != nil && (least < 0 || max(0, *seconds) < least) {
			least, decides = max(0, *seconds), i
		}
	}
	if least <= most {
		return Verdict{}, false
	}
	switch nanoseconds := least * 1e9; {
	case nanoseconds < 0:
		return Verdict{Eviction: "stay"}, true
	case nanoseconds == 0:
		return Verdict{Eviction: "evict now", EvictionTaint: &decides}, true
	default:
		return Verdict{Eviction: "evict after", EvictionTaint: &decides, Milliseconds: nanoseconds / 1e6}, true
	}
}

// scores is how kube-scheduler ranks nodes for a pod.
func scores(in *Input) Result {
	counts := make([]int64, len(in.Nodes))
	for i := range in.Nodes {
		counts[i] = match.CountUntolerated(in.Nodes[i].Spec.Taints, in.tolerations(), taint.Soft, in.rules())
	}
	reason := fmt.Sprintf("untolerated PreferNoSchedule taints: %v", counts)
	match.NormalizeScores(counts)
	return Result{Answer: counts, Reason: reason}
}

// cordon is whether kube-scheduler may place the pod as far as spec.unschedulable goes.
func cordon(in *Input) Result {
	switch {
	case !in.node().Spec.Unschedulable:
		return Result{Answer: true, Reason: "the node is not cordoned"}
	case match.Cordoned(in.tolerations()):
		return Result{Answer: false, Reason: "the node is cordoned, and " + taint.KeyUnschedulable + ":NoSchedule is not tolerated"}
	}
	return Result{Answer: true, Reason: taint.KeyUnschedulable + ":NoSchedule is tolerated"}
}

// kubelet is whether the kubelet starts a pod that was bound to its node.
func kubelet(in *Input) Result {
	if static(in.pod()) {
		return Result{Answer: true, Reason: "a static pod is always admitted"}
	}
	reason := "every NoExecute taint is tolerated"
	if i, ok := match.FirstUntolerated(in.taints(), in.tolerations(), taint.NoExecute.Set(), in.rules()); ok {
		reason = fmt.Sprintf("%s is not tolerated", in.taints()[i])
	}
	return Result{Answer: match.KubeletAdmits(in.taints(), in.tolerations(), in.rules()), Reason: reason}
}

// static reports whether the kubelet read the pod from a file.
func static(p *Pod) bool {
	return p.Metadata != nil && p.Metadata.Annotations["kubernetes.io/config.source"] == "file"
}

// Placement is the answer of the DaemonSet controller.
type Placement struct {
	Run  bool `json:"run"`  // whether the node should run a pod
	Keep bool `json:"keep"` // whether one that runs there should continue to
}

func daemonSet(in *Input) Result {
	run, keep := match.DaemonSetPlacement(in.taints(), in.tolerations(), in.rules())
	reason := "every hard taint is tolerated"
	if i, ok := match.FirstUntolerated(in.taints(), in.tolerations(), taint.Hard, in.rules()); ok {
		reason = fmt.Sprintf("%s is not tolerated", in.taints()[i])
	}
	return Result{Answer: Placement{run, keep}, Reason: reason}
}

// topologySpread is whether the node counts for the constraint of the pod.
func topologySpread(in *Input) Result {
	if list := in.pod().Spec.Spread; len(list) == 0 || list[0].NodeTaintsPolicy != "Honor" {
		return Result{Answer: true, Reason: "the policy is not Honor"}
	}
	i, refused := match.FirstUntolerated(in.taints(), in.tolerations(), taint.Hard, in.rules())
	if refused {
		return Result{Answer: false, Reason: fmt.Sprintf("%s is not tolerated", in.taints()[i])}
	}
	return Result{Answer: true, Reason: "every hard taint is tolerated"}
}

// pressure is whether the kubelet admits a pod while it observes conditions.
func pressure(in *Input) Result {
	p := admit.Pressure{Critical: static(in.pod()), BestEffort: class(in.pod()) == "BestEffort", Tolerations: in.tolerations()}
	if priority := in.pod().Spec.Priority; priority != nil && *priority >= 2_000_000_000 {
		p.Critical = true
	}
	for _, condition := range in.Observed {
		if condition == "MemoryPressure" {
			p.Memory = true
		} else {
			p.Other = true
		}
	}
	reason := "neither critical nor helped by a toleration"
	switch {
	case !p.Memory && !p.Other:
		reason = "no pressure"
	case p.Critical:
		reason = "the pod is critical"
	case p.Admits() && !p.BestEffort:
		reason = "memory is the only pressure, and the pod is not BestEffort"
	case p.Admits():
		reason = "memory is the only pressure, and the pod tolerates it"
	}
	return Result{Answer: p.Admits(), Reason: reason}
}
