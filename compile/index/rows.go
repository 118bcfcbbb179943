package index

import (
	"slices"

	"github.com/tolero-dev/tolero/taint"
)

// Row returns the row of a taint, valid or not, and makes it if there is none yet. It takes
// expected constant time.
func (t *Tolerators) Row(x *taint.Taint) TaintRow {
	if x.Effect.Set()&taint.Hard == 0 {
		return 0
	}
	t.steps++
	row := t.rowOf(x)
	if *row == 0 {
		t.addRow(row, x, t.pods.postings.find(x))
	}
	return *row
}

// rowOf returns where the row of a hard taint is noted, or will be.
func (t *Tolerators) rowOf(x *taint.Taint) *TaintRow {
	if e, inUse := t.snapshot.vocabulary.ID(x); inUse {
		return t.rowOfElement(e)
	}
	key := taintKey{x.Key, x.Value, x.Effect}
	row := t.byTaint[key]
	if row == nil {
		row = new(TaintRow)
		t.byTaint[key] = row
	}
	return row
}

// rowOfElement is rowOf for a hard taint of the snapshot.
func (t *Tolerators) rowOfElement(e element) *TaintRow {
	return &t.byPair[pairOf(e)][hardNumber(e.Effects())]
}

// addRow adds the row of a taint that was found among the postings, and notes it.
func (t *Tolerators) addRow(row *TaintRow, x *taint.Taint, f found) {
	t.steps += 1 + f.again
	*row = TaintRow(len(t.rows))
	t.rows = append(t.rows, f.tolerators(x, hardNumber(x.Effect.Set())))
}

// AppendRows appends the rows of the taints of some classes of nodes of the snapshot to dst,
// one class after the other, each in the order of [Snapshot.AppendTaints], and returns the
// extended slice. For a class that the snapshot does not have it appends nothing. It takes a
// few nanoseconds for a taint that has a row, and for another the time of [Tolerators.Row],
// or less if many classes are given in one call.
func (t *Tolerators) AppendRows(dst []TaintRow, classes ...Class) []TaintRow {
	t.missing = t.missing[:0]
	for _, c := range classes {
		l := t.snapshot.list(c)
		if l == nil {
			continue
		}
		for _, e := range l.elements {
			row := TaintRow(0)
			if isHard(e) {
				if row = *t.rowOfElement(e); row == 0 {
					t.missing = append(t.missing, missing{e, len(dst)})
				}
			}
			dst = append(dst, row)
		}
		t.steps += len(l.elements)
	}
	for chunk := range slices.Chunk(t.missing, lookups) {
		t.addMissing(dst, chunk)
	}
	return dst
}

// missing is a taint of the snapshot whose row is yet to be made, and where that goes.
type missing struct {
	element element
	at      int
}

// addMissing makes rows for at most lookups taints, one step for all of them after the other,
// and writes them to their places.
func (t *Tolerators) addMissing(rows []TaintRow, list []missing) {
	var taints [lookups]taint.Taint
	var found [lookups]found
	for i := range list {
		taints[i] = t.snapshot.taintOf(list[i].element)
	}
	t.findAll(found[:len(list)], taints[:len(list)])
	for i := range list {
		row := t.rowOfElement(list[i].element)
		if *row == 0 { // several classes may have the taint
			t.addRow(row, &taints[i], found[i])
		}
		rows[list[i].at] = *row
	}
	for i := range list {
		t.estimateOf(&t.rows[rows[list[i].at]])
	}
	t.steps += len(list)
}

// findAll is [postings.find] for at most lookups taints. Each text and each entry is read in a loop
// of its own before it is needed.
func (t *Tolerators) findAll(found []found, taints []taint.Taint) {
	var room [lookups]search
	p, searches := &t.pods.postings, room[:len(taints)]
	for i := range taints {
		t.touch(taints[i].Key, taints[i].Value)
	}
	for i := range searches {
		p.hashKey(&taints[i], &searches[i])
	}
	for i := range searches {
		p.guessKey(&searches[i])
	}
	for i := range searches {
		p.readKey(&searches[i])
	}
	for i := range searches {
		t.touchKey(&searches[i].key)
	}
	for i := range searches {
		p.hashValues(&taints[i], &searches[i])
	}
	for i := range searches {
		p.guessValues(&searches[i])
	}
	for i := range searches {
		p.readValues(&searches[i])
	}
	for i := range searches {
		t.touch(searches[i].values[:]...)
	}
	for i := range searches {
		found[i] = p.finish(&taints[i], &searches[i])
	}
}

// touch reads one byte of each text, which is hashed or compared soon. The processor does not look
// beyond the call that does so; reading ahead lets it wait for many texts at once.
func (t *Tolerators) touch(texts ...string) {
	for _, text := range texts {
		if text != "" {
			t.touched |= text[0]
		}
	}
}

// touchKey is touch for a key and its postings.
func (t *Tolerators) touchKey(e *keyEntry) {
	t.touch(e.key)
	if e.keyPostings != nil {
		t.touched |= byte(e.values)
	}
}
