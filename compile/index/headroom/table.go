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
	sample  index.Class // of its nodes
	row     int         // of the last of the classes
}

// Table finds what each class of pods may use. pods must not be nil, and must not change
// until Table returns. The rules of the cluster are those of the snapshot.
//
// The time is that of asking the index about each class of pods twice, and some nanoseconds
// for each pair of a class of pods and a class of nodes. The memory follows the number of
// pairs of a class of pods and a region that it may use.
func (f *Fleet) Table(pods *index.Pods) *Table {
	t := &Table{kinds: f.kinds, regions: f.regions(pods)}
	var fit index.Fit
	var own []total
	for class, n := range pods.All() {
		row := Row{Class: class, Tolerations: pods.Tolerations(class), Pods: n}
		f.fill(&fit, row.Tolerations)
		room := newTotal(f.kinds)
		for i := range t.regions {
			if r := &t.regions[i]; fit.HasClass(r.sample) {
				r.classes, r.row = append(r.classes, class), len(t.rows)
				room.add(&r.total)
			}
		}
		row.Room = room.amount()
		t.rows, own = append(t.rows, row), append(own, newTotal(f.kinds))
	}
	for i := range t.regions {
		if r := &t.regions[i]; len(r.classes) == 1 {
			own[r.row].add(&r.total)
		}
	}
	for i := range own {
		t.rows[i].Own = own[i].amount()
	}
	return t
}

// regions returns the parts of the fleet of which each class of pods may use all or nothing.
func (f *Fleet) regions(pods *index.Pods) []region {
	var fit index.Fit
	part := make([]int, len(f.groups)) // the region of each group, by the classes so far
	parts := min(1, len(part))
	for class := range pods.All() {
		f.fill(&fit, pods.Tolerations(class))
		split := make([][2]int, parts) // by part: those that do not fit, and those that do, plus one
		parts = 0
		for i := range part {
			next := &split[part[i]][0]
			if fit.HasClass(f.groups[i].class) {
				next = &split[part[i]][1]
			}
			if *next == 0 {
				parts++
				*next = parts
			}
			part[i] = *next - 1
		}
	}
	regions := make([]region, parts)
	for i := range f.groups {
		g, r := &f.groups[i], &regions[part[i]]
		if r.nodes == 0 {
			r.total, r.sample = newTotal(f.kinds), g.class
		}
		r.add(&g.total)
	}
	return regions
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
// classes and of regions.
func (t *Table) Shared(classes ...index.PodClass) Amount {
	return t.amount(classes, func(users int) bool { return users == len(classes) })
}

// Either returns what at least one of the given classes may use, each node counted once.
// For no classes that is nothing. A class that the table does not have adds nothing. The
// time is that of [Table.Shared].
func (t *Table) Either(classes ...index.PodClass) Amount {
	return t.amount(classes, func(users int) bool { return users > 0 })
}

// amount adds up the regions of which enough of the classes are users. A class that is
// repeated is a user each time.
func (t *Table) amount(classes []index.PodClass, enough func(users int) bool) Amount {
	sum := newTotal(t.kinds)
	for i := range t.regions {
		r, users := &t.regions[i], 0
		for _, class := range classes {
			if _, may := slices.BinarySearch(r.classes, class); may {
				users++
			}
		}
		if enough(users) {
			sum.add(&r.total)
		}
	}
	return sum.amount()
}
