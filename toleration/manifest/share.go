package manifest

import "slices"

// maxShared is how many different words a Loader remembers, so that input in which all
// differ costs little more.
const maxShared = 1 << 14

// sharer makes equal words one in memory: thousands of pods of a dump have the same few.
// Lists are not shared, because who changes one pod means one pod. The zero sharer is ready.
type sharer struct {
	words map[string]string

	// With [Loader.State] only.
	resources map[string]ResourceList
	labels    map[string]map[string]string
}

// pod lets the pod share with earlier ones the words that they have in common.
func (s *sharer) pod(p *Pod) {
	share(s, &p.Kind, &p.Namespace, &p.NodeName, &p.Phase, &p.Owner.Kind, &p.Owner.Name)
	p.SpecTolerations = slices.Clip(slices.Clone(p.SpecTolerations)) // without the room that reading left
	for i := range p.SpecTolerations {
		t := &p.SpecTolerations[i]
		share(s, &t.Key, &t.Value)
		share(s, &t.Operator)
		share(s, &t.Effect)
	}
}

// share replaces words by equal ones that the sharer remembers.
func share[S ~string](s *sharer, words ...*S) {
	for _, word := range words {
		*word = S(s.word(string(*word)))
	}
}

func (s *sharer) word(word string) string {
	if shared, found := s.words[word]; found {
		return shared
	}
	if s.words == nil {
		s.words = make(map[string]string)
	}
	if len(s.words) < maxShared {
		s.words[word] = word
	}
	return word
}

func (s *sharer) condition(c *Condition) {
	share(s, &c.Type, &c.Status, &c.Reason, &c.Message)
}
