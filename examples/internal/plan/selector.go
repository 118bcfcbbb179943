package plan

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

var (
	selectorFlag = regexp.MustCompile(`\s(?:-l|--selector)[\s=]\s*(\S+)`)
	beforeNames  = regexp.MustCompile(`\b(?:nodes?|cordon|uncordon)(?:\s|$)`)
	requirement  = regexp.MustCompile(`^(!?)([^!=()\s]+)(?:(!=|==?)(.*))?$`)
)

// withSelectors returns a plan in which the names of nodes are in the place of kubectl's label
// selectors, -l and --selector.
func withSelectors(text string, nodes []manifest.Node) (string, error) {
	lines := strings.Split(text, "\n")
	for i := range lines {
		for m := selectorFlag.FindStringSubmatch(lines[i]); m != nil; m = selectorFlag.FindStringSubmatch(lines[i]) {
			names, err := selected(m[1], nodes)
			if err != nil {
				return "", fmt.Errorf("line %d: %w", i+1, err)
			}
			line := strings.Replace(lines[i], m[0], "", 1)
			place := beforeNames.FindStringIndex(line + " ")
			if place == nil {
				break // this is no command for nodes
			}
			lines[i] = line[:place[1]-1] + " " + strings.Join(names, " ") + line[place[1]-1:]
		}
	}
	return strings.Join(lines, "\n"), nil
}

// selected returns the names of the nodes that a label selector matches, of which there must be
// some: requirements with commas between them, each KEY=VALUE, KEY==VALUE, KEY!=VALUE, KEY or
// !KEY.
func selected(selector string, nodes []manifest.Node) (names []string, err error) {
	var term affinity.Term
	for text := range strings.SplitSeq(strings.Trim(selector, `"'`), ",") {
		m := requirement.FindStringSubmatch(text)
		if m == nil || m[1] != "" && m[3] != "" {
			return nil, fmt.Errorf("selector %q: %q is none of KEY=VALUE, KEY!=VALUE, KEY and !KEY", selector, text)
		}
		r := affinity.Requirement{Key: m[2], Operator: "Exists"}
		switch {
		case m[3] == "!=":
			r.Operator, r.Values = "NotIn", []string{m[4]}
		case m[3] != "":
			r.Operator, r.Values = "In", []string{m[4]}
		case m[1] != "":
			r.Operator = "DoesNotExist"
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
