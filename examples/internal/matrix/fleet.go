package matrix

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// fleet is a cluster in which nodes with the same taints, in the same order,
// are one, and so are pods with the same tolerations. Clusters have a few
// hundred of each, however large they are, and all answers depend on those only.
type fleet struct {
	nodes []*nodeClass // the largest first
	pods  []*podClass  // the largest first

	nodeCount, podCount int64
	ignored             int64 // pods with a toleration that does not count
}

// nodeClass is the nodes that have the same taints.
type nodeClass struct {
	text   string // the taints, as people read them
	taints []taint.Taint
	nodes  int64
	name   string // of the first of them
}

// podClass is the pods that have the same tolerations.
type podClass struct {
	text        string // the tolerations, as toleration.ParseList reads them
	tolerations []toleration.Toleration
	pods        int64
	name        string // of the first object of them
	named       int64  // how many pods that object stands for
}

// newFleet groups the nodes and pods of a cluster with the given rules. Only the
// tolerations that count in it are looked at (rule N4).
func newFleet(c *cluster, rules toleration.Rules) *fleet {
	f := new(fleet)
	classes := make(map[string]*nodeClass)
	var key []byte
	for i := range c.nodes {
		n := &c.nodes[i]
		key = appendTaintsKey(key[:0], n.taints)
		class := classes[string(key)]
		if class == nil {
			class = &nodeClass{text: taintsText(n.taints), taints: n.taints, name: n.name}
			classes[string(key)] = class
			f.nodes = append(f.nodes, class)
		}
		class.nodes += n.count
		f.nodeCount += n.count
	}
	f.groupPods(c.pods, rules)
	slices.SortFunc(f.nodes, func(a, b *nodeClass) int {
		return cmp.Or(cmp.Compare(b.nodes, a.nodes), strings.Compare(a.text, b.text))
	})
	slices.SortFunc(f.pods, func(a, b *podClass) int {
		return cmp.Or(cmp.Compare(b.pods, a.pods), strings.Compare(a.text, b.text))
	})
	return f
}

// groupPods groups the pods.
func (f *fleet) groupPods(pods []pod, rules toleration.Rules) {
	classes := make(map[string]*podClass)
	var active []toleration.Toleration
	var key []byte
	for i := range pods {
		p := &pods[i]
		active = rules.Active(active[:0], p.tolerations)
		if len(active) < len(p.tolerations) {
			f.ignored += p.count
		}
		key = toleration.AppendList(key[:0], active)
		class := classes[string(key)]
		if class == nil {
			class = &podClass{text: string(key), tolerations: slices.Clone(active), name: p.name, named: p.count}
			classes[class.text] = class
			f.pods = append(f.pods, class)
		}
		class.pods += p.count
		f.podCount += p.count
	}
}

// size returns how many nodes and pods there are, in words.
func (f *fleet) size() string {
	return fmt.Sprintf("%s with %s, %s with %s",
		command.Plural(f.podCount, "pod"), command.Plural(len(f.pods), "toleration list"),
		command.Plural(f.nodeCount, "node"), command.Plural(len(f.nodes), "taint list"))
}

// appendTaintsKey appends what tells lists of taints apart to dst. The text for
// people does not: in an invalid taint any character can occur. When a taint
// was added does not matter here.
func appendTaintsKey(dst []byte, taints []taint.Taint) []byte {
	for i := range taints {
		t := &taints[i]
		dst = strconv.AppendQuote(dst, t.Key)
		dst = strconv.AppendQuote(dst, t.Value)
		dst = strconv.AppendQuote(dst, string(t.Effect))
	}
	return dst
}

// taintsText returns the taints as kubectl takes them, separated by commas.
func taintsText(taints []taint.Taint) string {
	words := make([]string, len(taints))
	for i := range taints {
		words[i] = taints[i].String()
	}
	return strings.Join(words, ",")
}
