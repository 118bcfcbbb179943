package whatif

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Parse reads a plan, a command a line, in the words of kubectl:
//
//	[ "kubectl" ] "taint" "nodes" node { node } spec { spec } [ "--overwrite" ]
//	[ "kubectl" ] "cordon" node { node }
//	[ "kubectl" ] "uncordon" node { node }
//	"tolerations" list owner
//
// Nodes are names, as "n" or "node/n". --all selects all nodes. --tainted, followed by tolerations as
// [toleration.ParseList] reads them, selects the nodes with a taint that one of them
// tolerates, among those named or else among all. A spec is what [taint.ParseChange] reads:
// it has a "=" or a ":", or ends in "-"; nodes come first. The last line gives the pods of
// an owner, whose name may have spaces, the list of tolerations, or none for "-". With
// --nodes, followed by names with commas between them, it is for the pods on these nodes
// only. Flags may come anywhere, with "=" or a space before their value; --all and --overwrite
// may have "=true" or "=false". No other word may begin with a "-", except this word itself:
// kubectl's --selector is refused, because there are no labels. Empty lines, and what follows
// a "#" at the beginning of a word, are ignored.
//
//	kubectl cordon node-1 node-2
//	kubectl taint nodes --tainted dedicated=gpu maintenance=true:NoExecute dedicated-
//	tolerations dedicated=gpu,maintenance:NoExecute DaemonSet kube-system/agent
//
// The error joins those of all lines. Each names the line, the word and the cause; the
// plan is then empty. [Evaluate] says which nodes and owners do not exist.
func Parse(text string) (Plan, error) {
	var p Plan
	var errs []error
	number := 0
	for line := range strings.Lines(text) {
		number++
		words := strings.Fields(line)
		if i := slices.IndexFunc(words, func(word string) bool { return word[0] == '#' }); i >= 0 {
			words = words[:i]
		}
		if len(words) == 0 {
			continue
		}
		s, err := parseStep(words)
		if err != nil {
			errs = append(errs, fmt.Errorf("line %d: %w", number, err))
		}
		p.Steps = append(p.Steps, s)
	}
	if len(errs) > 0 {
		return Plan{}, errors.Join(errs...)
	}
	return p, nil
}

// parseStep reads a step from the words of a command.
func parseStep(words []string) (s Step, err error) {
	if len(words) > 0 && words[0] == "kubectl" {
		words = words[1:]
	}
	if len(words) == 0 {
		return Step{}, errors.New("no command: want taint, cordon, uncordon or tolerations")
	}
	command, words := words[0], words[1:]
	verb := slices.Index(verbNames[:], command)
	if verb < 0 {
		if command == "drain" {
			return Step{}, errors.New("drain is not simulated: cordon is what it does to taints, and then it evicts pods as budgets allow")
		}
		return Step{}, fmt.Errorf("%q: not a command: want taint, cordon, uncordon or tolerations", command)
	}
	s.Verb = Verb(verb)
	words, err = s.parseFlags(words)
	switch {
	case err != nil:
	case s.Verb == ChangeTaints:
		err = s.parseTaint(words)
	case s.forPods():
		err = s.parseTolerations(words)
	default:
		err = s.parseNames(words)
	}
	if err != nil {
		return Step{}, fmt.Errorf("%s: %w", command, err)
	}
	return s, nil
}

// parseFlags takes the flags out of the words.
func (s *Step) parseFlags(words []string) (rest []string, err error) {
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		flag, value, valued := strings.Cut(word, "=")
		if !strings.HasPrefix(flag, "-") || word == "-" {
			rest = append(rest, word)
			continue
		}
		switch {
		case valued:
		case flag != "--tainted" && flag != "--nodes":
			value = "true"
		case len(words) == 0:
			return nil, fmt.Errorf("%q: this flag needs a value", flag)
		default:
			value, words = words[0], words[1:]
		}
		if err := s.parseFlag(flag, value); err != nil {
			return nil, err
		}
	}
	return rest, nil
}

func (s *Step) parseFlag(flag, value string) (err error) {
	switch flag {
	case "--all":
		return parseBool(&s.Nodes.All, flag, value)
	case "--tainted":
		if s.Nodes.Tainted, err = toleration.ParseList(value); err == nil && len(s.Nodes.Tainted) == 0 {
			err = errors.New("no tolerations")
		}
		if err != nil {
			return fmt.Errorf("--tainted %q: %w", value, err)
		}
		return nil
	case "--overwrite":
		if s.Verb == ChangeTaints {
			return parseBool(&s.Overwrite, flag, value)
		}
	case "--nodes":
		if s.forPods() {
			s.Nodes.Names = nodeNames(strings.Split(value, ","))
			return nil
		}
	case "-l", "--selector":
		return fmt.Errorf("%q: there are no labels to select nodes by: want names, --tainted or --all", flag)
	}
	return fmt.Errorf("%q: not a flag of this command, which has %s", flag, flagsOf[s.Verb])
}

// flagsOf are the flags of each command, for errors.
var flagsOf = [...]string{"--all, --tainted and --overwrite", "--all and --tainted", "--all and --tainted", "--all, --tainted and --nodes"}

// parseBool reads the value of a flag as kubectl does.
func parseBool(dst *bool, flag, value string) (err error) {
	if *dst, err = strconv.ParseBool(value); err != nil {
		return fmt.Errorf("%q: want true or false, if anything", flag+"="+value)
	}
	return nil
}

// parseTaint reads the words after taint: the kind, names, specs.
func (s *Step) parseTaint(words []string) (err error) {
	if len(words) == 0 || !slices.Contains([]string{"nodes", "node"}, words[0]) {
		return errors.New(`want "nodes", then names and taints`)
	}
	words = words[1:]
	specs := slices.IndexFunc(words, isSpec)
	if specs < 0 {
		return errors.New("no taint to add or to remove: want KEY=VALUE:EFFECT, KEY:EFFECT, KEY:EFFECT- or KEY-")
	}
	for _, word := range words[specs:] {
		if !isSpec(word) {
			return fmt.Errorf("%q: nodes come before taints", word)
		}
	}
	if err := s.parseNames(words[:specs]); err != nil {
		return err
	}
	s.Taints, err = taint.ParseChange(words[specs:]...)
	return err
}

// isSpec reports whether a word is a taint to add or to remove, and not the name of a node.
func isSpec(word string) bool { return strings.ContainsAny(word, "=:") || strings.HasSuffix(word, "-") }

// parseNames reads the names of nodes.
func (s *Step) parseNames(words []string) error {
	if len(words) > 0 {
		s.Nodes.Names = nodeNames(words)
	}
	switch {
	case s.Nodes.empty():
		return errors.New("no nodes: want names, --tainted or --all")
	case s.Nodes.All && len(words) > 0:
		return fmt.Errorf("%q: a node beside --all", words[0])
	}
	return nil
}

// nodeNames takes the kind out of names such as "node/n", in place. What is left is a name that
// means the same without it.
func nodeNames(names []string) []string {
	for i, word := range names {
		kind, name, _ := strings.Cut(word, "/")
		if (kind == "node" || kind == "nodes") && name != "" && !strings.HasPrefix(name, "-") && !strings.ContainsAny(name, "/#") {
			names[i] = name
		}
	}
	return names
}

// parseTolerations reads a list and an owner.
func (s *Step) parseTolerations(words []string) (err error) {
	if len(words) < 2 {
		return errors.New(`want a list of tolerations, or "-", and an owner`)
	}
	if s.Owner = strings.Join(words[1:], " "); words[0] == "-" {
		return nil
	}
	s.Tolerations, err = toleration.ParseList(words[0])
	return err
}
