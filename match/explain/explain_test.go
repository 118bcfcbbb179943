package explain_test

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/input"
	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/explain"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func seconds(n int64) *int64 { return &n }

// What keeps any one toleration from tolerating any one taint: exactly if nothing
// does, match tolerates it.
func TestDifferenceExhaustively(t *testing.T) {
	for _, universe := range []*matchtest.Universe{matchtest.Wide(), matchtest.Numbers()} {
		universe.Seconds = universe.Seconds[:1]
		taints := universe.Taints()
		for _, u := range universe.Tolerations() {
			for _, rules := range []toleration.Rules{{}, {Comparisons: true}} {
				for i := range taints {
					d := explain.MismatchOf(rules, &u, &taints[i])
					tolerates := match.Tolerates([]toleration.Toleration{u}, &taints[i], rules)
					if tolerates != (d == 0) {
						t.Fatalf("%s and %s: %v", u, taints[i], d)
					}
				}
			}
		}
	}
}

func TestDifference(t *testing.T) {
	for _, c := range []struct{ taint, toleration, want string }{
		{"a=x:NoSchedule", "a", "none"},
		{"a=x:NoSchedule", "b", "key"},
		{"a=x:NoSchedule", "b==x:NoExecute", "effect, key"},
		{"a=x:NoSchedule", "*=y", "value"},
		{"a=x:NoSchedule", "a==X", "value"},
		{"a=5:NoSchedule", "a>4", "gateOff"},
		{"a=5:NoSchedule", "a>5", "gateOff, value"},
		{"a=05:NoSchedule", "a<6", "gateOff, taintNotInteger"},
		{"a=05:NoSchedule", "a<06", "gateOff, tolerationNotInteger"},
		{"a=-9223372036854775808:NoSchedule", "a<9223372036854775807:NoExecute", "gateOff, effect"},
		{"a=-9223372036854775809:NoSchedule", "a<9223372036854775807", "gateOff, taintNotInteger"},
		{"a=x:NoSchedule", "a?exists x", "operator"},
	} {
		q := parse(t, c.taint, c.toleration)
		if got := explain.MismatchOf(q.Rules, &q.Tolerations[0], &q.Taints[0]).String(); got != c.want {
			t.Errorf("%s: %s, want %s", describe(q), got, c.want)
		}
	}
}

// stepOf returns n, which takes each n-th case of an enumeration and is enough to find
// faults fast. TOLERO_LONG=1 takes every case.
func stepOf(n int) int {
	if os.Getenv("TOLERO_LONG") != "" {
		return 1
	}
	return n
}

// Lists of up to two tolerations and nodes with one taint or two, out of a small
// universe in which everything is near everything else.
func TestExhaustively(t *testing.T) {
	pods := matchtest.Universe{
		Keys: []string{"", "abcd", "abdc"}, Values: []string{"", "1"}, Operators: []toleration.Operator{"", toleration.OpExists, toleration.OpGt},
		Effects: []taint.Effect{"", taint.NoSchedule, taint.NoExecute}, Seconds: []*int64{nil, seconds(5)},
	}
	nodes := matchtest.Universe{
		Keys: []string{"abcd", "other"}, Values: []string{"", "2"},
		Effects: []taint.Effect{taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute},
	}
	step := stepOf(61) // meets every list with other taints
	taints, n := nodes.Taints(), 0
	for list := range matchtest.Lists(pods.Tolerations(), 2) {
		for i := range taints {
			for _, rules := range []toleration.Rules{{}, {Comparisons: true}} {
				// Each list meets each taint, with one other taint or none.
				if n++; n%step == 0 {
					node := []taint.Taint{taints[i], taints[n/7%len(taints)]}
					check(t, &explain.Query{Rules: rules, Taints: node[:1+n/3%2], Tolerations: list})
				}
			}
		}
	}
	t.Logf("%d of %d pairs of lists", n/step, n)
}

