package evict_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// What the bytes of the fuzz target stand for.
var (
	fuzzTaints      = [][]taint.Taint{nil}
	fuzzTolerations [][]toleration.Toleration
	fuzzSteps       = [...]time.Duration{0, time.Second, 10 * time.Second, 59 * time.Second, time.Minute, 5 * time.Minute, -time.Hour, 1<<63 - 1}
)

func init() {
	for _, text := range []string{"a:NoExecute", "a=x:NoExecute", "b:NoExecute", "a:NoSchedule", "a:NoExecute,b:NoExecute", "b:NoExecute,a:NoExecute", "a=5:NoExecute,c:NoExecute"} {
		list, err := taint.ParseList(text)
		if err != nil {
			panic(err)
		}
		added := []taint.Taint{list[0]}
		added[0].TimeAdded = &taint.Time{Time: matchtest.Epoch().Add(30 * time.Second)}
		fuzzTaints = append(fuzzTaints, list, added)
	}
	for _, text := range []string{"", "a", "a@60", "a@300,b@10", "a=x@60,a@300,b", "a>4@60,*@300", "a@0,b@-1", "*@9223372037", "a@300,a@60,b@60,b@300", "*,a@1", "c@60,b@60"} {
		list, err := notation.Tolerations(text)
		if err != nil {
			panic(err)
		}
		fuzzTolerations = append(fuzzTolerations, list)
	}
}

// FuzzQueue takes the first byte for the policy and the gate, and three for each
// event: what happens and after what step, to which node or pod, and the taints or
// tolerations. The queue must decide what the model decides (rules E1 to E5).
func FuzzQueue(f *testing.F) {
	f.Add([]byte{0, 0x02, 0, 3, 0x00, 0, 1, 0x28, 0, 0})                            // E2: pod, taint, 5 min
	f.Add([]byte{0, 0x02, 0, 3, 0x00, 0, 1, 0x10, 0, 9, 0x28, 0, 0})                // E5: a taint with less time, ignored
	f.Add([]byte{1, 0x02, 0, 3, 0x00, 0, 1, 0x10, 0, 9, 0x28, 0, 0})                // the same where it counts
	f.Add([]byte{2, 0x02, 0, 3, 0x20, 0, 2, 0x28, 0, 0})                            // TimeAdded counts
	f.Add([]byte{0, 0x02, 0, 3, 0x00, 0, 1, 0x09, 0, 0, 0x08, 0, 0, 0x28, 0, 0})    // node gone and back clean
	f.Add([]byte{0, 0x02, 0, 2, 0x02, 1, 2, 0x00, 0, 1, 0x0b, 0, 0, 0x28, 0, 0})    // one of two pods gone
	f.Add([]byte{0, 0x02, 0, 8, 0x00, 0, 5, 0x30, 0, 0, 0x3a, 8, 0})                // the clock goes back, then to its end
	f.Add([]byte{1, 0x00, 0, 5, 0x12, 0, 3, 0x12, 1, 3, 0x12, 0x48, 3, 0x28, 0, 0}) // pods come one after the other, one moves
	f.Add([]byte{0, 0x02, 0, 5, 0x00, 0, 13, 0x28, 0, 0})                           // N5: Gt does not count
	f.Add([]byte{4, 0x02, 0, 5, 0x00, 0, 13, 0x28, 0, 0})                           // the same with the gate on
	target.Fuzz(f, func(t *testing.T, data []byte) {
		first := append(data, 0)[0]
		p := newPair(t, match.EvictionPolicy(first%4), toleration.Rules{Comparisons: first>>2%2 == 1})
		for data = data[min(len(data), 1):min(len(data), 400)]; len(data) >= 3; data = data[3:] {
			p.fuzzEvent(data[0], data[1], data[2])
		}
		p.askAgain()
	})
}

func (p *pair) fuzzEvent(event, who, what byte) {
	p.advance(fuzzSteps[event>>3%8])
	node := []string{"n", "m", "k", ""}[who>>6]
	pod := fmt.Sprint("p", who%24)
	switch event % 8 {
	case 0, 4:
		p.setNode(node, fuzzTaints[int(what)%len(fuzzTaints)])
	case 1:
		p.deleteNode(node)
	case 2, 5, 6, 7:
		p.setPod(pod, node, fuzzTolerations[int(what)%len(fuzzTolerations)])
	case 3:
		p.deletePod(pod)
	}
}
