package without

import (
	"bytes"
	"slices"

	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/canonical"
	"github.com/tolero-dev/tolero/toleration"
)

// Mistake is a rule that a program lacks or, if there is a text, reads as the text says.
type Mistake struct{ Rule, Text string }

// String returns a text such as "E2: zero seconds are for ever" or "without M3".
func (m Mistake) String() string {
	if m.Text == "" {
		return "without " + m.Rule
	}
	return m.Rule + ": " + m.Text
}

// The texts of mistakes that programs make which know of the rule.
const (
	keyAnyCase      = "keys are the same in upper and lower case"
	keyPrefix       = "a key matches those that begin with it"
	effectOnly      = "an empty key matches whatever the effect"
	keyOnly         = "an empty effect matches whatever the key"
	unknownIsEqual  = "an unknown operator is Equal"
	unknownIsExists = "an unknown operator is Exists"
	noneIsExists    = "no operator is Exists"
	operatorAnyCase = "operators are the same in upper and lower case"
	emptyIsAny      = "Equal with an empty value matches every value"
	existsCompares  = "Exists compares values if it has one"
	emptyNoExecute  = "an empty effect does not match NoExecute"
	orEqual         = "Gt and Lt hold for equal values"
	exchanged       = "Gt and Lt are exchanged"
	asText          = "Gt and Lt compare texts"
	asFloat         = "Gt and Lt compare floating-point numbers"
	onlyFirst       = "only the first taint is looked at"
	alsoHard        = "NoSchedule counts for scores"
	roundedDown     = "scores are rounded down"
	zeroForEver     = "zero seconds are for ever"
	negativeForEver = "negative seconds are for ever"
	leastOfList     = "the least seconds of all tolerations that match count"
	lastOfList      = "the last toleration that matches counts"
	mostOfTaints    = "the most seconds of all taints count"
)

// misread is the mistakes that have a text.
var misread = []Mistake{
	{"M1", keyAnyCase}, {"M1", keyPrefix},
	{"M2", unknownIsEqual}, {"M2", unknownIsExists}, {"M2", noneIsExists}, {"M2", operatorAnyCase}, {"M2", emptyIsAny}, {"M2", existsCompares},
	{"M3", effectOnly}, {"M3", keyOnly}, {"M3", emptyNoExecute},
	{"N1", orEqual}, {"N1", exchanged}, {"N1", asText}, {"N2", asFloat},
	{"F1", onlyFirst}, {"F4", alsoHard}, {"F4", roundedDown},
	{"E2", zeroForEver}, {"E2", negativeForEver}, {"E2", leastOfList}, {"E2", lastOfList}, {"E2", mostOfTaints},
}

// Mistakes returns every mistake that [Mistake.Answer] knows: each rule that can be taken
// away, in the order of their names, and each that can be misread.
func Mistakes() []Mistake { return slices.Concat(removed, misread) }

// Answer answers a question with the mistake, and leaves in as it is. It is false where the
// mistake has no part in questions of the kind.
func (m Mistake) Answer(ask string, in *canonical.Input) (answer any, concerned bool) {
	if m.Text == "" {
		return Answer(m.Rule, ask, in)
	}
	if answer, ok := matched(matcher{m.Text, gateOf(in)}, ask, in); ok {
		return answer, true
	}
	if change := timed[m.Text]; change != nil && ask == "evictions" {
		return evictionsOf(change)(in), true
	}
	return nil, false
}

// Matter returns the mistakes that matter to a question: with any of them, the answer is
// another than the given one.
func Matter(ask string, in *canonical.Input, answer []byte) (matter []Mistake, err error) {
	for _, m := range Mistakes() {
		other, concerned := m.Answer(ask, in)
		if !concerned {
			continue
		}
		text, err := canonical.Marshal(other)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(text, answer) {
			matter = append(matter, m)
		}
	}
	return matter, nil
}

// Rules returns the rules of mistakes, in the order of SEMANTICS.md.
func Rules(mistakes []Mistake) (rules []string) {
	for _, r := range removed {
		if slices.ContainsFunc(mistakes, func(m Mistake) bool { return m.Rule == r.Rule }) {
			rules = append(rules, r.Rule)
		}
	}
	return rules
}

// timed is how to answer about evictions with a mistake: the tolerations of all pods change.
var timed = map[string]func([]toleration.Toleration){
	zeroForEver:     func(list []toleration.Toleration) { forEver(list, func(seconds int64) bool { return seconds == 0 }) },
	negativeForEver: func(list []toleration.Toleration) { forEver(list, func(seconds int64) bool { return seconds < 0 }) },
	leastOfList:     func(list []toleration.Toleration) { slices.SortStableFunc(list, bySeconds) },
	lastOfList:      slices.Reverse[[]toleration.Toleration],
}

// forEver takes seconds away.
func forEver(list []toleration.Toleration, these func(seconds int64) bool) {
	for i := range list {
		if s := list[i].TolerationSeconds; s != nil && these(*s) {
			list[i].TolerationSeconds = nil
		}
	}
}

// bySeconds compares two tolerations; those without seconds come last.
func bySeconds(a, b toleration.Toleration) int {
	switch x, y := a.TolerationSeconds, b.TolerationSeconds; {
	case x == nil && y == nil:
		return 0
	case y == nil || x != nil && *x < *y:
		return -1
	case x == nil || *x > *y:
		return 1
	}
	return 0
}
