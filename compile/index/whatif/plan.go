package whatif

import (
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Plan is what somebody means to do to a cluster: steps that are taken one after the
// other.
//
// All steps select nodes by the taints that they have before the plan: no step changes
// what a later one selects. Where several steps select a node, each finds it as the
// steps before have left it. So a plan may be carried out node by node, and be cut:
// see [Result.Stages].
//
// The zero Plan does nothing. A Plan is plain data; a copy shares the steps. A [Result]
// retains the steps and all that they refer to, which must not be written to meanwhile.
type Plan struct {
	Steps []Step
}

// Step is one command. It is plain data; a copy shares slices. The zero Step is not
// valid, because it selects no nodes.
type Step struct {
	Verb Verb
	// Nodes are those that the command is for. For SetTolerations, the zero Nodes is all
	// nodes that the owner's pods run on, and its waiting pods.
	Nodes Nodes

	// Taints are what ChangeTaints adds and removes; see [taint.ParseChange].
	Taints taint.Change
	// Overwrite lets Taints.Add replace taints of the same key and effect: without it,
	// these are an error (rule K3).
	Overwrite bool

	// Owner is whose pods SetTolerations is about: see [Pod].
	Owner string
	// Tolerations is the whole list that these pods get in place of their own. It must
	// include what admission and controllers would add: see package admit.
	Tolerations []toleration.Toleration
}

// forPods reports whether the step is for pods, and not for the taints of nodes.
func (s *Step) forPods() bool { return s.Verb == SetTolerations }

// Verb is what a Step does. The zero Verb is ChangeTaints.
type Verb uint8

// The verbs.
const (
	// ChangeTaints does what kubectl taint does (rules K1 to K4).
	ChangeTaints Verb = iota
	// Cordon does what kubectl cordon does: the node gets the taint
	// node.kubernetes.io/unschedulable:NoSchedule, unless it has it (rule F7).
	Cordon
	// Uncordon does what kubectl uncordon does: the node loses that taint, if it has it.
	Uncordon
	// SetTolerations gives the pods of an owner other tolerations, as a rollout of a
	// changed template does. The pods stay where they are if their new list lets them.
	SetTolerations
)

var verbNames = [...]string{"taint", "cordon", "uncordon", "tolerations"}

// String returns "taint", "cordon", "uncordon" or "tolerations", and for any other value
// its number, such as "Verb(9)".
func (v Verb) String() string {
	if int(v) < len(verbNames) {
		return verbNames[v]
	}
	return fmt.Sprintf("Verb(%d)", uint8(v))
}

// Nodes selects the nodes of a snapshot that pass every test that is given: Names, Tainted
// and Where. At least one of them must be given, or All: a forgotten selection does not
// mean all nodes. A list that is empty but not nil is given, and no node passes it.
//
// The zero Nodes selects nothing. It is plain data; a copy shares slices.
type Nodes struct {
	// All selects all nodes if no test is given, and otherwise changes nothing.
	All bool
	// Names selects the nodes with these names. One that the snapshot does not have is an
	// error; one that is repeated counts once.
	Names []string
	// Tainted selects the nodes with a taint that one of these would tolerate:
	// {Key: "dedicated", Operator: toleration.OpExists} selects all nodes with a taint of
	// that key. They are read as those of a pod (rules M1 to M4, N1 to N3), Gt and Lt
	// included whatever the cluster, and need not be valid.
	Tainted []toleration.Toleration
	// Where selects the nodes for which it returns true. Evaluate calls it for each node
	// that passes the other tests, one after the other in no particular order, and no call
	// follows later. It must not keep the taints or write to them; they are those of the
	// snapshot, without times.
	Where func(name string, taints []taint.Taint) bool
}

// empty reports whether no test is given.
func (n *Nodes) empty() bool {
	return !n.All && n.Names == nil && n.Tainted == nil && n.Where == nil
}

// String returns the commands of the plan, each as [Step.String] prints it and ended by a
// newline. It is empty for the zero Plan.
func (p Plan) String() string {
	var b strings.Builder
	for _, s := range p.Steps {
		b.WriteString(s.String())
		b.WriteByte('\n')
	}
	return b.String()
}

// String returns the step as a command that [Parse] reads back, such as
//
//	kubectl taint nodes node-1 node-2 maintenance:NoExecute --overwrite
//
// What Parse returned reads back as it was. Other steps read back with the same meaning if
// they are valid, except these: a function is printed as --where; an empty list that
// selects nothing is not read back, nor is an owner with a word that begins with "#", or with
// "-" and is longer. Spaces in an owner become single ones.
func (s Step) String() string {
	words := []string{"kubectl", s.Verb.String()}
	switch s.Verb {
	case ChangeTaints:
		words = append(append(words, "nodes"), s.Nodes.Names...)
		for _, t := range s.Taints.Add {
			words = append(words, t.String())
		}
		for _, r := range s.Taints.Remove {
			words = append(words, taint.Taint{Key: r.Key, Effect: r.Effect}.String()+"-")
		}
	case SetTolerations:
		words = append(words[1:], "-", s.Owner)
		if len(s.Tolerations) > 0 {
			words[1] = toleration.FormatList(s.Tolerations)
		}
		if s.Nodes.Names != nil {
			words = append(words, "--nodes="+strings.Join(s.Nodes.Names, ","))
		}
	default:
		words = append(words, s.Nodes.Names...)
	}
	if s.Nodes.All && s.Nodes.Names == nil { // names decide otherwise
		words = append(words, "--all")
	}
	if s.Nodes.Tainted != nil {
		words = append(words, "--tainted="+toleration.FormatList(s.Nodes.Tainted))
	}
	if s.Nodes.Where != nil {
		words = append(words, "--where")
	}
	if s.Overwrite {
		words = append(words, "--overwrite")
	}
	return strings.Join(words, " ")
}
