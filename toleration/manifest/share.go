package manifest

import (
	"slices"

	"github.com/tolero-dev/tolero/toleration"
)

// maxShared is how many different lists, and how many different words, a Loader
// remembers, so that input in which all differ costs little more.
const maxShared = 1 << 14

// sharer makes equal words, and equal lists of tolerations, one in memory: thousands of
// pods of a dump have the same few. The zero sharer is ready.
type sharer struct {
	words map[string]string
	lists map[string][]toleration.Toleration
	key   []byte
}

// pod lets the pod share with earlier ones what they have in common.
func (s *sharer) pod(p *Pod) {
	for _, word := range []*string{&p.Kind, &p.Namespace, &p.NodeName, &p.Phase, &p.Owner.Kind, &p.Owner.Name} {
		*word = s.word(*word)
	}
	p.SpecTolerations = s.list(p.SpecTolerations)
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

// list returns a list without room to grow, so that appending to it copies it.
func (s *sharer) list(list []toleration.Toleration) []toleration.Toleration {
	if len(list) == 0 {
		return list
	}
	s.key = toleration.AppendList(s.key[:0], list)
	if shared, found := s.lists[string(s.key)]; found {
		return shared
	}
	list = slices.Clip(slices.Clone(list))
	for i := range list {
		t := &list[i]
		t.Key, t.Value = s.word(t.Key), s.word(t.Value)
	}
	if s.lists == nil {
		s.lists = make(map[string][]toleration.Toleration)
	}
	if len(s.lists) < maxShared {
		s.lists[string(s.key)] = list
	}
	return list
}
