package evict

import "github.com/tolero-dev/tolero/toleration"

// list is a toleration list that groups of pods share. It is never changed.
type list struct {
	tolerations []toleration.Toleration
	text        string // of the whole list: the key in lists
	groups      int    // how many have it; changed as they come and go
}

// lists is the toleration lists of all pods, each once. The zero lists is empty.
//
// Lists that differ only in tolerations that do not count are different lists:
// Kubernetes takes such a change of a pod for a change, and looks at it again.
type lists struct {
	byText map[string]*list
	buffer []byte // for the key that is looked up
}

// get returns the list of these tolerations. A new one is added, with a copy.
func (s *lists) get(tolerations []toleration.Toleration) *list {
	s.buffer = toleration.AppendList(s.buffer[:0], tolerations) // no two lists have the same text
	if l, found := s.byText[string(s.buffer)]; found {
		return l
	}
	l := &list{tolerations: toleration.Clone(tolerations), text: string(s.buffer)}
	if s.byText == nil {
		s.byText = make(map[string]*list)
	}
	s.byText[l.text] = l
	return l
}

// release gives back a list that a group had.
func (s *lists) release(l *list) {
	if l.groups--; l.groups == 0 {
		delete(s.byText, l.text)
	}
}
