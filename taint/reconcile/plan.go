package reconcile

import (
	"fmt"
	"strings"
)

// Op says what an [Operation] does.
type Op string

// The operations.
const (
	Add    Op = "add"    // add New
	Update Op = "update" // replace Old, by New with the same identity
	Remove Op = "remove" // remove Old
)

// Operation is one change of a list of taints or tolerations.
type Operation[T fmt.Stringer] struct {
	Op    Op  `json:"action"`
	Index int `json:"index"`         // in the live list, -1 for Add
	Old   *T  `json:"old,omitempty"` // nil for Add
	New   *T  `json:"new,omitempty"` // nil for Remove
}

// String returns one line such as "add a=1:NoSchedule" or "update a=1:NoSchedule to
// a=2:NoSchedule".
func (c Operation[T]) String() string {
	switch {
	case c.Old == nil && c.New == nil:
		return string(c.Op)
	case c.Old == nil:
		return string(c.Op) + " " + (*c.New).String()
	case c.New == nil:
		return string(c.Op) + " " + (*c.Old).String()
	}
	return string(c.Op) + " " + (*c.Old).String() + " to " + (*c.New).String()
}

// Kind says what is in the way of an owner.
type Kind string

// The kinds of [Conflict].
const (
	// Taken: another owner has it, with another value than is wanted.
	Taken Kind = "taken"
	// Changed: the owner applied it, and somebody gave it another value since. It is
	// no longer the owner's.
	Changed Kind = "changed"
	// Shared: it is as wanted, but another owner's, and stays when it is no longer
	// wanted.
	Shared Kind = "shared"
	// Forbidden: the API server does not allow the change of such an object.
	Forbidden Kind = "forbidden"
	// Refused: the cluster refuses a new Gt or Lt.
	Refused Kind = "refused"
)

// Conflict is something that the owner does not get, or has to share.
type Conflict[T fmt.Stringer] struct {
	Kind    Kind `json:"kind"`
	Live    *T   `json:"live,omitempty"`    // what is there; nil for nothing
	Last    *T   `json:"last,omitempty"`    // what the owner applied last; nil for nothing
	Desired *T   `json:"desired,omitempty"` // what the owner wants; nil for nothing
}

// String returns one line such as "a=2:NoSchedule belongs to another owner; wanted
// a=1:NoSchedule". Do not parse the text.
func (c Conflict[T]) String() string {
	live, wanted := orNothing(c.Live), "; wanted "+orNothing(c.Desired)
	switch c.Kind {
	case Taken:
		return live + " belongs to another owner" + wanted
	case Changed:
		return live + " was " + orNothing(c.Last) + " when it was applied" + wanted
	case Shared:
		return live + " is as wanted and belongs to another owner"
	case Forbidden:
		return c.forbidden()
	case Refused:
		return orNothing(c.Desired) + " cannot be added; the cluster refuses a new Gt or Lt, " +
			"because its feature gate TaintTolerationComparisonOperators is off"
	}
	return string(c.Kind)
}

func (c *Conflict[T]) forbidden() string {
	switch {
	case c.Live == nil:
		return orNothing(c.Desired) + " cannot be added here"
	case c.Desired == nil:
		return orNothing(c.Live) + " cannot be removed here"
	}
	return orNothing(c.Live) + " cannot be changed here to " + orNothing(c.Desired)
}

func orNothing[T fmt.Stringer](item *T) string {
	if item == nil {
		return "nothing"
	}
	return (*item).String()
}

// Plan is what an owner has to change, of the taints of a node or of the
// tolerations of a pod. The zero Plan changes nothing.
type Plan[T fmt.Stringer] struct {
	// Changes are what to do: additions and updates in the order of what is wanted,
	// and then removals in the order of what was applied last.
	Changes []Operation[T] `json:"changes,omitempty"`
	// Conflicts are what is in the way, in the same order.
	Conflicts []Conflict[T] `json:"conflicts,omitempty"`
	// Applied is what the owner owns once the changes are made. It is to be given as
	// what was applied last, next time.
	Applied []T `json:"applied,omitempty"`
}

// Apply appends to dst what the live list, for which the plan was made, becomes with
// the changes, and returns the extended slice. Live items keep their order, updated
// ones their place, and additions come last. dst must not overlap live. A change of an
// item that live does not have is left out.
func (p Plan[T]) Apply(dst, live []T) []T {
	changed := make(map[int]*Operation[T])
	for i := range p.Changes {
		if c := &p.Changes[i]; c.Op != Add {
			changed[c.Index] = c
		}
	}
	for i := range live {
		switch c := changed[i]; {
		case c == nil:
			dst = append(dst, live[i])
		case c.New != nil:
			dst = append(dst, *c.New)
		}
	}
	for i := range p.Changes {
		if c := &p.Changes[i]; c.Op == Add && c.New != nil {
			dst = append(dst, *c.New)
		}
	}
	return dst
}

// String returns a line for each change and each conflict, without a newline after
// the last, or "nothing to do".
func (p Plan[T]) String() string {
	var lines []string
	for _, c := range p.Changes {
		lines = append(lines, c.String())
	}
	for _, c := range p.Conflicts {
		lines = append(lines, string(c.Kind)+": "+c.String())
	}
	if lines == nil {
		return "nothing to do"
	}
	return strings.Join(lines, "\n")
}
