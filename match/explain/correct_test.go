package explain_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/match/explain"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// size is how large a change is, as Correct documents it: fields, then fields that become
// wider, then edits.
type size [3]int

func (a size) less(b size) bool { return slices.Compare(a[:], b[:]) < 0 }

func (a size) plus(b size) size { return size{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

// sizeOf returns the size of replacing old by new. It compares what people write.
func sizeOf(old, new *toleration.Toleration) (s size) {
	name := func(t *toleration.Toleration) toleration.Operator {
		if t.Operator == "" {
			return toleration.OpEqual
		}
		return t.Operator
	}
	seconds := func(t *toleration.Toleration) string {
		if t.TolerationSeconds == nil {
			return ""
		}
		return strconv.FormatInt(*t.TolerationSeconds, 10)
	}
	for _, differs := range []bool{old.Key != new.Key, name(old) != name(new), old.Value != new.Value, old.Effect != new.Effect, seconds(old) != seconds(new)} {
		if differs {
			s[0]++
		}
	}
	if s[0] > 0 {
		s[2] = 1
	}
	if old.Effect != "" && new.Effect == "" {
		s[1]++
	}
	if name(old) != name(new) && name(new) != toleration.OpEqual {
		s[1]++
	}
	return s
}

// checkCorrect: the change reaches the goal, is of the documented kind, and there is no
// smaller one of that kind.
func checkCorrect(t tester, q *explain.Query, goal explain.Goal) {
	t.Helper()
	r := q.Correct(goal)
	if !reaches(q, goal, r.Apply(nil, q.Tolerations)) {
		t.Fatalf("%s\n%v: %s", describe(q), goal, r)
	}
	if r.Empty() != reaches(q, goal, q.Tolerations) {
		t.Fatalf("%s\n%v is reached already, or not: %s", describe(q), goal, r)
	}
	if !validNode(q.Taints, goal) {
		if want := q.Edit(goal); r.String() != want.String() {
			t.Fatalf("%s\n%v: %s, want %s", describe(q), goal, r, want)
		}
		return
	}
	total := size{4 * len(r.Additions), 0, 0}
	last := -1
	for i := range r.Edits {
		e := &r.Edits[i]
		if e.Index <= last || !e.Old.Equal(&q.Tolerations[e.Index]) || e.Fields() == nil {
			t.Fatalf("%s\n%v: %s", describe(q), goal, r)
		}
		if n := sizeOf(&e.Old, &e.New); n[0] != len(e.Fields()) {
			t.Fatalf("%s\n%v: %s changes %s", describe(q), goal, e, e.Fields())
		}
		if !slices.ContainsFunc(formsOf(q, e.Index, goal), func(u toleration.Toleration) bool { return u.Equal(&e.New) }) {
			t.Fatalf("%s\n%v: %s is none of the changes", describe(q), goal, e)
		}
		last = e.Index
		total = total.plus(sizeOf(&e.Old, &e.New))
	}
	if r.Size() != total[0] {
		t.Fatalf("%s\n%v: size %d of %s", describe(q), goal, r.Size(), r)
	}
	oddSeconds := func(u toleration.Toleration) bool { return u.TolerationSeconds != nil && u.Effect != taint.NoExecute }
	if slices.ContainsFunc(q.Tolerations, oddSeconds) {
		return
	}
	if len(q.Tolerations) <= 3 && total[0] <= 5 { // more take too long
		if smaller := smallerThan(q, goal, total); smaller != "" {
			t.Fatalf("%s\n%v: %s\nis %v and larger than %s", describe(q), goal, r, total, smaller)
		}
	}
}

// validNode reports whether no taint that the goal asks for is without a key, and no two
// have key and effect in common.
func validNode(taints []taint.Taint, goal explain.Goal) bool {
	for i := range taints {
		x := &taints[i]
		if !effectsOf(goal).Has(x.Effect) {
			continue
		}
		if x.Key == "" || slices.ContainsFunc(taints[:i], func(y taint.Taint) bool { return y.Key == x.Key && y.Effect == x.Effect }) {
			return false
		}
	}
	return true
}

// smallerThan tries every set of additions with every change of every toleration, as long
// as all are smaller than what is given. It returns a change that reaches the goal.
func smallerThan(q *explain.Query, goal explain.Goal, given size) string {
	var additions []toleration.Toleration
	for i := range q.Taints {
		if effectsOf(goal).Has(q.Taints[i].Effect) {
			additions = append(additions, toleration.For(&q.Taints[i]))
		}
	}
	forms := make([][]toleration.Toleration, len(q.Tolerations))
	for i := range forms {
		forms[i] = formsOf(q, i, goal)
	}
	for set := range 1 << len(additions) {
		var list []toleration.Toleration
		for i := range additions {
			if set&(1<<i) != 0 {
				list = append(list, additions[i])
			}
		}
		n := len(list)
		if found := changeFrom(q, goal, append(list, q.Tolerations...), n, 0, forms, size{4 * n, 0, 0}, given); found != "" {
			return found
		}
	}
	return ""
}

func changeFrom(q *explain.Query, goal explain.Goal, list []toleration.Toleration, added, i int, forms [][]toleration.Toleration, used, given size) string {
	if !used.less(given) {
		return ""
	}
	if i == len(forms) {
		if reaches(q, goal, list) {
			return fmt.Sprint(toleration.FormatList(list), ", which is ", used)
		}
		return ""
	}
	if found := changeFrom(q, goal, list, added, i+1, forms, used, given); found != "" {
		return found
	}
	old := list[added+i]
	defer func() { list[added+i] = old }()
	for _, form := range forms[i] {
		list[added+i] = form
		if found := changeFrom(q, goal, list, added, i+1, forms, used.plus(sizeOf(&old, &form)), given); found != "" {
			return found
		}
	}
	return ""
}

// formsOf returns everything that the documentation lets the i-th toleration become.
func formsOf(q *explain.Query, i int, goal explain.Goal) (list []toleration.Toleration) {
	old := q.Tolerations[i]
	without := old
	without.TolerationSeconds = nil
	if old.Key == "" {
		return []toleration.Toleration{without}
	}
	key := keyFor(q, old.Key, goal)
	if key == "" {
		return nil
	}
	values := []string{old.Value, ""}
	for j := range q.Taints {
		x := &q.Taints[j]
		values = append(values, x.Value)
		if n, err := strconv.ParseInt(x.Value, 10, 64); err == nil && n > math.MinInt64 && n < math.MaxInt64 {
			values = append(values, fmt.Sprint(n-1), fmt.Sprint(n+1))
		}
	}
	slices.Sort(values)
	for _, value := range slices.Compact(values) {
		for _, operator := range []toleration.Operator{old.Operator, "", toleration.OpEqual, toleration.OpExists, toleration.OpGt, toleration.OpLt} {
			if !goTogether(q, operator, value) && (operator != old.Operator || value != old.Value) {
				continue
			}
			for _, effect := range []taint.Effect{old.Effect, "", taint.NoSchedule, taint.NoExecute} {
				form := toleration.Toleration{Key: key, Operator: operator, Value: value, Effect: effect}
				list = append(list, form)
				if effect == taint.NoExecute {
					form.TolerationSeconds = old.TolerationSeconds
					list = append(list, form)
				}
			}
		}
	}
	return list
}

// goTogether reports whether a toleration with the operator and the value can be valid, if
// that of the taint is.
func goTogether(q *explain.Query, operator toleration.Operator, value string) bool {
	if operator == "" || operator == toleration.OpEqual {
		return true
	}
	t := toleration.Toleration{Key: "a", Operator: operator, Value: value}
	return q.Rules.Validate([]toleration.Toleration{t}) == nil
}

// keyFor returns the key that a toleration with the given one may get, or "".
func keyFor(q *explain.Query, key string, goal explain.Goal) string {
	if taint.KeyExists(q.Taints, key) {
		return key
	}
	best, least := "", 4
	for i := range q.Taints {
		x := &q.Taints[i]
		if !effectsOf(goal).Has(x.Effect) || reaches(&explain.Query{Rules: q.Rules, Taints: q.Taints[i : i+1]}, goal, q.Tolerations) {
			continue
		}
		if d := unlikeness(key, x.Key); d < least {
			best, least = x.Key, d
		}
	}
	return best
}

func TestCorrect(t *testing.T) {
	for _, c := range []struct {
		taints, tolerations string
		goal                explain.Goal
		want                string
		size                int
	}{
		{"", "", explain.ToSchedule, "change nothing", 0},
		{"a=x:NoSchedule", "", explain.ToSchedule, "add a==x:NoSchedule", 4},
		{"a=x:NoSchedule", "a==y:NoSchedule", explain.ToSchedule, "change tolerations[0], a==y:NoSchedule, to a==x:NoSchedule", 1},
		{"a=x:NoSchedule", "a==x:NoExecute", explain.ToSchedule, "change tolerations[0], a==x:NoExecute, to a==x:NoSchedule", 1},
		{"a=x:NoSchedule", "a==x:NoExecute@5", explain.ToSchedule, "change tolerations[0], a==x:NoExecute@5, to a==x:NoSchedule", 2},
		{"a=x:NoSchedule,a=x:NoExecute", "a==x:NoExecute", explain.ToSchedule, "change tolerations[0], a==x:NoExecute, to a==x", 1},
		{"a=x:NoSchedule,a=y:NoExecute", "a==x:NoExecute", explain.ToSchedule, "change tolerations[0], a==x:NoExecute, to a", 3},
		{"a:NoSchedule", `a?exists :NoSchedule`, explain.ToSchedule, "change tolerations[0], a?exists :NoSchedule, to a==:NoSchedule", 1},
		{"a=x:NoSchedule", "a=y:NoSchedule", explain.ToSchedule, "change tolerations[0], a=y:NoSchedule, to a=x:NoSchedule", 1}, // the operator stays empty
		{"dedicated=x:NoSchedule", "dedicatd==x:NoSchedule", explain.ToSchedule, "change tolerations[0], dedicatd==x:NoSchedule, to dedicated==x:NoSchedule", 1},
		{"dedicated=x:NoSchedule", "other==x:NoSchedule", explain.ToSchedule, "add dedicated==x:NoSchedule", 4},
		// Smaller changes of other kinds are not chosen: of keys that are not misspelled, of the
		// effect of a toleration without a key, and additions for several taints.
		{"bar=x:NoSchedule", "foo=x:NoSchedule", explain.ToSchedule, "add bar==x:NoSchedule", 4},
		{"k:NoSchedule", "*:NoExecute", explain.ToSchedule, "add k==:NoSchedule", 4},
		{"a=x:NoSchedule,a=x:NoExecute", "", explain.ToSchedule, "add a==x:NoSchedule\nadd a==x:NoExecute", 8},
		{"a:NoExecute", "*:NoExecute@5,a:NoExecute", explain.ToStay, "change tolerations[0], *:NoExecute@5, to *:NoExecute", 1},
		// A key that the node has is not misspelled.
		{"node-a=x:NoSchedule,node-b=x:NoSchedule", "node-a==x:NoSchedule", explain.ToSchedule, "add node-b==x:NoSchedule", 4},
		{"node-b=x:NoSchedule", "node-a==x:NoSchedule", explain.ToSchedule, "change tolerations[0], node-a==x:NoSchedule, to node-b==x:NoSchedule", 1},
		// Four fields are as many as an addition has.
		{"dedicated=x:NoSchedule", "dedicatd:NoExecute@5", explain.ToSchedule, "change tolerations[0], dedicatd:NoExecute@5, to dedicated:NoSchedule", 3},
		{"dedicated=x:NoSchedule", "dedicatd==y:NoExecute@5", explain.ToSchedule, "add dedicated==x:NoSchedule", 4},
		// What keeps the pod there.
		{"a:NoExecute", "a:NoExecute@5", explain.ToSchedule, "change nothing", 0},
		{"a:NoExecute", "a:NoExecute@5", explain.ToStay, "change tolerations[0], a:NoExecute@5, to a:NoExecute", 1},
		{"a=x:NoExecute", "a==y:NoExecute@5", explain.ToScheduleAndStay, "change tolerations[0], a==y:NoExecute@5, to a==x:NoExecute", 2},
		{"a=x:NoExecute", "*:NoExecute@5,a==y:NoExecute", explain.ToStay, "change tolerations[0], *:NoExecute@5, to *:NoExecute", 1},
		{"a:NoExecute,b:NoExecute", "*:NoExecute@5", explain.ToStay, "change tolerations[0], *:NoExecute@5, to *:NoExecute", 1},
		{"a:NoExecute,a:NoSchedule", "a:PreferNoSchedule,*:NoExecute@5", explain.ToScheduleAndStay, "change tolerations[0], a:PreferNoSchedule, to a", 1},
		{"a=x:NoSchedule,a=x:NoExecute", "a==y:NoSchedule,a==y:NoExecute", explain.ToSchedule,
			"change tolerations[0], a==y:NoSchedule, to a==x:NoSchedule\nchange tolerations[1], a==y:NoExecute, to a==x:NoExecute", 2},
		{"a=x:NoSchedule,a=z:NoExecute", "a==y:NoSchedule,a==y:NoExecute@5", explain.ToScheduleAndStay,
			"change tolerations[0], a==y:NoSchedule, to a==x:NoSchedule\nchange tolerations[1], a==y:NoExecute@5, to a==z:NoExecute", 3},
		// Soft taints are passed over, and keys that the node has in them are not misspelled.
		{"a:PreferNoSchedule,a=x:NoSchedule,b:NoSchedule", "a==y:NoSchedule", explain.ToSchedule, "add b==:NoSchedule\nchange tolerations[0], a==y:NoSchedule, to a==x:NoSchedule", 5},
		{"node-a:PreferNoSchedule,node-b:NoSchedule", "node-a:NoSchedule", explain.ToSchedule, "add node-b==:NoSchedule", 4},
		// What is not valid together is left to Edit.
		{"a=x:NoSchedule,a=y:NoSchedule", "a==z:NoSchedule", explain.ToSchedule, "change tolerations[0], a==z:NoSchedule, to a:NoSchedule", 2},
		{"a=x:NoSchedule,a=x:NoExecute,a=y:NoSchedule", "a==z:NoSchedule", explain.ToSchedule, "change tolerations[0], a==z:NoSchedule, to a", 3},
		{`"":NoSchedule,a=x:NoSchedule`, "a==z:NoSchedule", explain.ToSchedule, "add *==:NoSchedule\nchange tolerations[0], a==z:NoSchedule, to a:NoSchedule", 6},
		{"a=x:NoSchedule,a=x:NoSchedule", "a==z:NoSchedule", explain.ToSchedule, "change tolerations[0], a==z:NoSchedule, to a:NoSchedule", 2},
		{`"x/":NoSchedule`, "*==y:NoSchedule", explain.ToSchedule, "add x/==:NoSchedule", 4}, // an empty key is not misspelled
		// What does not count, without the gate, tolerates nothing and is no limit.
		{"a=7:NoExecute", "*>5:NoExecute@9,a==8:NoExecute", explain.ToStay, "change tolerations[1], a==8:NoExecute, to a==7:NoExecute", 1},
		{"a=7:NoSchedule", "a>5:NoSchedule", explain.ToSchedule, "change tolerations[0], a>5:NoSchedule, to a==7:NoSchedule", 2},
		// Seconds do not matter for NoSchedule, nor those of a toleration that comes later.
		{"a=x:NoSchedule,a=x:NoExecute", "a==x:NoSchedule,a:NoExecute,*@5", explain.ToScheduleAndStay, "change nothing", 0},
		{"a=x:NoSchedule,a=x:NoExecute", "*@5,a==x:NoSchedule,a:NoExecute", explain.ToScheduleAndStay, "change tolerations[0], *@5, to *", 1},
		{"a=x:NoSchedule", "a@5", explain.ToScheduleAndStay, "change nothing", 0},
		{"a=x:NoSchedule,a=x:NoExecute", "a@5", explain.ToScheduleAndStay, "change tolerations[0], a@5, to a", 1},
		// Of two that are as small, the first in the list; and seconds go rather than a value.
		{"a=x:NoSchedule", "a==z:NoSchedule,a==y:NoSchedule", explain.ToSchedule, "change tolerations[0], a==z:NoSchedule, to a==x:NoSchedule", 1},
		{"a=x:NoExecute", "a==y:NoExecute,*:NoExecute@5", explain.ToStay, "change tolerations[1], *:NoExecute@5, to *:NoExecute", 1},
		// The seconds of one toleration without a key need not go, and those of another must.
		{"a=1:NoSchedule,a=1:NoExecute,b=2:NoExecute", "a==1:PreferNoSchedule,*==1:NoExecute@5,*==2:NoExecute@5", explain.ToScheduleAndStay,
			"change tolerations[0], a==1:PreferNoSchedule, to a==1\nchange tolerations[2], *==2:NoExecute@5, to *==2:NoExecute", 2},
		// The smallest edit for the first taint is not part of the smallest change for both.
		{"abcd=x:NoSchedule,abcd=y:NoExecute", "abcx==z:PreferNoSchedule,abcd==x:NoExecute,abcx==x:PreferNoSchedule", explain.ToSchedule,
			"change tolerations[1], abcd==x:NoExecute, to abcd==y:NoExecute\n" +
				"change tolerations[2], abcx==x:PreferNoSchedule, to abcd==x:NoSchedule", 3},
	} {
		q := parse(t, c.taints, c.tolerations)
		r := q.Correct(c.goal)
		if got := r.String(); got != c.want || r.Size() != c.size {
			t.Errorf("%s, %v: %q of size %d, want %q of size %d", describe(q), c.goal, got, r.Size(), c.want, c.size)
		}
		checkCorrect(t, q, c.goal)
	}
}

// With the gate on, an edit can move a bound.
func TestCorrectComparisons(t *testing.T) {
	for _, c := range []struct{ taints, tolerations, want string }{
		// Moving both bounds is as small as one edit, which would make the effect wider.
		{"a=3:NoSchedule,a=8:NoExecute", "a>5:NoSchedule,a>9:NoExecute",
			"change tolerations[0], a>5:NoSchedule, to a>2:NoSchedule\nchange tolerations[1], a>9:NoExecute, to a>2:NoExecute"},
		// A value that is no integer hides none of the others.
		{"a=x:NoSchedule,a=7:NoExecute", "a==x:NoSchedule,a>8:NoExecute", "change tolerations[1], a>8:NoExecute, to a>6:NoExecute"},
		{"a=20:NoSchedule,a=29:NoExecute", "a>50", "change tolerations[0], a>50, to a>19"},
		{"a=20:NoSchedule,a=29:NoExecute", "a<15", "change tolerations[0], a<15, to a<30"},
		{"a=20:NoSchedule,a=29:NoExecute", "a<25", "change tolerations[0], a<25, to a<30"},
		{"a=20:NoSchedule,a=29:NoExecute", "a==15", "change tolerations[0], a==15, to a>15"},
		{"a=20:NoSchedule,a=29:NoExecute", "a==55", "change tolerations[0], a==55, to a<55"},
		{"a=9223372036854775807:NoSchedule,a=9223372036854775806:NoExecute", "a<03", "change tolerations[0], a<03, to a>9223372036854775805"},
		{"a=9223372036854775807:NoSchedule,a=9223372036854775806:NoExecute", "a>9223372036854775806", "change tolerations[0], a>9223372036854775806, to a>9223372036854775805"},
		{"a=9223372036854775807:NoSchedule", "a<9:NoSchedule", "change tolerations[0], a<9:NoSchedule, to a>9:NoSchedule"},
		{"a=9223372036854775807:NoSchedule", "a<x:NoSchedule", "change tolerations[0], a<x:NoSchedule, to a==9223372036854775807:NoSchedule"},
		{"a=9223372036854775807:NoSchedule", "a>9223372036854775807:NoSchedule", "change tolerations[0], a>9223372036854775807:NoSchedule, to a==9223372036854775807:NoSchedule"},
		{"a=-9223372036854775808:NoSchedule", "a<-9223372036854775808:NoSchedule", "change tolerations[0], a<-9223372036854775808:NoSchedule, to a==-9223372036854775808:NoSchedule"},
	} {
		q := parse(t, c.taints, c.tolerations)
		q.Rules.Comparisons = true
		if got := q.Correct(explain.ToSchedule).String(); got != c.want {
			t.Errorf("%s: %s", describe(q), got)
		}
		checkCorrect(t, q, explain.ToSchedule)
	}
}

// Pods of up to two tolerations on nodes with up to two taints of one key, or of two
// keys that look alike: no change of the documented kinds is smaller.
func TestCorrectExhaustively(t *testing.T) {
	pods := matchtest.Universe{
		Keys: []string{"", "abcd", "abdc"}, Values: []string{"", "2"}, Operators: []toleration.Operator{"", toleration.OpExists, toleration.OpGt},
		Effects: []taint.Effect{"", taint.NoSchedule, taint.NoExecute}, Seconds: []*int64{nil, seconds(5)},
	}
	nodes := matchtest.Universe{
		Keys: []string{"abcd", "abce"}, Values: []string{"1", "2", "x"}, Effects: []taint.Effect{taint.NoSchedule, taint.NoExecute},
	}
	n, step := 0, stepOf(1201)
	for node := range matchtest.Lists(nodes.Taints(), 2) {
		if !validNode(node, explain.ToSchedule) {
			continue
		}
		for pod := range matchtest.Lists(pods.Tolerations(), 2) {
			if n++; n%step != 0 {
				continue
			}
			q := &explain.Query{Rules: toleration.Rules{Comparisons: n/3%2 == 0}, Taints: node, Tolerations: pod}
			checkCorrect(t, q, goals[n/7%3])
		}
	}
	t.Logf("%d of %d pairs of lists", n/step, n)
}

// Up to three tolerations with the keys of two taints, so that each of two edits has a
// choice of tolerations.
func TestCorrectTogether(t *testing.T) {
	pods := parse(t, "", "a==y,a==x:NoSchedule,a==y:NoSchedule,a==y:NoExecute@5,a==z:NoExecute,a:PreferNoSchedule,*:NoExecute@5").Tolerations
	n, step := 0, stepOf(101) // meets every goal
	for _, node := range []string{"a=x:NoSchedule,a=x:NoExecute", "a=x:NoSchedule,a=y:NoExecute", "a=x:NoExecute,b:NoExecute"} {
		for pod := range matchtest.Lists(pods, 3) {
			for _, goal := range goals {
				if n++; n%step == 0 {
					q := parse(t, node, "")
					q.Tolerations = pod
					checkCorrect(t, q, goal)
				}
			}
		}
	}
	t.Logf("%d of %d cases", n/step, n)
}

// Which of several smallest changes Correct takes is not pinned, but it always takes the same,
// in whatever order one asks.
func TestCorrectRepeatsItself(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	queries := make([]*explain.Query, 2000)
	answers := make([]string, len(queries))
	node := parse(t, "abcd=x:NoSchedule,abcd=y:NoExecute,abce=x:NoSchedule,abce=y:NoExecute", "").Taints
	universe := matchtest.Universe{
		Keys: []string{"", "abcd", "abcf"}, Values: []string{"", "x", "y"}, Operators: []toleration.Operator{"", toleration.OpExists},
		Effects: []taint.Effect{"", taint.NoSchedule, taint.NoExecute}, Seconds: []*int64{nil, seconds(5)},
	}
	pods := universe.Tolerations()
	for i := range queries {
		queries[i] = &explain.Query{Taints: node}
		for range 1 + r.IntN(6) {
			queries[i].Tolerations = append(queries[i].Tolerations, pick(r, pods...))
		}
		answers[i] = queries[i].Correct(goals[i%3]).String()
	}
	for range 3 {
		for _, i := range r.Perm(len(queries)) {
			q := explain.Query{Taints: slices.Clone(queries[i].Taints), Tolerations: toleration.Clone(queries[i].Tolerations), Rules: queries[i].Rules}
			if got := q.Correct(goals[i%3]).String(); got != answers[i] {
				t.Fatalf("%s\n%v: %s, and before that %s", describe(&q), goals[i%3], got, answers[i])
			}
		}
	}
}

// Hidden values do not come back in an edit.
func TestCorrectHidesValues(t *testing.T) {
	q := parse(t, "tenant=acme:NoSchedule", "tenant==other:NoSchedule")
	q.HideValues = true
	r := q.Correct(explain.ToSchedule)
	if got, want := r.String(), "change tolerations[0], tenant==other:NoSchedule, to tenant:NoSchedule"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	q = parse(t, "tenant=7:NoSchedule", "tenant==9:NoSchedule")
	q.HideValues, q.Rules.Comparisons = true, true
	r = q.Correct(explain.ToSchedule)
	if got, want := r.String(), "change tolerations[0], tenant==9:NoSchedule, to tenant:NoSchedule"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A value that the pod already has may stay, even with another operator.
func TestCorrectKeepsValues(t *testing.T) {
	q := parse(t, "tenant=7:NoSchedule", "tenant>7:NoSchedule")
	q.HideValues = true
	r := q.Correct(explain.ToSchedule)
	if got, want := r.String(), "change tolerations[0], tenant>7:NoSchedule, to tenant==7:NoSchedule"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestFields(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"a", "a", ""},
		{"a=x", "a==x", ""}, // an empty operator is Equal
		{"a==x", "a=x", ""},
		{"a=x", "b=x", "key"},
		{"a=5", "a>5", "operator"},
		{"a>5", "a<5", "operator"},
		{"a?odd x", "a=x", "operator"},
		{"a=x", "a=y", "value"},
		{"a=x", "a", "operator, value"},
		{"a:NoExecute", "a", "effect"},
		{"a:NoExecute@5", "a:NoExecute", "tolerationSeconds"},
		{"a:NoExecute", "a:NoExecute@5", "tolerationSeconds"},
		{"a:NoExecute@5", "a:NoExecute@6", "tolerationSeconds"},
		{"a=x:NoExecute@5", "b=x:NoSchedule", "key, effect, tolerationSeconds"},
	} {
		e := explain.Edit{Old: parse(t, "", c.old).Tolerations[0], New: parse(t, "", c.new).Tolerations[0]}
		if got := strings.Join(e.Fields(), ", "); got != c.want {
			t.Errorf("%s to %s: %s, want %s", c.old, c.new, got, c.want)
		}
	}
}
