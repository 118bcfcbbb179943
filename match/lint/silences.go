package lint

import (
	"fmt"
	"slices"
	"strings"
)

// silences knows which findings are silenced, and by which silences. Objects that the
// same silences name have the same scope.
type silences struct {
	list []Silence
	used []bool

	everywhere scope            // silences of all objects
	exact      map[string][]int // the others by their object
	prefixes   map[string][]int // and by what their object begins with
	lengths    []int            // of the prefixes, ascending, each once
	scopes     []scope          // by number; number 0 is for objects that no silence names
	numbers    map[string]int   // of scopes, by their silences
}

// scope is silences by what they silence in an object. An empty ID or key is any.
type scope map[target][]int

type target struct {
	id  ID
	key string
}

// newSilences leaves out silences that equal an earlier one, and so are not used.
func newSilences(list []Silence) *silences {
	l := &silences{
		list: list, used: make([]bool, len(list)), everywhere: make(scope),
		exact: make(map[string][]int), prefixes: make(map[string][]int), scopes: []scope{nil}, numbers: make(map[string]int),
	}
	seen := make(map[Silence]bool)
	for i, s := range list {
		prefix, isPrefix := strings.CutSuffix(s.Object, "*")
		if prefix == "" {
			s.Object = ""
		}
		what := Silence{ID: s.ID, Object: s.Object, Key: s.Key}
		if seen[what] {
			continue
		}
		seen[what] = true
		switch {
		case s.Object == "":
			l.everywhere.add(&s, i)
		case isPrefix:
			l.prefixes[prefix] = append(l.prefixes[prefix], i)
			l.lengths = append(l.lengths, len(prefix))
		default:
			l.exact[s.Object] = append(l.exact[s.Object], i)
		}
	}
	slices.Sort(l.lengths)
	l.lengths = slices.Compact(l.lengths)
	return l
}

func (s scope) add(silence *Silence, i int) {
	at := target{silence.ID, silence.Key}
	s[at] = append(s[at], i)
}

// scope returns the number of the scope of the object. It takes a step for each length
// of a prefix, up to that of the name.
func (l *silences) scope(object string) int {
	matching := l.exact[object]
	for _, n := range l.lengths {
		if n > len(object) {
			break
		}
		if more := l.prefixes[object[:n]]; more != nil {
			matching = append(slices.Clip(matching), more...)
		}
	}
	if matching == nil {
		return 0
	}
	key := fmt.Sprint(matching)
	number, found := l.numbers[key]
	if !found {
		number = len(l.scopes)
		l.numbers[key] = number
		s := make(scope)
		for _, i := range matching {
			s.add(&l.list[i], i)
		}
		l.scopes = append(l.scopes, s)
	}
	return number
}

// cover reports whether a finding with the ID and the key about objects of the scope
// is silenced. All silences that do so are used then, whichever comes first.
func (l *silences) cover(number int, id ID, key string) bool {
	found := false
	for _, s := range [...]scope{l.everywhere, l.scopes[number]} {
		for _, at := range [...]target{{id, key}, {"", key}, {id, ""}, {"", ""}} {
			for _, i := range s[at] {
				l.used[i], found = true, true
			}
		}
	}
	return found
}

// coverAll reports whether findings with the ID about objects of the scope are silenced
// whatever their key. It uses no silence.
func (l *silences) coverAll(number int, id ID) bool {
	for _, s := range [...]scope{l.everywhere, l.scopes[number]} {
		if len(s[target{id, ""}])+len(s[target{"", ""}]) > 0 {
			return true
		}
	}
	return false
}

// unused returns the silences that have not been used.
func (l *silences) unused() []Silence {
	var unused []Silence
	for i, used := range l.used {
		if !used {
			unused = append(unused, l.list[i])
		}
	}
	return unused
}
