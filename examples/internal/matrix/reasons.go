package matrix

import (
	"cmp"
	"slices"
	"strings"
)

// vocabulary numbers the reasons that a fleet can give, in the order of their
// names, so that counting them takes no strings.
type vocabulary struct {
	reasons []reason // by number; the nodes are not counted here
	of      [][]int  // the number of each taint of each class of nodes
}

func newVocabulary(nodes []*nodeClass) *vocabulary {
	v := &vocabulary{of: make([][]int, len(nodes))}
	numbers := make(map[reason]int)
	for _, class := range nodes {
		for _, t := range class.taints {
			numbers[reason{key: t.Key, value: t.Value}] = 0
		}
	}
	for r := range numbers {
		v.reasons = append(v.reasons, r)
	}
	slices.SortFunc(v.reasons, func(a, b reason) int {
		return cmp.Or(strings.Compare(a.key, b.key), strings.Compare(a.value, b.value))
	})
	for i, r := range v.reasons {
		numbers[r] = i
	}
	for i, class := range nodes {
		v.of[i] = make([]int, len(class.taints))
		for j, t := range class.taints {
			v.of[i][j] = numbers[reason{key: t.Key, value: t.Value}]
		}
	}
	return v
}
