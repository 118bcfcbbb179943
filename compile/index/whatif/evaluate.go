package whatif

import (
	"fmt"
	"time"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Options are further inputs of an evaluation. The zero Options is Kubernetes'
// own policy, in which no clock matters. It is plain data; a [Result] retains nothing of it.
type Options struct {
	// Policy says how long a pod may stay on a node whose NoExecute taints it tolerates.
	// A policy that package match does not have acts as [match.FirstMatch].
	Policy match.EvictionPolicy
	// Now is when the plan is carried out. Delays count from it. Only
	// [match.SinceAdded] looks at it.
	Now time.Time
	// Added returns since when a node has one of its NoExecute taints, which a snapshot
	// does not know; the zero time says that it is not known. Only [match.SinceAdded] asks
	// it, once for each NoExecute taint of a node that the plan selects. A nil Added knows
	// no times. Taints that the plan adds have the time that is in the plan, and taints of
	// the node that it puts again are new.
	Added func(node string, t taint.Taint) time.Time
}

// Evaluate returns what a plan would do to the nodes of a snapshot and to pods. Nothing
// changes; the result is that of carrying out the plan on copies of both, and of asking
// package match about every node and pod.
//
// A pod of a node that the snapshot does not have is not affected by taints. Neither
// argument may be nil. pods must not be changed while Evaluate runs, and may be afterwards:
// the result stays as it is.
//
// The error is a [*taint.FieldErrors] with what is wrong with the plan: each names the
// step and the field, such as "steps[2].taints.add[0].key", the value and the cause. Steps
// that cannot be applied to a node, because a taint is there already or is not, are
// errors that wrap [taint.ErrExists] or [taint.ErrNotFound] and name the node (rule K3);
// there is one for the nodes with the same taints to which the same steps are applied. A
// plan with an error has no result at all. It is an error too if the rules of fleet and
// pods differ.
//
// The time follows what changes: the nodes that the steps select, the pods on these, and
// the classes of pods and nodes that are concerned. See the package comment.
func Evaluate(fleet *index.Snapshot, pods *Pods, plan Plan, o Options) (*Result, error) {
	if a, b := fleet.Rules(), pods.classes.Rules(); a != b {
		return nil, fmt.Errorf("rules: nodes are of a cluster with %+v and pods of one with %+v", a, b)
	}
	e := &evaluation{
		fleet: fleet, pods: pods, rules: fleet.Rules(), plan: plan, Options: o, cache: pods.recall(fleet),
		everywhere: make(map[uint32]int32),
		result:     &Result{fleet: fleet, running: pods.Running(), texts: pods.texts.freeze()},
	}
	before := e.tolerators.Steps()
	if e.check(); len(e.errs.Faults) == 0 {
		e.resolve()
	}
	if err := e.errs.Err(); err != nil {
		return nil, err
	}
	if err := e.applySteps(); err != nil {
		return nil, err
	}
	e.judgePods()
	e.judgeClasses()
	e.judgeRollouts()
	e.result.steps = e.steps + e.tolerators.Steps() - before
	e.settle()
	pods.caches.Put(e.cache)
	return e.result, nil
}

// evaluation is an evaluation under way.
type evaluation struct {
	fleet *index.Snapshot
	pods  *Pods
	rules toleration.Rules
	plan  Plan
	Options
	errs taint.FieldErrors
	*cache

	rollsOut   bool                       // some step sets tolerations
	everywhere map[uint32]int32           // by owner: the last step that is for all of its pods
	overrides  map[int32]map[uint32]int32 // by chain: the step that counts for an owner
	pairOf     map[uint64]uint32          // by hash: the last pair that has it
	recent     recentRows

	judge
	rolloutOf map[rolloutKey]uint32
	sameList  []int32 // by step: the first one with the same list

	steps  int
	result *Result
}
