package fleet

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// known returns what an index knows of taints.
func known(taints []taint.Taint) string { return fmt.Sprintf("%q", taint.FormatList(taints)) }

// CheckDiff compares the difference of two snapshots with that of two fleets.
func CheckDiff(t TB, d *index.Diff, pods *index.Pods, before, after *Taken) {
	names := maps.Clone(before.Nodes)
	maps.Copy(names, after.Nodes)
	moved := map[string]bool{}
	var change index.Impact
	for m := range d.Moves() {
		d.Impact(&change, pods, m)
		count := 0
		for name := range d.Names(m) {
			if count++; moved[name] {
				t.Fatalf("%s moves twice", name)
			}
			moved[name] = true
			if m.From != before.Snapshot.Class(before.IDs[name]) || m.To != after.Snapshot.Class(after.IDs[name]) {
				t.Fatalf("%s moves from %v to %v", name, m.From, m.To)
			}
			CheckChange(t, &change, pods, before.side(name), after.side(name))
		}
		if count != m.Nodes || count == 0 {
			t.Fatalf("%d nodes, %d names", m.Nodes, count)
		}
	}
	for name := range names {
		a, inA := before.Nodes[name]
		b, inB := after.Nodes[name]
		if changed := inA != inB || known(a) != known(b); changed != moved[name] {
			t.Fatalf("%s went from %q to %q: moved %v", name, taint.FormatList(a), taint.FormatList(b), moved[name])
		}
	}
}

// Side is a node before or after a change. The zero Side is that of no node.
type Side struct {
	There  bool
	Taints []taint.Taint
}

// side returns a node of a fleet.
func (t *Taken) side(name string) Side {
	taints, there := t.Nodes[name]
	return Side{There: there, Taints: taints}
}

// Fits reports whether a pod may be scheduled to the node.
func (s Side) Fits(tolerations []toleration.Toleration) bool {
	_, refused := match.FirstUntolerated(s.Taints, tolerations, taint.Hard, Comparing)
	return s.There && !refused
}

// Evicts reports whether a pod has to leave the node.
func (s Side) Evicts(tolerations []toleration.Toleration) bool {
	_, evicted := match.FirstUntolerated(s.Taints, tolerations, taint.Evicting, Comparing)
	return s.There && evicted
}

// CheckChange compares a change with what match says of both sides.
func CheckChange(t TB, c *index.Impact, pods *index.Pods, before, after Side) {
	var nowFit, fitNoMore, mustLeave []index.PodClass
	for class := range pods.All() {
		tolerations := pods.Tolerations(class)
		switch a, b := before.Fits(tolerations), after.Fits(tolerations); {
		case !a && b:
			nowFit = append(nowFit, class)
		case a && !b:
			fitNoMore = append(fitNoMore, class)
		}
		if before.There && !before.Evicts(tolerations) && after.Evicts(tolerations) {
			mustLeave = append(mustLeave, class)
		}
	}
	for _, set := range []struct {
		what      string
		got, want []index.PodClass
	}{
		{"fit now", slices.Collect(c.NowFit()), nowFit},
		{"fit no more", slices.Collect(c.FitNoMore()), fitNoMore},
		{"must leave", slices.Collect(c.MustLeave()), mustLeave},
	} {
		if !slices.Equal(set.got, set.want) {
			t.Fatalf("from %q to %q: %v %s, want %v", taint.FormatList(before.Taints), taint.FormatList(after.Taints), set.got, set.what, set.want)
		}
	}
}
