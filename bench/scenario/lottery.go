package scenario

import (
	"math/rand/v2"
	"slices"

	"github.com/tolero-dev/tolero/match/matchtest/corpus"
	"github.com/tolero-dev/tolero/toleration"
)

// lottery draws real toleration lists, each as often as it was found.
type lottery struct {
	lists [][]toleration.Toleration
	upTo  []int // upTo[i] is the number of tickets of lists[0] to lists[i]
}

// newLottery returns a lottery of the lists that are matched with nodes' taints.
func newLottery(found []corpus.TolerationList) *lottery {
	l := &lottery{}
	tickets := 0
	for _, list := range found {
		if list.Scope == "" {
			tickets += list.Count
			l.lists = append(l.lists, list.Tolerations)
			l.upTo = append(l.upTo, tickets)
		}
	}
	return l
}

// draw returns the position of a list.
func (l *lottery) draw(random *rand.Rand) int {
	ticket := random.IntN(l.upTo[len(l.upTo)-1])
	i, _ := slices.BinarySearch(l.upTo, ticket+1)
	return i
}
