package headroom

import (
	"iter"
	"slices"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/toleration"
)

// Table is what each class of pods may use of a fleet.
//
// Tables come from [Fleet.Table]; the zero Table has no classes and no regions. A Table is
// immutable and may be used concurrently; it must not be copied. It retains the lists of
// the classes, and not the Pods.
type Table struct {
	kinds   int
	rows    []Row
	byClass map[index.PodClass]int // the row of a class
	regions []region
}

// Row is what one class of pods may use. It is plain data; the slices must not be written
// to.
type Row struct {
	Class       index.PodClass
	Tolerations []toleration.Toleration
	Pods        int // of the class
	// Room is what the class may use, and Own the part of it that no other class may use.
	Room, Own Amount

	regions []uint32 // ascending
}

// Region is nodes that the same classes of pods may use. It is plain data; the slices must
// not be written to.
type Region struct {
	// Classes are those that may use the nodes, in ascending order. There are none for the
	// nodes that no class may use.
	Classes []index.PodClass
	Amount
}

// region is a Region under way.
type region struct {
	total
	classes []index.PodClass
}

// Table finds what each class of pods may use. pods must not be nil, and must not change
// until Table returns. The rules of the cluster are those of the snapshot.
//
// The time is that of asking the index about each class, and some nanoseconds for each
// pair of a class and a set of hard taints that it may use. The memory follows the number
// of pairs of a class and a region.
func (f *Fleet) Table(pods *index.Pods) *Table {
	t := &Table{kinds: f.kinds, byClass: make(map[index.PodClass]int)}
	if f.snapshot == nil {
		f = New(new(index.Snapshot), f.kinds, nil)
	}
	p := newPartition(f)
	var fit index.Fit
	for class := range pods.All() {
		f.snapshot.FitList(&fit, pods.Tolerations(class))
		p.split(&fit)
	}
	t.regions = p.regions()
	for class, n := range pods.All() {
		list := pods.Tolerations(class)
		f.snapshot.FitList(&fit, list)
		t.byClass[class] = len(t.rows)
		t.rows = append(t.rows, Row{Class: class, Tolerations: list, Pods: n, regions: p.used(&fit)})
		for _, r := range t.rows[len(t.rows)-1].regions {
			t.regions[r].classes = append(t.regions[r].classes, class)
		}
	}
	for i := range t.rows {
		t.measure(&t.rows[i])
	}
	return t
}

// measure adds up what a class may use.
func (t *Table) measure(row *Row) {
	room, own := newTotal(t.kinds), newTotal(t.kinds)
	for _, i := range row.regions {
		r := &t.regions[i]
		room.add(r.nodes, r.sums)
		if len(r.classes) == 1 {
			own.add(r.nodes, r.sums)
		}
	}
	row.Room, row.Own = room.amount(), own.amount()
}

// Rows iterates over the classes, in ascending order.
func (t *Table) Rows() iter.Seq[Row] { return slices.Values(t.rows) }

// Regions iterates over the parts of the fleet by who may use them. Each node of the fleet
// is in one of them, so their amounts add up to [Fleet.Total]. The order is not specified,
// but is the same for the same snapshot and pods.
func (t *Table) Regions() iter.Seq[Region] {
	return func(yield func(Region) bool) {
		for i := range t.regions {
			if r := &t.regions[i]; !yield(Region{r.classes, r.amount()}) {
				return
			}
		}
	}
}

// Shared returns what all of the given classes may use: for two classes, their overlap. A
// class that the table does not have may use nothing; for no classes at all the answer is
// the whole fleet. A class that is repeated counts once. The time follows the number of
// the regions that the classes may use.
func (t *Table) Shared(classes ...index.PodClass) Amount {
	users := t.users(classes)
	sum := newTotal(t.kinds)
	for i := range t.regions {
		if users[i] == len(classes) {
			sum.add(t.regions[i].nodes, t.regions[i].sums)
		}
	}
	return sum.amount()
}

// Either returns what at least one of the given classes may use, each node counted once.
// For no classes that is nothing. A class that the table does not have adds nothing. The
// time is that of [Table.Shared].
func (t *Table) Either(classes ...index.PodClass) Amount {
	users := t.users(classes)
	sum := newTotal(t.kinds)
	for i := range t.regions {
		if users[i] > 0 {
			sum.add(t.regions[i].nodes, t.regions[i].sums)
		}
	}
	return sum.amount()
}

// users returns how many of the classes may use each region. A class that is repeated
// counts each time.
func (t *Table) users(classes []index.PodClass) []int {
	users := make([]int, len(t.regions))
	for _, class := range classes {
		if row, known := t.byClass[class]; known {
			for _, r := range t.rows[row].regions {
				users[r]++
			}
		}
	}
	return users
}
