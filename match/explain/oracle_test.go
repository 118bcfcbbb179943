package explain_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/explain"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// The oracles are slow and follow the documentation word by word. They share
// nothing with the package except the differences, which have a test of their own.

// check compares everything about q with the oracles.
func check(t tester, q *explain.Query) {
	t.Helper()
	e := q.Explain()
	active := q.Rules.Active(nil, q.Tolerations)
	if want := match.Decide(q.Taints, active, q.Rules); e.Verdict != want {
		t.Fatalf("%s\nverdict %+v, want %+v", describe(q), e.Verdict, want)
	}
	if len(e.Reasons) != len(q.Taints) {
		t.Fatalf("%s\n%d reasons", describe(q), len(e.Reasons))
	}
	for i := range e.Reasons {
		checkReason(t, q, &q.Taints[i], &e.Reasons[i])
	}
	checkEviction(t, q, &e.Eviction)
	for _, goal := range goals {
		checkAdd(t, q, goal)
		checkEdit(t, q, goal)
		checkCorrect(t, q, goal)
	}
}

type tester interface {
	Helper()
	Fatalf(format string, args ...any)
}

func describe(q *explain.Query) string {
	return "node " + taint.FormatList(q.Taints) + ", pod " + toleration.FormatList(q.Tolerations) + rulesText[q.Rules]
}

var rulesText = map[toleration.Rules]string{{}: "", {Comparisons: true}: ", with comparisons"}

func checkReason(t tester, q *explain.Query, x *taint.Taint, r *explain.Reason) {
	t.Helper()
	want := explain.Reason{Taint: *x, Index: -1}
	for i := range q.Tolerations {
		u := q.Tolerations[i]
		if match.Tolerates([]toleration.Toleration{u}, x, q.Rules) {
			want.Tolerated, want.Index, want.Toleration = true, i, u
			break
		}
	}
	if !want.Tolerated {
		if want.Index = nearest(q, x); want.Index >= 0 {
			want.Toleration = q.Tolerations[want.Index]
			want.Differs = explain.MismatchOf(q.Rules, &want.Toleration, x)
		}
	}
	if *r != want {
		t.Fatalf("%s\nfor %s got %+v, want %+v", describe(q), x, r, want)
	}
}

// nearest is the nearest miss as Reason documents it.
func nearest(q *explain.Query, x *taint.Taint) int {
	like, found := mostAlike(q, x.Key)
	best, bestRank := -1, [5]int{9}
	for i := range q.Tolerations {
		u := &q.Tolerations[i]
		kind := -1
		switch {
		case u.Key == "":
			kind = 2
		case u.Key == x.Key:
			kind = 0
		case found && u.Key == like:
			kind = 1
		}
		if kind < 0 {
			continue
		}
		d := explain.MismatchOf(q.Rules, u, x)
		effect, value, gate := 0, 0, 0
		if d&explain.EffectDiffers != 0 {
			effect = 1
		}
		if d&(explain.ValueDiffers|explain.TaintNotInteger|explain.TolerationNotInteger|explain.OperatorUnknown) != 0 {
			value = 1
		}
		if d&explain.GateOff != 0 {
			gate = 1
		}
		if rank := [5]int{kind, value, effect, gate, i}; less(rank, bestRank) {
			best, bestRank = i, rank
		}
	}
	return best
}

func less(a, b [5]int) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

// mostAlike returns the key of a toleration that is most like the given one, and whether
// there is one.
func mostAlike(q *explain.Query, key string) (best string, found bool) {
	least := 4
	for i := range q.Tolerations {
		if k := q.Tolerations[i].Key; k != "" && k != key && len(k) <= 317 && len(key) <= 317 {
			if d := unlikeness(key, k); d < least {
				best, least = k, d
			}
		}
	}
	return best, least < 4
}

func unlikeness(a, b string) int {
	if strings.EqualFold(a, b) {
		return 1
	}
	i, j := strings.LastIndex(a, "/")+1, strings.LastIndex(b, "/")+1
	most := 4
	if a[:i] == b[:j] {
		a, b = a[i:], b[j:]
	} else if a[i:] == b[j:] {
		most = 3
	}
	allowed := 0
	switch n := min(len(a), len(b)); {
	case n >= 8:
		allowed = 2
	case n >= 4:
		allowed = 1
	}
	if n := slips(a, b); n <= allowed {
		return n
	}
	return most
}