// Edits of up to three tolerations with the key of two taints.
func TestEditExhaustively(t *testing.T) {
	pods := matchtest.Universe{
		Keys: []string{"a"}, Values: []string{"x", "2"}, Operators: []toleration.Operator{"", toleration.OpGt},
		Effects: []taint.Effect{"", taint.NoSchedule, taint.NoExecute}, Seconds: []*int64{nil},
	}
	tolerations := append(pods.Tolerations(), toleration.MustParse("a:NoSchedule"), toleration.MustParse("a:NoExecute@9"), toleration.MustParse("*:NoExecute@7"))
	nodes := matchtest.Universe{
		Keys: []string{"a"}, Values: []string{"x", "y", "1", "3"}, Effects: []taint.Effect{taint.NoSchedule, taint.NoExecute},
	}
	n, step := 0, stepOf(11)
	for node := range matchtest.Lists(nodes.Taints(), 2) {
		for pod := range matchtest.Lists(tolerations, 3) {
			if n++; n%step != 0 {
				continue
			}
			q := &explain.Query{Rules: toleration.Rules{Comparisons: n%2 == 0}, Taints: node, Tolerations: pod}
			checkEdit(t, q, goals[n/2%3])
		}
	}
	t.Logf("%d of %d pairs of lists", n/step, n)
}

func TestAnyLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := &explain.Query{Taints: matchtest.Taints().Draw(t, "taints")}
		q.Tolerations = matchtest.Tolerations(q.Taints).Draw(t, "tolerations")
		q.Rules.Comparisons = rapid.Bool().Draw(t, "comparisons")
		checkAny(t, q)
	})
}

// checkAny is check for taints that may be invalid, which additions can do more for
// than is needed.
func checkAny(t tester, q *explain.Query) {
	t.Helper()
	check(t, q)
	checkHidden(t, q)
}

const secret = "s3cr3t-"

// checkHidden: with hidden values, no value of a taint is in any answer, and what the
// answers say is right.
func checkHidden(t tester, q *explain.Query) {
	t.Helper()
	h := &explain.Query{Rules: q.Rules, Tolerations: q.Tolerations, HideValues: true}
	for i, x := range q.Taints {
		x.Value = secret + strconv.Itoa(i)
		h.Taints = append(h.Taints, x)
	}
	e := h.Explain()
	answers := []any{e, e.Eviction}
	for _, goal := range goals {
		add, edit, correct := h.Add(goal), h.Edit(goal), h.Correct(goal)
		answers = append(answers, add, edit, correct)
		for _, r := range [...]explain.Repair{add, edit, correct} {
			if !reaches(h, goal, r.Apply(nil, h.Tolerations)) {
				t.Fatalf("%s\n%v: %s", describe(h), goal, r)
			}
		}
		checkNeeded(t, h, add)
		checkNeeded(t, h, edit)
	}
	for _, answer := range answers {
		text, err := json.Marshal(answer)
		if err != nil {
			t.Fatalf("%s\n%v", describe(h), err)
		}
		if all := fmt.Sprintf("%s %v %+v %#v", text, answer, answer, answer); strings.Contains(all, secret) {
			t.Fatalf("%s\nnot hidden: %s", describe(h), all)
		}
	}
}

// FuzzExplain checks every answer for any lists.
func FuzzExplain(f *testing.F) {
	f.Add("a=x:NoSchedule,b:NoExecute", "a==y:NoSchedule,b:NoExecute@5", false) // a value differs, and time is limited
	f.Add("a=5:NoSchedule", "a>4", false)                                       // the gate is off
	f.Add("a=05:NoSchedule", "a>4", true)                                       // not a canonical integer
	f.Add("dedicated=x:NoSchedule", "dedciated==x:NoExecute", false)            // a misspelled key
	f.Add("a:NoExecute", "*:NoExecute@5,a:NoExecute@9,a:NoExecute", true)       // the order decides
	f.Add(`"":"",a:""`, `*="",a?In ""`, true)                                   // invalid
	target.Fuzz(f, func(t *testing.T, taints, tolerations string, comparisons bool) {
		q := &explain.Query{Taints: input.Taints(taints), Tolerations: input.Tolerations(tolerations)}
		q.Taints, q.Tolerations = q.Taints[:min(len(q.Taints), 20)], q.Tolerations[:min(len(q.Tolerations), 20)]
		q.Rules.Comparisons = comparisons
		checkAny(t, q)
	})
}

