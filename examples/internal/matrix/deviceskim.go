package matrix

import (
	"bytes"
	"io"
	"slices"
)

// skimmer hands JSON on, with {} in place of the items of lists that hold none of
// deviceWords, so that the reader of devices decodes no others. Items keep their places.
// An item is an object in a list that is a value, or a field of an object that is one.
//
// It holds one item at a time. It does not check the JSON: the loader of nodes and pods
// reads the same and tells what is wrong.
type skimmer struct {
	in    io.Reader
	chunk []byte
	err   error // of in
	out   []byte
	given int // how much of out was handed on

	depth  int
	opened [2]byte // what the containers at depth 0 and 1 are
	quoted bool    // within a string,
	escape bool    // after a backslash

	item    []byte // since its brace, if it is within one
	inItem  bool
	outside []byte // what is not in items, as far as it was not looked at
	all     bool   // words outside of items: items need not tell their kind
}

func newSkimmer(in io.Reader) *skimmer { return &skimmer{in: in, chunk: make([]byte, 64<<10)} }

func (s *skimmer) Read(p []byte) (int, error) {
	for s.given == len(s.out) {
		if s.err != nil {
			return 0, s.err
		}
		s.out, s.given = s.out[:0], 0
		var n int
		n, s.err = s.in.Read(s.chunk)
		s.skim(s.chunk[:n])
		if s.err != nil && s.inItem { // cut off
			s.out, s.inItem = append(s.out, s.item...), false
		}
	}
	n := copy(p, s.out[s.given:])
	s.given += n
	return n, nil
}

// skim takes over what was read.
func (s *skimmer) skim(text []byte) {
	from := 0 // of what is neither in out nor in item
	for i := 0; i < len(text); i++ {
		if s.quoted {
			i += s.string(text[i:])
			continue
		}
		switch text[i] {
		case '"':
			s.quoted = true
		case '{', '[':
			if !s.inItem && text[i] == '{' && s.inList() {
				s.keep(text[from:i])
				from, s.inItem, s.item = i, true, s.item[:0]
			}
			if s.depth < len(s.opened) {
				s.opened[s.depth] = text[i]
			}
			s.depth++
		case '}', ']':
			s.depth = max(0, s.depth-1)
			if s.inItem && s.inList() {
				s.item = append(s.item, text[from:i+1]...)
				s.endItem()
				from = i + 1
			}
			if s.depth == 0 { // the next value is another document
				s.keep(text[from : i+1])
				from, s.outside, s.all = i+1, s.outside[:0], false
			}
		}
	}
	if s.inItem {
		s.item = append(s.item, text[from:]...)
	} else {
		s.keep(text[from:])
	}
}

// string returns how many bytes of text are before the end of the string that they
// begin in, or all but one, for the loop to go on after them.
func (s *skimmer) string(text []byte) int {
	at := 0
	if s.escape {
		s.escape, at = false, 1
	}
	end := -1 // the next quote; looked for once, not after every backslash before it
	for at < len(text) {
		if end < at {
			if end = bytes.IndexByte(text[at:], '"'); end < 0 {
				end = len(text) - at
			}
			end += at
		}
		backslash := bytes.IndexByte(text[at:end], '\\')
		if backslash < 0 {
			s.quoted = end == len(text)
			return min(end, len(text)-1)
		}
		at += backslash + 2 // what is escaped is no end
	}
	s.escape = at > len(text)
	return len(text) - 1
}

// inList reports whether an object that begins or ended here is an item.
func (s *skimmer) inList() bool {
	return s.depth == 1 && s.opened[0] == '[' || s.depth == 2 && s.opened == [2]byte{'{', '['}
}

// endItem hands an item on, or leaves it out.
func (s *skimmer) endItem() {
	s.inItem = false
	if len(s.outside) > longestWord { // more than a comma
		s.all = s.all || mayHoldDeviceWord(s.outside)
	}
	s.outside = s.outside[:0]
	if s.all || holdsDeviceWord(s.item) {
		s.out = append(s.out, s.item...)
	} else {
		s.out = append(s.out, "{}"...)
	}
}

// keep hands on what is outside of items.
func (s *skimmer) keep(text []byte) {
	s.out = append(s.out, text...)
	if s.outside = append(s.outside, text...); len(s.outside) > len(s.chunk) {
		s.all = s.all || mayHoldDeviceWord(s.outside)
		s.outside = append(s.outside[:0], s.outside[len(s.outside)-longestWord:]...)
	}
}

// longestWord is the length that a word of deviceWords has at most.
const longestWord = 32

func holdsDeviceWord(text []byte) bool {
	return slices.ContainsFunc(deviceWords, func(word []byte) bool { return bytes.Contains(text, word) })
}

// mayHoldDeviceWord is holdsDeviceWord for text whose words count as they are decoded:
// letters may be escaped.
func mayHoldDeviceWord(text []byte) bool {
	return bytes.Contains(text, []byte(`\u`)) || holdsDeviceWord(text)
}
