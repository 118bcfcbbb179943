package scheduler

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"hash/maphash"
	"slices"
	"sync/atomic"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// SignPod returns what the plugin's answers for a pod depend on: the taints that it
// tolerates, as a hash of the signature of their [toleration.Meaning]. Pods get the same
// signature if and only if they tolerate the same taints, whatever the order, length
// and wording of their lists and their seconds. The scheduler may place such pods one
// after the other with one look at the nodes. Lists that the API server refuses have the
// same signature only if they have the same tolerations, apart from order and seconds.
//
// The fragment has a key of its own, the name of the plugin with "/tolerations" after
// it. So it never takes the place of what an in-tree plugin signs. It is the same on
// every machine and in every release.
//
// The signatures of the last lists are remembered; the strings of those lists are
// retained.
func (pl *Plugin) SignPod(_ context.Context, pod *v1.Pod) ([]fwk.SignFragment, *fwk.Status) {
	return []fwk.SignFragment{{Key: pl.signer.key, Value: pl.signer.sign(pod.Spec.Tolerations, pl.rules)}}, nil
}

// signer signs lists and remembers what it signed: pods come in many copies.
type signer struct {
	key   string
	seed  maphash.Seed
	slots [1024]atomic.Pointer[signed]
}

// ways is how many lists one place holds. If it held one, two lists with the same place
// would drive each other out, and each pod's list would be signed again. Among a hundred
// lists, two nearly always have the same place.
const ways = 2

type signed struct {
	tolerations []v1.Toleration
	signature   any // a string
}

func (s *signer) sign(tolerations []v1.Toleration, rules toleration.Rules) any {
	place := s.place(tolerations)
	for i := range place {
		if last := place[i].Load(); last != nil && sameWords(last.tolerations, tolerations) {
			return last.signature
		}
	}
	fresh := &signed{slices.Clone(tolerations), signature(tolerations, rules)}
	place[1].Store(place[0].Swap(fresh))
	return fresh.signature
}

// signature returns the signature of a list. Nodes have no other than known effects,
// as far as the plugin's answers go.
func signature(tolerations []v1.Toleration, rules toleration.Rules) string {
	text := []byte("invalid ")
	if m, list := tolerated(tolerations, rules); m != nil {
		text = append([]byte("valid "), m.Restrict(taint.Hard|taint.Soft).Signature()...)
	} else {
		slices.SortFunc(list, compareFields)
		text = toleration.AppendList(text, slices.Compact(list))
	}
	sum := sha256.Sum256(text)
	return base64.RawStdEncoding.EncodeToString(sum[:])
}

// tolerated returns what the tolerations that count tolerate, for however long, and these
// without seconds. It is nil if they are not valid.
func tolerated(tolerations []v1.Toleration, rules toleration.Rules) (*toleration.Meaning, []toleration.Toleration) {
	list := kube.AppendTolerations(nil, tolerations)
	list = rules.Active(list[:0], list)
	for i := range list {
		list[i].TolerationSeconds = nil
	}
	m, _ := toleration.NewMeaning(list)
	return m, list
}

// compareFields orders tolerations without seconds.
func compareFields(a, b toleration.Toleration) int {
	return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Operator, b.Operator),
		cmp.Compare(a.Value, b.Value), cmp.Compare(a.Effect, b.Effect))
}

// place returns where a list is kept. A place holds the last lists that were signed for
// it; others are signed again.
func (s *signer) place(tolerations []v1.Toleration) *[ways]atomic.Pointer[signed] {
	var h uint64
	for i := range tolerations {
		t := &tolerations[i]
		h = h*31 + maphash.String(s.seed, t.Key)
		h = h*31 + maphash.String(s.seed, t.Value)
		h = h*31 + uint64(31*len(t.Operator)+len(t.Effect)) // known ones differ in length, except Gt and Lt
	}
	first := (h ^ h>>32) % uint64(len(s.slots)/ways) * ways
	return (*[ways]atomic.Pointer[signed])(s.slots[first : first+ways])
}

// sameWords reports whether two lists have the same words in the same order, apart
// from their seconds.
func sameWords(a, b []v1.Toleration) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		t, u := &a[i], &b[i]
		if t.Key != u.Key || t.Value != u.Value || t.Operator != u.Operator || t.Effect != u.Effect {
			return false
		}
	}
	return true
}