func TestNearest(t *testing.T) {
	for _, c := range []struct{ taint, tolerations, want string }{
		{"dedicated=gpu:NoSchedule", "", "no toleration comes near"},
		{"dedicated=gpu:NoSchedule", "other,*:NoExecute", `nearest is tolerations[1], *:NoExecute: its effect is "NoExecute"`},
		{"dedicated=gpu:NoSchedule", "*:NoExecute,dedicate", `nearest is tolerations[1], dedicate: its key is "dedicate"`},
		{"dedicated=gpu:NoSchedule", "*:NoExecute,dediactde", `nearest is tolerations[1], dediactde: its key is "dediactde"`},
		{"dedicated=gpu:NoSchedule", "dediactde,Dedicated==cpu", `nearest is tolerations[1], Dedicated==cpu: its key is "Dedicated", its value is "cpu"`},
		{"dedicated=gpu:NoSchedule", "example.com/dedicated:NoExecute,gpu",
			`nearest is tolerations[0], example.com/dedicated:NoExecute: its key is "example.com/dedicated", its effect is "NoExecute"`},
		{"example.com/a=gpu:NoSchedule", "example.com/b", "no toleration comes near"},
		{"example.com/a=gpu:NoSchedule", "example.com/bbbb,example.con/a", `nearest is tolerations[1], example.con/a: its key is "example.con/a"`},
		{"gpu:NoSchedule", "cpu", "no toleration comes near"},
		{"a=x:NoSchedule", "a=y:NoExecute,a=y,a=x:NoExecute", `nearest is tolerations[2], a=x:NoExecute: its effect is "NoExecute"`},
		{"a=x:NoSchedule", "a=y:NoExecute,a=y,a=z:NoSchedule", `nearest is tolerations[1], a=y: its value is "y"`},
		{"a=5:NoSchedule", "a=5:NoExecute,a>4:NoSchedule",
			"nearest is tolerations[1], a>4:NoSchedule: Gt does not count without the feature gate TaintTolerationComparisonOperators"},
		{"a=x:NoSchedule", "a=:NoSchedule",
			"nearest is tolerations[0], a=:NoSchedule: it has no operator and so equals the empty value only; is operator: Exists meant?"},
		{"a=x:NoSchedule", "a==:NoSchedule", `nearest is tolerations[0], a==:NoSchedule: its value is ""`},
		{"a=5:NoSchedule", "a>5:NoSchedule,a=6", `nearest is tolerations[1], a=6: its value is "6"`},
		{"a=5:NoSchedule", "a>5:NoExecute", "nearest is tolerations[0], a>5:NoExecute: " +
			`Gt does not count without the feature gate TaintTolerationComparisonOperators, its effect is "NoExecute", the taint's value is not greater than 5`},
		{"a=x:NoSchedule", "a?About ", `nearest is tolerations[0], a?About : its operator "About" is unknown`},
		{"a=x:NoSchedule", "a?exists ", `nearest is tolerations[0], a?exists : its operator "exists" is unknown`},
	} {
		q := parse(t, c.taint, c.tolerations)
		e := q.Explain()
		if want := c.taint + " is not tolerated; " + c.want; e.Reasons[0].String() != want {
			t.Errorf("%s:\n got %s\nwant %s", describe(q), e.Reasons[0], want)
		}
		check(t, q)
	}
}

