package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// verdict collects what is worse.
type verdict struct {
	tolerance float64 // of instructions
	rows      []row
	notes     []string
	allocated int // benchmarks whose allocations were compared
	counted   int // benchmarks whose instructions were
}

// row is a line of the table.
type row struct {
	word string
	benchmark
	metric   string
	old, new float64
	allowed  float64 // how much more it may be
}

// The words of the table.
const (
	same   = "same"
	better = "better"
	worse  = "WORSE"
)

func (v *verdict) note(text string) { v.notes = append(v.notes, text) }

// allocations compares the allocations of the timed runs. Some operations do not
// cost the same each time, so that the average is now this, now that: only what
// is more in every run than it was in any is worse.
func (c *comparison) allocations(v *verdict) error {
	old, new, err := c.collect("allocs/op")
	if err != nil {
		return err
	}
	both := common(old, new)
	if len(both) == 0 {
		return fmt.Errorf("no benchmark of both revisions matches %q", c.bench)
	}
	v.only(c.old, old, new)
	v.only(c.new, new, old)
	for _, b := range both {
		v.allocated++
		switch least, most := slices.Min(new[b]), slices.Max(new[b]); {
		case least > slices.Max(old[b]):
			v.rows = append(v.rows, row{worse, b, "allocs/op", slices.Max(old[b]), least, 0})
		case most < slices.Min(old[b]):
			v.rows = append(v.rows, row{better, b, "allocs/op", slices.Min(old[b]), most, 0})
		}
	}
	return nil
}

// only notes how many benchmarks of a revision the other one does not have.
func (v *verdict) only(r *revision, its, others map[benchmark][]float64) {
	if missing := len(its) - len(common(its, others)); missing > 0 {
		v.note(fmt.Sprintf("only %s has %d of its benchmarks", r.name, missing))
	}
}

// instructions compares what an operation takes.
func (v *verdict) instructions(b benchmark, old, new []counted) {
	v.counted++
	r := compareCounts(v.tolerance, old, new)
	r.benchmark, r.metric = b, "instructions/op"
	v.rows = append(v.rows, r)
}

// compareCounts compares counts of the same operation: what is more in every round than
// it was in any, by more than may be, is worse. The row has the counts that are nearest
// to each other, or else the first ones.
func compareCounts(tolerance float64, old, new []counted) row {
	leastOld, mostOld := extremes(old)
	leastNew, mostNew := extremes(new)
	allowed := tolerance*mostOld.perOperation + max(mostOld.uncertainty, leastNew.uncertainty)
	switch {
	case leastNew.perOperation-mostOld.perOperation > allowed:
		return row{word: worse, old: mostOld.perOperation, new: leastNew.perOperation, allowed: allowed}
	case leastOld.perOperation-mostNew.perOperation > allowed:
		return row{word: better, old: leastOld.perOperation, new: mostNew.perOperation, allowed: allowed}
	}
	return row{word: same, old: old[0].perOperation, new: new[0].perOperation, allowed: allowed}
}

// extremes returns the counts with the fewest instructions and with the most.
func extremes(counts []counted) (least, most counted) {
	byInstructions := func(a, b counted) int { return cmp.Compare(a.perOperation, b.perOperation) }
	return slices.MinFunc(counts, byInstructions), slices.MaxFunc(counts, byInstructions)
}

// print writes a table: the allocations that differ, and all instructions.
func (v *verdict) print(w io.Writer) {
	fmt.Fprintf(w, "compared: the allocations of %d benchmarks, the instructions of %d\n", v.allocated, v.counted)
	for _, note := range v.notes {
		fmt.Fprintln(w, note)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range v.rows {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%.6g -> %.6g\t(%+.4g, allowed %.4g)\n",
			r.word, r.pkg, r.name, r.metric, r.old, r.new, r.new-r.old, r.allowed)
	}
	table.Flush()
}

// err returns an error if anything is worse.
func (v *verdict) err() error {
	n := 0
	for _, r := range v.rows {
		if r.word == worse {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return fmt.Errorf("worse in %d respects", n)
}
