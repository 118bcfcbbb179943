package taint

import "strings"

// Effect says what a taint does to pods that do not tolerate it. Names are
// case-sensitive. The zero Effect is not valid on a taint; on a toleration it
// means every effect. Unknown effects are values like any other and are
// compared as strings (rule M5). An Effect is a string in every other respect:
// free to copy and to share, retaining nothing.
type Effect string

// The effects that Kubernetes knows.
const (
	// NoSchedule keeps pods that do not tolerate the taint from being scheduled
	// onto the node. Pods that already run there stay.
	NoSchedule Effect = "NoSchedule"
	// PreferNoSchedule makes the scheduler prefer other nodes.
	PreferNoSchedule Effect = "PreferNoSchedule"
	// NoExecute keeps pods away as NoSchedule does, and evicts those that run
	// on the node.
	NoExecute Effect = "NoExecute"
)

// Known reports whether e is one of the three effects of Kubernetes.
func (e Effect) Known() bool {
	return e.Set() != OtherEffects
}

// Set returns the EffectSet that holds e alone. For an unknown effect, the empty
// one included, that is [OtherEffects], which holds all unknown ones.
func (e Effect) Set() EffectSet {
	switch e {
	case NoSchedule:
		return noSchedule
	case PreferNoSchedule:
		return preferNoSchedule
	case NoExecute:
		return noExecute
	}
	return OtherEffects
}

// EffectSet is a set of effects: any of the three known ones, and all unknown ones
// together.
//
// The zero EffectSet is empty. An EffectSet is a small integer: free to copy
// and to share, comparable with ==, combined with the operators | and &. Bits
// other than those of [AllEffects] mean nothing.
type EffectSet uint8

const (
	noSchedule EffectSet = 1 << iota
	preferNoSchedule
	noExecute
	other
)

// Sets that the Kubernetes components ask for.
const (
	// Hard holds the effects that keep a pod from being scheduled: NoSchedule
	// and NoExecute (rule F2).
	Hard = noSchedule | noExecute
	// Soft holds PreferNoSchedule, for which schedulers prefer other nodes.
	Soft = preferNoSchedule
	// Evicting holds NoExecute, the effect that evicts running pods.
	Evicting = noExecute
	// OtherEffects holds every effect except the three known ones.
	OtherEffects = other
	// AllEffects holds every effect.
	AllEffects = Hard | Soft | OtherEffects
)

// Has reports whether s holds e.
func (s EffectSet) Has(e Effect) bool {
	return s&e.Set() != 0
}

// String returns the effects of s, separated by "|", unknown ones as "other", such as
// "NoSchedule|NoExecute" for [Hard], and "none" for the empty set.
func (s EffectSet) String() string {
	var names []string
	for _, e := range [...]Effect{NoSchedule, PreferNoSchedule, NoExecute} {
		if s.Has(e) {
			names = append(names, string(e))
		}
	}
	if s&OtherEffects != 0 {
		names = append(names, "other")
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, "|")
}
