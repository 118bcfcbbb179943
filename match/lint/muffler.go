package lint

import (
	"fmt"
	"slices"
	"strings"
)

// muffler knows which findings are silenced, and by which silences. Objects that the
// same silences name have the same scope.
type muffler struct {
	silenceList []Silence
	used        []bool

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

// newMuffler leaves out silences that equal an earlier one, and so are not used.
func newMuffler(list []Silence) *muffler {
	m := &muffler{
		silenceList: list, used: make([]bool, len(list)), everywhere: make(scope),
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
			m.everywhere.add(&s, i)
		case isPrefix:
			m.prefixes[prefix] = append(m.prefixes[prefix], i)
			m.lengths = append(m.lengths, len(prefix))
		default:
			m.exact[s.Object] = append(m.exact[s.Object], i)
		}
	}
	slices.Sort(m.lengths)
	m.lengths = slices.Compact(m.lengths)
	return m
}

func (s scope) add(silence *Silence, i int) {
	at := target{silence.ID, silence.Key}
	s[at] = append(s[at], i)
}

// scope returns the number of the scope of the object. It takes a step for each length
// of a prefix, up to that of the name.
func (m *muffler) scope(object string) int {
	matching := m.exact[object]
	for _, n := range m.lengths {
		if n > len(object) {
			break
		}
		if more := m.prefixes[object[:n]]; more != nil {
			matching = append(slices.Clip(matching), more...)
		}
	}
	if matching == nil {
		return 0
	}
	key := fmt.Sprint(matching)
	number, found := m.numbers[key]
	if !found {
		number = len(m.scopes)
		m.numbers[key] = number
		s := make(scope)
		for _, i := range matching {
			s.add(&m.silenceList[i], i)
		}
		m.scopes = append(m.scopes, s)
	}
	return number
}

// silences reports whether a finding with the ID and the key about objects of the scope
// is silenced. All silences that do so are used then, whichever comes first.
func (m *muffler) silences(number int, id ID, key string) bool {
	found := false
	for _, s := range [...]scope{m.everywhere, m.scopes[number]} {
		for _, at := range [...]target{{id, key}, {"", key}, {id, ""}, {"", ""}} {
			for _, i := range s[at] {
				m.used[i], found = true, true
			}
		}
	}
	return found
}

// silencesAll reports whether findings with the ID about objects of the scope are silenced
// whatever their key. It uses no silence.
func (m *muffler) silencesAll(number int, id ID) bool {
	for _, s := range [...]scope{m.everywhere, m.scopes[number]} {
		if len(s[target{id, ""}])+len(s[target{"", ""}]) > 0 {
			return true
		}
	}
	return false
}

// unused returns the silences that have not been used.
func (m *muffler) unused() []Silence {
	var list []Silence
	for i, used := range m.used {
		if !used {
			list = append(list, m.silenceList[i])
		}
	}
	return list
}
