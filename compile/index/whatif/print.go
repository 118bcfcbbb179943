package whatif

import (
	"strings"

	"github.com/tolero-dev/tolero/toleration"
)

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
	words := []string{"kubectl", s.Action.String()}
	switch s.Action {
	case ChangeTaints:
		words = append(append(words, "nodes"), s.Nodes.Names...)
		for _, t := range s.Taints.Add {
			words = append(words, t.String())
		}
		for _, r := range s.Taints.Remove {
			words = append(words, r.String())
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
