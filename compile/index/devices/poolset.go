package devices

// poolIndex is pools by a name that they have.
type poolIndex map[string]poolSet

// poolSet is a set of pools. Most have one member, as the name of a pool and often that
// of a device belong to one pool only, and need no map. The zero poolSet is empty.
type poolSet struct {
	one  *pool // nil if there are none, or several
	more map[*pool]struct{}
}

func (s poolSet) len() int {
	if s.one != nil {
		return 1
	}
	return len(s.more)
}

func (s poolSet) each(visit func(*pool)) {
	if s.one != nil {
		visit(s.one)
	}
	for p := range s.more {
		visit(p)
	}
}

// insert adds a pool to those with the name, if it is not among them.
func (by *poolIndex) insert(name string, p *pool) {
	if *by == nil {
		*by = make(poolIndex)
	}
	s := (*by)[name]
	switch {
	case s.len() == 0:
		s.one = p
	case s.one == p:
	case s.one != nil:
		s = poolSet{more: map[*pool]struct{}{s.one: {}, p: {}}}
	default:
		s.more[p] = struct{}{}
		return
	}
	(*by)[name] = s
}

// erase takes a pool out of those with the name.
func (by poolIndex) erase(name string, p *pool) {
	s := by[name]
	if delete(s.more, p); s.one == p || len(s.more) == 0 {
		delete(by, name)
	}
}