func TestNearestWithComparisons(t *testing.T) {
	for _, c := range []struct{ taint, toleration, want string }{
		{"a=5:NoSchedule", "a<5", "the taint's value is not less than 5"},
		{"a=5:NoSchedule", "a<05", `its value "05" is not a canonical integer`},
		{"a=x:NoSchedule", "a>5", "the taint's value is not a canonical integer"},
		{"a=-5:NoSchedule", "a>5", "the taint's value is not greater than 5"},
		{"a=5:NoSchedule", "a<-5", "the taint's value is not less than -5"},
		{"a=-0:NoSchedule", "a>5", "the taint's value is not a canonical integer"},
	} {
		q := parse(t, c.taint, c.toleration)
		q.Rules.Comparisons = true
		want := c.taint + " is not tolerated; nearest is tolerations[0], " + c.toleration + ": " + c.want
		if got := q.Explain().Reasons[0].String(); got != want {
			t.Errorf("%s:\n got %s\nwant %s", describe(q), got, want)
		}
	}
	q := parse(t, "a=x:NoSchedule", "a>5")
	q.Rules.Comparisons, q.HideValues = true, true
	want := "a:NoSchedule is not tolerated; nearest is tolerations[0], a>5: the taint's value is not greater than 5"
	if got := q.Explain().Reasons[0].String(); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestEviction(t *testing.T) {
	for _, c := range []struct{ taints, tolerations, want string }{
		{"", "", "never evicted; the same in every order of the tolerations"},
		{"a:NoExecute", "", "evicted at once; the same in every order of the tolerations"},
		{"a:NoExecute", "a@5", "evicted after 5s: tolerations[0], a@5, decides; the same in every order of the tolerations"},
		{"a:NoExecute", "a@5,*", "evicted after 5s: tolerations[0], a@5, decides; in another order of the tolerations, never evicted"},
		{"a:NoExecute", "*,a@-1", "never evicted; in another order of the tolerations, evicted at once: tolerations[1], a@-1, decides"},
		{"a:NoExecute,b:NoExecute", "a@5,*@7,b@6", "evicted after 5s: tolerations[0], a@5, decides; " +
			"in another order of the tolerations, evicted after 7s at the latest: tolerations[1], *@7, decides"},
		{"a:NoExecute,b:NoExecute", "*@6,b@6,a@7,a@5", "evicted after 6s: tolerations[0], *@6, decides; " +
			"in another order of the tolerations, evicted after 5s at the soonest: tolerations[3], a@5, decides"},
		{"a:NoExecute", "a@6,a@7,a@5", "evicted after 6s: tolerations[0], a@6, decides; " +
			"in another order of the tolerations, evicted after 5s at the soonest: tolerations[2], a@5, decides; " +
			"in another order of the tolerations, evicted after 7s at the latest: tolerations[1], a@7, decides"},
	} {
		q := parse(t, c.taints, c.tolerations)
		if got := q.Explain().Eviction.String(); got != c.want {
			t.Errorf("%s: got %s", describe(q), got)
		}
		check(t, q)
	}
}

// Which taint and which toleration decide the time, for all nodes of up to three taints and
// pods of up to three tolerations: as match says for the order of the list, and for every
// other order (rules E1, E2).
func TestEvictionExhaustively(t *testing.T) {
	nodes := parse(t, "a:NoExecute,b:NoExecute,b:NoSchedule", "").Taints
	pods := parse(t, "", "a@5,b@6,b:NoExecute@5,*:NoExecute@7,a,b@0,*@-1,a:NoSchedule,b>5").Tolerations
	for node := range matchtest.Lists(nodes, 3) {
		for pod := range matchtest.Lists(pods, 3) {
			q := &explain.Query{Taints: node, Tolerations: pod}
			e := q.Explain()
			if want := match.Decide(node, pod, q.Rules); e.Verdict != want {
				t.Fatalf("%s\nverdict %+v, want %+v", describe(q), e.Verdict, want)
			}
			checkEviction(t, q, &e.Eviction)
		}
	}
}

func TestExplanationText(t *testing.T) {
	q := parse(t, "a=x:NoSchedule,b:NoExecute", "b:NoExecute@5,b:NoExecute")
	const want = `not schedulable: a=x:NoSchedule is not tolerated; evicted after 5s because of b:NoExecute
  a=x:NoSchedule is not tolerated; no toleration comes near
  b:NoExecute is tolerated by tolerations[0], b:NoExecute@5
  evicted after 5s: tolerations[0], b:NoExecute@5, decides; in another order of the tolerations, never evicted`
	if got := q.Explain().String(); got != want {
		t.Errorf("got %s", got)
	}
	const order = `schedulable; may stay
  a:NoExecute is tolerated by tolerations[0], a
  never evicted; in another order of the tolerations, evicted after 5s at the soonest: tolerations[1], a:NoExecute@5, decides`
	if got := parse(t, "a:NoExecute", "a,a:NoExecute@5").Explain().String(); got != order {
		t.Errorf("got %s", got)
	}
	for _, e := range []explain.Explanation{parse(t, "", "").Explain(), {}} {
		if got := e.String(); got != "schedulable; may stay" {
			t.Errorf("got %s", got)
		}
	}
}

func TestJSON(t *testing.T) {
	q := parse(t, "a=x:NoSchedule,b:NoExecute,c:NoSchedule", "b:NoExecute@5,a=y:NoSchedule")
	edit, none := q.Edit(explain.ToSchedule), explain.Repair{}
	const outcome = `{"eviction":"evict after","seconds":5,"taint":1,"index":0,` +
		`"toleration":{"key":"b","operator":"Exists","effect":"NoExecute","tolerationSeconds":5},` +
		`"text":"evicted after 5s: tolerations[0], b:NoExecute@5, decides"}`
	const stays = `{"eviction":"stay","text":"never evicted"}`
	for _, c := range []struct {
		value any
		want  string
	}{
		{q.Explain(), `{"scheduling":"unschedulable","schedulingTaint":0,` +
			`"eviction":` + outcome + `,"evictionAtTheSoonest":` + outcome + `,"evictionAtTheLatest":` + outcome + `,` +
			`"taints":[` +
			`{"taint":{"key":"a","value":"x","effect":"NoSchedule"},"tolerated":false,"index":1,` +
			`"toleration":{"key":"a","value":"y","effect":"NoSchedule"},"differs":["value"],` +
			`"text":"a=x:NoSchedule is not tolerated; nearest is tolerations[1], a=y:NoSchedule: its value is \"y\""},` +
			`{"taint":{"key":"b","effect":"NoExecute"},"tolerated":true,"index":0,` +
			`"toleration":{"key":"b","operator":"Exists","effect":"NoExecute","tolerationSeconds":5},` +
			`"text":"b:NoExecute is tolerated by tolerations[0], b:NoExecute@5"},` +
			`{"taint":{"key":"c","effect":"NoSchedule"},"tolerated":false,"text":"c:NoSchedule is not tolerated; no toleration comes near"}],` +
			`"text":"not schedulable: a=x:NoSchedule is not tolerated; evicted after 5s because of b:NoExecute"}`},
		{explain.Explanation{}, `{"scheduling":"schedulable","eviction":` + stays + `,"evictionAtTheSoonest":` + stays + `,` +
			`"evictionAtTheLatest":` + stays + `,"taints":[],"text":"schedulable; may stay"}`},
		{edit, `{"goal":"schedule","additions":[{"key":"c","operator":"Equal","effect":"NoSchedule"}],` +
			`"edits":[{"index":1,"old":{"key":"a","value":"y","effect":"NoSchedule"},"new":{"key":"a","operator":"Exists","effect":"NoSchedule"},"fields":["operator","value"]}],"size":6,` +
			`"text":"add c==:NoSchedule\nchange tolerations[1], a=y:NoSchedule, to a:NoSchedule"}`},
		{none, `{"goal":"schedule","additions":[],"edits":[],"size":0,"text":"change nothing"}`},
	} {
		encoded, err := json.Marshal(c.value)
		if err != nil || string(encoded) != c.want {
			t.Errorf("got %s, %v\nwant %s", encoded, err, c.want)
		}
	}
	q.HideValues = true
	reason, err := json.Marshal(q.Explain().Reasons[2])
	const want = `{"taint":{"key":"c","effect":"NoSchedule"},"valueHidden":true,"tolerated":false,` +
		`"text":"c:NoSchedule is not tolerated; no toleration comes near"}`
	if err != nil || string(reason) != want {
		t.Errorf("got %s, %v", reason, err)
	}
}

// The zero Query and nil lists have answers, and nothing writes to the lists.
func TestQueryIsNotChanged(t *testing.T) {
	q := parse(t, "a=x:NoSchedule,b:NoExecute,b:NoExecute", "b:NoExecute@5,a=y:NoSchedule,*:NoExecute@1")
	before := *parse(t, taint.FormatList(q.Taints), toleration.FormatList(q.Tolerations))
	check(t, q)
	if !reflect.DeepEqual(*q, before) {
		t.Errorf("changed: %s", describe(q))
	}
	check(t, new(explain.Query))
}

// A list that the API server refuses is said to be invalid, and gets the answers of match.
func TestInvalidLists(t *testing.T) {
	for text, want := range map[string]string{
		"":                 "",
		"a>5:NoExecute":    "", // valid where Gt counts
		"a:NoSchedule@5,a": `tolerations[0].effect: invalid value "NoSchedule": must be NoExecute when tolerationSeconds is set`,
		"*==x,a?In x": `tolerations[0].operator: invalid value "Equal": must be Exists when the key is empty, which matches every key and value; ` +
			`tolerations[1].operator: unsupported value "In": must be Exists, Equal, Lt, Gt or empty`,
	} {
		q := parse(t, "a=x:NoExecute,b=x:NoSchedule", text)
		e, got := q.Explain(), ""
		if e.Invalid != nil {
			got = e.Invalid.Error()
		}
		encoded, err := json.Marshal(e)
		inText := strings.HasSuffix(e.String(), "\n  the API server refuses the tolerations: "+want)
		if inJSON := strings.Contains(string(encoded), `"invalid":`); got != want || err != nil || inText != (want != "") || inJSON != (want != "") {
			t.Errorf("%s: %s\n%s\n%s", text, got, e, encoded)
		}
		if v := match.Decide(q.Taints, q.Rules.Active(nil, q.Tolerations)); e.Verdict != v {
			t.Errorf("%s: %v, want %v", text, e.Verdict, v)
		}
	}
}
