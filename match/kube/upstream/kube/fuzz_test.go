package kube

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	v1 "k8s.io/api/core/v1"

	"github.com/tolero-dev/tolero/fuzz/target"
)

// FuzzToleratesTaint holds one toleration against one taint, whatever the words
// (rules M1 to M6, N1 to N4). The oracle is the method of k8s.io/api.
func FuzzToleratesTaint(f *testing.F) {
	for _, seed := range []struct{ key, operator, value, effect, taintKey, taintValue, taintEffect string }{
		{"a", "Equal", "x", "NoSchedule", "a", "x", "NoSchedule"},                // equal in everything
		{"a", "", "x", "", "a", "x", "NoExecute"},                                // empty operator and effect
		{"", "Exists", "x", "NoSchedule", "a", "", "NoExecute"},                  // M3: the effect is not skipped
		{"", "", "", "", "a", "", "?"},                                           // M4: the zero toleration
		{"a", "Gt", "-1", "NoSchedule", "a", "0", "NoSchedule"},                  // N1
		{"a", "Lt", "9223372036854775807", "", "a", "9223372036854775808", ""},   // N2: one overflows
		{"a", "Gt", "-9223372036854775808", "", "a", "-9223372036854775809", ""}, // N2: and at the other end
		{"a", "Lt", "10", "", "a", "-0", ""},                                     // N2: not canonical
		{"a", "equal", "x", "", "a", "x", ""},                                    // M2: names are case-sensitive
	} {
		f.Add(seed.key, seed.operator, seed.value, seed.effect, seed.taintKey, seed.taintValue, seed.taintEffect)
	}
	target.Fuzz(f, func(t *testing.T, key, operator, value, effect, taintKey, taintValue, taintEffect string) {
		p := newPod([]v1.Toleration{{
			Key: key, Operator: v1.TolerationOperator(operator), Value: value, Effect: v1.TaintEffect(effect)}})
		compareSingle(t, p, &v1.Taint{Key: taintKey, Value: taintValue, Effect: v1.TaintEffect(taintEffect)})
	})
}

// FuzzLists holds a list of tolerations against a list of taints (rules F1 to
// F4, N4). Every two texts are lists: see parseTaints and parseTolerations. The
// oracle is k8s.io/component-helpers.
func FuzzLists(f *testing.F) {
	for _, seed := range []struct{ taints, tolerations string }{
		{"", ""},
		{"key1=value1:S;key1=value1:E;key2=value2:S", "key1=value1:S;key1=value1:E"}, // F5: the worked example of the documents
		{"a:S;a:P;a:E;a:S", "a*:P"},    // duplicates; the first one left counts
		{"a:P;b:P;a:P", "b*"},          // F4: duplicates count for the score
		{"a=5:E;b=5:S", "a>4@300;b<5"}, // N1, N4: matched only with the gate on
		{"a=05:S;a=-0:S", "a<9;a>-9"},  // N2: not canonical
		{"a:X;b:", "*:X;?"},            // M5: unknown effects and operators
		{"a=1:S;b=1:E", "*;=1:S"},      // M3, M4: empty keys
		{"node.kubernetes.io/not-ready:E", "node.kubernetes.io/not-ready*:E@300;node.kubernetes.io/unreachable*:E@300"}, // A1
	} {
		f.Add(seed.taints, seed.tolerations)
	}
	target.Fuzz(f, func(t *testing.T, taints, tolerations string) {
		// Longer lists hold no new cases, only more of them.
		taints, tolerations = taints[:min(len(taints), 500)], tolerations[:min(len(tolerations), 500)]
		compare(t, newNode(distinct(parseTaints(taints))), newPod(parseTolerations(tolerations)))
	})
}

// TestGeneratedLists does what FuzzLists does for lists that are put together
// from words which often meet.
func TestGeneratedLists(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	word := func(words ...string) string { return words[random.IntN(len(words))] }
	text := func(item func() string) string {
		items := make([]string, random.IntN(9))
		for i := range items {
			items[i] = item()
		}
		return strings.Join(items, ";")
	}
	comparisons := 0
	for range 30_000 {
		taints := text(func() string {
			return word("a", "b", "c", "") + "=" + word(values...) + ":" + word("S", "S", "P", "P", "E", "E", "X", "")
		})
		tolerations := text(func() string {
			return word("a", "b", "c", "") + word("=", "~", "*", "<", ">", "?") + word(values...) +
				":" + word("S", "P", "E", "X", "", "") + word("", "@300", "@-1")
		})
		comparisons += compare(t, newNode(distinct(parseTaints(taints))), newPod(parseTolerations(tolerations)))
	}
	t.Logf("%d answers compared", comparisons)
}

// parseTaints reads any text as a list of taints separated by ";", each
// key=value:effect with missing parts empty.
func parseTaints(text string) []v1.Taint {
	var taints []v1.Taint
	for item := range strings.SplitSeq(text, ";") {
		if item == "" {
			continue
		}
		pair, effect := cutLast(item, ":")
		key, value, _ := strings.Cut(pair, "=")
		taints = append(taints, v1.Taint{Key: key, Value: value, Effect: parseEffect(effect)})
	}
	return taints
}

// parseTolerations reads any text as a list of tolerations separated by ";",
// each key operator value:effect@seconds with missing parts empty. The operator
// is one of =, ~ (the empty one), *, <, > and ? (an unknown one).
func parseTolerations(text string) []v1.Toleration {
	names := map[byte]v1.TolerationOperator{'=': "Equal", '~': "", '*': "Exists", '<': "Lt", '>': "Gt", '?': "?"}
	var tolerations []v1.Toleration
	for item := range strings.SplitSeq(text, ";") {
		if item == "" {
			continue
		}
		var toleration v1.Toleration
		item, seconds := cutLast(item, "@")
		if n, err := strconv.ParseInt(seconds, 10, 64); err == nil {
			toleration.TolerationSeconds = &n
		}
		item, effect := cutLast(item, ":")
		toleration.Effect = parseEffect(effect)
		toleration.Key = item
		if i := strings.IndexAny(item, "=~*<>?"); i >= 0 {
			toleration.Key, toleration.Operator, toleration.Value = item[:i], names[item[i]], item[i+1:]
		}
		tolerations = append(tolerations, toleration)
	}
	return tolerations
}

// cutLast cuts text at the last separator; without one, the second part is
// empty.
func cutLast(text, separator string) (before, after string) {
	if i := strings.LastIndex(text, separator); i >= 0 {
		return text[:i], text[i+len(separator):]
	}
	return text, ""
}

// parseEffect spells out the initials of the three effects.
func parseEffect(text string) v1.TaintEffect {
	switch text {
	case "S":
		return v1.TaintEffectNoSchedule
	case "P":
		return v1.TaintEffectPreferNoSchedule
	case "E":
		return v1.TaintEffectNoExecute
	}
	return v1.TaintEffect(text)
}