// slips is the whole table of the distance with swaps of neighbors.
func slips(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
			default:
				changed := d[i-1][j-1]
				if a[i-1] != b[j-1] {
					changed++
				}
				d[i][j] = min(changed, d[i-1][j]+1, d[i][j-1]+1)
				if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
					d[i][j] = min(d[i][j], d[i-2][j-2]+1)
				}
			}
		}
	}
	return d[len(a)][len(b)]
}

// checkEviction asks match about every order of up to five tolerations, and about
// the order of the list if there are more.
func checkEviction(t tester, q *explain.Query, e *explain.Eviction) {
	t.Helper()
	active := q.Rules.Active(nil, q.Tolerations)
	checkOutcome(t, q, &e.Listed)
	if e.Listed.Eviction != match.Stay && e.Listed.Toleration >= 0 {
		x := &q.Taints[e.Listed.Taint]
		if i, _ := match.FirstTolerating(q.Tolerations, x, q.Rules); i != e.Listed.Toleration {
			t.Fatalf("%s\n%+v: tolerations[%d] counts", describe(q), e.Listed, i)
		}
	}
	if len(active) > 5 {
		return
	}
	soonest, latest := match.Decide(q.Taints, active, q.Rules), match.Decide(q.Taints, active, q.Rules)
	permute(active, func() {
		v := match.Decide(q.Taints, active, q.Rules)
		if later(&soonest, &v) {
			soonest = v
		}
		if later(&v, &latest) {
			latest = v
		}
	})
	if e.Soonest.Eviction != soonest.Eviction || e.Soonest.After != soonest.After ||
		e.Latest.Eviction != latest.Eviction || e.Latest.After != latest.After {
		t.Fatalf("%s\n%+v, want from %v to %v", describe(q), e, soonest, latest)
	}
	checkOutcome(t, q, &e.Soonest)
	checkOutcome(t, q, &e.Latest)
	if decides := soonest.Eviction != latest.Eviction || soonest.After != latest.After; e.OrderDecides() != decides {
		t.Fatalf("%s\nOrderDecides %v, want %v", describe(q), !decides, decides)
	}
}

// checkOutcome checks that the taint and the toleration of o give its time.
func checkOutcome(t tester, q *explain.Query, o *explain.EvictionTime) {
	t.Helper()
	if o.Eviction == match.Stay {
		if *o != (explain.EvictionTime{Taint: -1, Toleration: -1}) {
			t.Fatalf("%s\n%+v", describe(q), o)
		}
		return
	}
	if o.Toleration < -1 || o.Toleration < 0 && o.By != (toleration.Toleration{}) {
		t.Fatalf("%s\n%+v", describe(q), o)
	}
	var list []toleration.Toleration
	if o.Toleration >= 0 {
		if o.By != q.Tolerations[o.Toleration] {
			t.Fatalf("%s\n%+v is not by %s", describe(q), o, q.Tolerations[o.Toleration])
		}
		list = q.Rules.Active(nil, q.Tolerations[o.Toleration:o.Toleration+1])
	}
	v := match.Decide(q.Taints[o.Taint:o.Taint+1], list, q.Rules)
	if v.Eviction != o.Eviction || v.After != o.After || (o.Toleration >= 0) != match.Tolerates(list, &q.Taints[o.Taint], q.Rules) {
		t.Fatalf("%s\n%+v, but those give %v", describe(q), o, v)
	}
}

// later reports whether a evicts later than b.
func later(a, b *match.Verdict) bool {
	rank := func(v *match.Verdict) time.Duration {
		switch v.Eviction {
		case match.Stay:
			return 1<<63 - 1
		case match.EvictNow:
			return -1
		}
		return v.After - 1 // the longest delay is before forever
	}
	return rank(a) > rank(b)
}

// permute calls f with list in every order.
func permute[T any](list []T, f func()) {
	var at func(i int)
	at = func(i int) {
		if i >= len(list)-1 {
			f()
			return
		}
		for j := i; j < len(list); j++ {
			list[i], list[j] = list[j], list[i]
			at(i + 1)
			list[i], list[j] = list[j], list[i]
		}
	}
	at(0)
}

func parse(t testing.TB, taints, tolerations string) *explain.Query {
	t.Helper()
	q := new(explain.Query)
	var err error
	if q.Taints, err = notation.Taints(taints); err != nil {
		t.Fatal(err)
	}
	if q.Tolerations, err = notation.Tolerations(tolerations); err != nil {
		t.Fatal(err)
	}
	return q
}
