package page

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/examples/internal/parallel"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/explain"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Kinds are the colours of a verdict: one for each combination of what the scheduler
// and the eviction controller say, the latter varying faster. They are made from the
// palette of Okabe and Ito, which colour-blind people can tell apart, on grey for the
// most common one.
var Kinds = []Kind{
	{"free", "", "#0072b2", "#2b8fd0"},
	{"free, evicted later", "◷", "#56b4e9", "#8fd0f7"},
	{"free, evicted now", "✕", "#003a5c", "#0d4f80"},
	{"avoid", "~", "#f0e442", "#e8dc3f"},
	{"avoid, evicted later", "◷", "#b3a125", "#b3a125"},
	{"avoid, evicted now", "✕", "#6b5f00", "#857712"},
	{"refused", "", "#dedede", "#3c4046"},
	{"refused, evicted later", "◷", "#cc79a7", "#d98fb8"},
	{"refused, evicted now", "✕", "#d55e00", "#e8731a"},
}

func kindOf(v match.Verdict) int { return int(v.Scheduling)*3 + int(v.Eviction) }

// verdicts asks package compile about every row and column.
func (b *builder) verdicts() {
	var v compile.Vocabulary
	ids := make([][]compile.TaintID, len(b.columns))
	for i, c := range b.columns {
		ids[i] = v.Append(nil, c.taints)
	}
	found := make([][]answer, len(b.rows))
	parallel.Do(len(b.rows), func() func(int) {
		var a asker
		return func(i int) { found[i] = a.ask(&v, ids, b.fleet, b.rows[i], b.columns) }
	})
	b.cells = make([][]uint32, len(b.rows))
	all := make([]uint32, 0, len(b.rows)*len(b.columns))
	known := make(map[answer]uint32)
	for i, answers := range found {
		for _, a := range answers {
			n, seen := known[a]
			if !seen {
				n = uint32(len(known))
				known[a] = n
				b.Verdicts = append(b.Verdicts, Verdict{kindOf(a.Verdict), sentence(a.Verdict), a.order})
			}
			all = append(all, n)
		}
		b.cells[i] = all[i*len(b.columns):]
		found[i] = nil
	}
	b.Cells = pack(all)
}

// answer is a verdict, and what is to say about the order of the tolerations.
type answer struct {
	match.Verdict
	order string
}

// asker keeps its matchers from row to row.
type asker struct{ listed, soonest, latest compile.Matcher }

func (a *asker) ask(v *compile.Vocabulary, ids [][]compile.TaintID, f *Fleet, r *row, columns []*column) []answer {
	a.listed.Compile(v, r.tolerations, f.Rules)
	ordered := a.orders(v, r.tolerations, f.Rules)
	answers := make([]answer, len(ids))
	for i := range ids {
		answers[i].Verdict = a.listed.Decide(ids[i])
		if !ordered || !hasNoExecute(columns[i].taints) {
			continue
		}
		first, evictedFirst := a.soonest.EvictionDelay(ids[i])
		last, evictedLast := a.latest.EvictionDelay(ids[i])
		if first != last || evictedFirst != evictedLast {
			q := explain.Query{Rules: f.Rules, Taints: columns[i].taints, Tolerations: r.tolerations}
			answers[i].order = q.Explain().Eviction.String()
		}
	}
	return answers
}

// orders compiles the orders of the list that evict first and last, and reports
// whether they can differ.
func (a *asker) orders(v *compile.Vocabulary, tolerations []toleration.Toleration, rules toleration.Rules) bool {
	sorted := slices.Clone(tolerations)
	slices.SortStableFunc(sorted, func(a, b toleration.Toleration) int { return cmp.Compare(seconds(&a), seconds(&b)) })
	if len(sorted) == 0 || seconds(&sorted[0]) == seconds(&sorted[len(sorted)-1]) {
		return false
	}
	a.soonest.Compile(v, sorted, rules)
	slices.Reverse(sorted)
	a.latest.Compile(v, sorted, rules)
	return true
}

// seconds returns the seconds of a toleration; one without has the most.
func seconds(t *toleration.Toleration) int64 {
	if t.TolerationSeconds == nil {
		return 1<<63 - 1
	}
	return *t.TolerationSeconds
}

func hasNoExecute(taints []taint.Taint) bool {
	return slices.ContainsFunc(taints, func(t taint.Taint) bool { return t.Effect == taint.NoExecute })
}

// byIndex finds the taints that a sentence without a list names by their index.
var byIndex = regexp.MustCompile(`taint (\d+)`)

// sentence returns the sentence of a verdict in parts: text, and indexes of taints.
func sentence(v match.Verdict) []any {
	text := v.Sentence(nil)
	var parts []any
	at := 0
	for _, m := range byIndex.FindAllStringSubmatchIndex(text, -1) {
		n, _ := strconv.Atoi(text[m[2]:m[3]]) // digits, of an int
		parts = append(parts, text[at:m[0]], n)
		at = m[1]
	}
	if at < len(text) {
		parts = append(parts, text[at:])
	}
	return parts
}
