package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// withSelectors returns a plan in which the names of nodes are in the place of kubectl's label
// selectors, -l and --selector.
func withSelectors(text string, nodes []manifest.Node) (string, error) {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		words := strings.Fields(line)
		for at := 0; at < len(words); at++ {
			selector, found := selectorIn(words, at)
			if !found {
				continue
			}
			names, err := selected(selector, nodes)
			if err != nil {
				return "", fmt.Errorf("line %d: %w", i+1, err)
			}
			next := at + 1
			if words[at] == "-l" || words[at] == "--selector" {
				next++ // the selector is a word of its own
			}
			words = slices.Delete(words, at, next)
			place := 1 + slices.IndexFunc(words, func(w string) bool { return slices.Contains([]string{"node", "nodes", "cordon", "uncordon"}, w) })
			words = slices.Insert(words, place, names...)
			lines[i] = strings.Join(words, " ")
		}
	}
	return strings.Join(lines, "\n"), nil
}

// selectorIn returns the selector of the flag at a place in the words of a command.
func selectorIn(words []string, at int) (selector string, found bool) {
	for _, flag := range [...]string{"-l", "--selector"} {
		if words[at] == flag && at+1 < len(words) {
			return words[at+1], true
		}
		if rest, ok := strings.CutPrefix(words[at], flag+"="); ok {
			return rest, true
		}
	}
	return "", false
}

// selected returns the names of the nodes that a label selector matches, of which there must be
// some: requirements with commas between them, each KEY=VALUE, KEY==VALUE, KEY!=VALUE, KEY or
// !KEY.
func selected(selector string, nodes []manifest.Node) (names []string, err error) {
	var term affinity.Term
	for _, text := range strings.Split(strings.Trim(selector, `"'`), ",") {
		var r affinity.Requirement
		key, value, equal := strings.Cut(text, "=")
		switch {
		case equal && strings.HasSuffix(key, "!"):
			r = affinity.Requirement{Key: strings.TrimSuffix(key, "!"), Operator: "NotIn", Values: []string{value}}
		case equal:
			r = affinity.Requirement{Key: key, Operator: "In", Values: []string{strings.TrimPrefix(value, "=")}}
		case strings.HasPrefix(key, "!"):
			r = affinity.Requirement{Key: key[1:], Operator: "DoesNotExist"}
		default:
			r = affinity.Requirement{Key: key, Operator: "Exists"}
		}
		if r.Key == "" || strings.ContainsAny(r.Key, "() ") {
			return nil, fmt.Errorf("selector %q: %q is none of KEY=VALUE, KEY!=VALUE, KEY and !KEY", selector, text)
		}
		term.Expressions = append(term.Expressions, r)
	}
	required := affinity.Required{Terms: []affinity.Term{term}}
	for i := range nodes {
		if n := &nodes[i]; required.Matches(n.Name, n.Labels) {
			names = append(names, n.Name)
		}
	}
	if names == nil {
		return nil, fmt.Errorf("selector %q: no node has such labels", selector)
	}
	return names, nil
}
