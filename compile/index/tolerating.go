package index

import (
	"slices"

	"github.com/tolero-dev/tolero/compile/internal/bits"
	"github.com/tolero-dev/tolero/taint"
)

// found is what the postings have for the key and the value of a taint, and for its value
// without a key. What is nil is empty.
type found struct {
	keys   [2]*keyPostings
	values [2]*byEffect
	again  int // how many guesses were wrong
}

// find looks a taint up.
func (p *postings) find(x *taint.Taint) found {
	var s search
	p.hashKey(x, &s)
	p.guessKey(&s)
	p.readKey(&s)
	p.hashValues(x, &s)
	p.guessValues(&s)
	p.readValues(&s)
	return p.finish(x, &s)
}

// search is a taint that is being looked up, by its key and without a key. To look many
// taints up, take each step below for all of them before the next one: the processor then waits for
// the memory of all at once.
type search struct {
	hash   uint32   // of the key
	at     uint32   // the guessed position of the key
	key    keyEntry // the entry at that position
	keys   [2]*keyPostings
	valued [2]*keyPostings // those that have some values
	hashes [2]uint32       // of the value, and
	guess  [2]uint32       // their guessed positions
	right  [2]bool         // whether the guess belongs to valued
	values [2]string       // the values of the guesses
	again  int             // how many guesses were wrong
}

func (p *postings) hashKey(x *taint.Taint, s *search) {
	if p.byKey.Len() > 0 { // otherwise there may be no hasher yet
		s.hash = p.hasher.text(x.Key)
	}
}

func (p *postings) guessKey(s *search) { s.at = p.byKey.Guess(s.hash) }

func (p *postings) readKey(s *search) {
	if s.at != none {
		s.key = *p.byKey.At(s.at)
	}
}

// hashValues checks the guess of the key first.
func (p *postings) hashValues(x *taint.Taint, s *search) {
	s.keys = [2]*keyPostings{s.key.keyPostings, &p.anyKey}
	if s.at != none && s.key.key != x.Key {
		s.keys[0] = p.byKey.find(s.hash, x.Key)
		s.again++
	}
	for i, k := range s.keys {
		if k != nil && k.values > 0 {
			s.valued[i], s.hashes[i] = k, p.hasher.hashOf(k, x.Value)
		}
	}
}

func (p *postings) guessValues(s *search) {
	for i, hash := range s.hashes {
		s.guess[i] = p.equals.Guess(hash)
	}
}

func (p *postings) readValues(s *search) {
	for i, position := range s.guess {
		if position != none {
			e := p.equals.At(position)
			s.right[i], s.values[i] = e.owner == s.valued[i], e.value
		}
	}
}

// finish checks the guesses, and looks further if they are wrong.
func (p *postings) finish(x *taint.Taint, s *search) (f found) {
	f.keys, f.again = s.keys, s.again
	for i, k := range s.valued {
		position := s.guess[i]
		if position == none {
			continue
		}
		if !s.right[i] || s.values[i] != x.Value {
			f.again++
			if position = p.equals.find(s.hashes[i], k, x.Value); position == none {
				continue
			}
		}
		f.values[i] = &p.equals.At(position).byEffect
	}
	return f
}

// tolerators returns the classes that tolerate a hard taint that was found.
func (f *found) tolerators(x *taint.Taint, effect int) tolerators {
	r := tolerators{estimate: uncounted}
	var reaches []reach
	for i, k := range f.keys {
		if k == nil {
			continue
		}
		r.sources[2*i] = filled(&k.exists[effect])
		if v := f.values[i]; v != nil {
			r.sources[2*i+1] = filled(&v[effect])
		}
		reaches = k.appendReach(reaches, x.Value, effect)
	}
	if len(reaches) > 0 {
		r.number = &number{taint.Taint{Key: x.Key, Value: x.Value, Effect: x.Effect}, reaches}
	}
	return r
}

// reaches returns the bounds that the value of a row's taint reaches.
func (r *tolerators) reaches() []reach {
	if r.number == nil {
		return nil
	}
	return r.number.reaches
}

// estimateOf returns how many candidates a row has at most, or many.
func (t *Tolerators) estimateOf(r *tolerators) int32 {
	if r.estimate != uncounted {
		return r.estimate
	}
	t.steps++
	total, limit := 0, len(t.pods.classes)/fewClasses
	for _, reach := range r.reaches() {
		total += reach.n
	}
	for _, source := range r.sources {
		if source != nil {
			total += source.LenUpTo(limit)
		}
	}
	switch r.estimate = int32(total); {
	case total > limit:
		r.estimate = many
	case total == 1:
		r.sole = t.candidatesOf(r)[0]
	}
	return r.estimate
}

// filled returns a set that is not empty, or nil.
func filled(b *bits.Blocks[PodClass]) *bits.Blocks[PodClass] {
	if b.Empty() {
		return nil
	}
	return b
}

// candidatesOf returns each class once that tolerates the taint of a row.
func (t *Tolerators) candidatesOf(r *tolerators) []PodClass {
	t.candidates = t.candidates[:0]
	if r.sole != 0 {
		return append(t.candidates, r.sole)
	}
	for _, source := range r.sources {
		if source != nil {
			t.candidates = source.Append(t.candidates)
		}
	}
	for _, reach := range r.reaches() {
		for j := range reach.n {
			t.candidates = append(t.candidates, reach.at(j))
		}
	}
	t.steps += len(t.candidates)
	slices.Sort(t.candidates)
	t.candidates = slices.Compact(t.candidates)
	return t.candidates
}

// denseOf returns the classes that tolerate the taint of a row as bits, which are valid
// until the next call. Rows with the same sources share them.
func (t *Tolerators) denseOf(r *tolerators) *bits.Set[PodClass] {
	if r.dense != nil {
		return r.dense
	}
	if shared := t.dense[r.sources]; shared != nil && r.number == nil {
		r.dense = shared
		return shared
	}
	words := t.words()
	t.steps += 2 * words
	s := &t.set
	if t.budget >= words && (r.asked || r.number == nil) { // most numbers are asked about once
		t.budget -= words
		s = new(bits.Set[PodClass])
		r.dense = s
		if r.number == nil {
			t.dense[r.sources] = s
		}
	}
	r.asked = true
	s.Clear()
	for _, source := range r.sources {
		if source != nil {
			source.AddTo(s)
		}
	}
	for _, reach := range r.reaches() {
		t.addReach(s, &reach)
	}
	return s
}
