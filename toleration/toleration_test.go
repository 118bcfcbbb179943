package toleration_test

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func TestJSONIsThatOfKubernetes(t *testing.T) {
	for text, want := range map[string]string{
		"*=":                       `{}`,
		"*":                        `{"operator":"Exists"}`,
		"k==v:NoExecute@0":         `{"key":"k","operator":"Equal","value":"v","effect":"NoExecute","tolerationSeconds":0}`,
		"k=:NoExecute@-5":          `{"key":"k","effect":"NoExecute","tolerationSeconds":-5}`,
		"k@9223372036854775807":    `{"key":"k","operator":"Exists","tolerationSeconds":9223372036854775807}`,
		`"<&>"="\u2028":NoExecute`: `{"key":"\u003c\u0026\u003e","value":"\u2028","effect":"NoExecute"}`,
	} {
		tol := mustParse(text)
		got, err := json.Marshal(tol)
		if err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v; want %s", text, got, err, want)
		}
		var back toleration.Toleration
		if err := json.Unmarshal(got, &back); err != nil || !back.Equal(&tol) {
			t.Errorf("%s: read back as %+q, %v", text, back, err)
		}
	}
}

func TestA6MatchesAndEqual(t *testing.T) {
	for _, c := range []struct {
		a, b           string
		matches, equal bool
	}{
		{"k==v:NoExecute@5", "k==v:NoExecute@5", true, true},
		{"k==v:NoExecute@5", "k==v:NoExecute@6", true, false},
		{"k==v:NoExecute@5", "k==v:NoExecute", true, false},
		{"k==v:NoExecute", "k==v:NoExecute", true, true},
		{"k==v", "k=v", true, true}, // an empty operator is Equal
		{"k==v:NoExecute", "k=v:NoExecute@5", true, false},
		{"k=", "k", false, false},
		{"k=v", "l=v", false, false},
		{"k=v", "k=w", false, false},
		{"k=v", "k=v:NoSchedule", false, false},
	} {
		a, b := mustParse(c.a), mustParse(c.b)
		for range 2 { // both are symmetric
			if got := a.Matches(&b); got != c.matches {
				t.Errorf("%s matches %s: %v", a, b, got)
			}
			if got := a.Equal(&b); got != c.equal {
				t.Errorf("%s equal %s: %v", a, b, got)
			}
			a, b = b, a
		}
	}
}

// The toleration for a taint is valid if the taint is, and tolerates no valid
// taint but that one.
func TestFor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := matchtest.Taint().Draw(t, "x"), matchtest.Taint().Draw(t, "y")
		tol := toleration.For(&x)
		if tol.Operator != toleration.OpEqual || tol.TolerationSeconds != nil || !tol.Tolerates(&x) {
			t.Fatalf("for %q: %q", x, tol)
		}
		if taint.Validate([]taint.Taint{x}) != nil {
			return
		}
		if err := (toleration.Rules{}).Validate([]toleration.Toleration{tol}); err != nil {
			t.Fatalf("for %q: %v", x, err)
		}
		for _, near := range []taint.Taint{y, {Key: x.Key, Value: y.Value, Effect: x.Effect}, {Key: x.Key, Value: x.Value, Effect: y.Effect}} {
			if same := near.Matches(&x) && near.Value == x.Value; tol.Tolerates(&near) != same {
				t.Fatalf("the toleration for %q tolerates %q: %v", x, near, !same)
			}
		}
	})
}

func TestComparison(t *testing.T) {
	for operator, want := range map[toleration.Operator]bool{
		toleration.OpGt: true, toleration.OpLt: true, toleration.OpEqual: false, toleration.OpExists: false, "": false, "gt": false,
	} {
		if got := operator.Comparison(); got != want {
			t.Errorf("%q: %v", operator, got)
		}
	}
}

func TestClonesShareNothingButStrings(t *testing.T) {
	seconds := int64(300)
	original := []toleration.Toleration{{Key: "a", TolerationSeconds: &seconds}, {Key: "b"}}
	clone := toleration.Clone(original)
	if !clone[0].Equal(&original[0]) || !clone[1].Equal(&original[1]) || len(clone) != 2 {
		t.Errorf("the clone is %v", clone)
	}
	seconds, original[1].Key = 1, "c"
	if *clone[0].TolerationSeconds != 300 || clone[1].Key != "b" {
		t.Errorf("the clone changes with the original: %v", clone)
	}
	if toleration.Clone(nil) != nil {
		t.Error("the clone of nil is not nil")
	}
}

// What a user wrote without an operator is found again with Equal: by each list function, and
// by the API server, which refuses to change how it is written.
func TestA6OneIdentity(t *testing.T) {
	for _, n := range []int{0, 40} { // long lists go through tables
		written := append(many(n), mustParse("k=v:NoExecute@5"))
		meant := toleration.For(&taint.Taint{Key: "k", Value: "v", Effect: taint.NoExecute})
		if i := find(written, meant); i != n {
			t.Errorf("found at %d", i)
		}
		if left, removed := toleration.Remove(nil, written, meant); !removed || len(left) != n {
			t.Errorf("%d are left", len(left))
		}
		updated, changed := toleration.Upsert(nil, written, meant)
		if last := updated[len(updated)-1]; !changed || len(updated) != n+1 || last.Operator != "" || last.TolerationSeconds != nil {
			t.Errorf("%s becomes %s", toleration.FormatList(written), toleration.FormatList(updated))
		}
		if err := (toleration.Rules{}).ValidateUpdate(updated, written); err != nil {
			t.Error(err)
		}
		if again, changed := toleration.Upsert(nil, updated, meant); changed || !toleration.Equal(again, updated) {
			t.Errorf("a second time: %s", toleration.FormatList(again))
		}
	}
}

// The API server takes a field by its exact name only.
func TestJSONNamesHaveCase(t *testing.T) {
	var got toleration.Toleration
	text := `{"KEY":"a","key":"b","Operator":"Exists","EFFECT":"NoExecute","tolerationseconds":5,"other":{}}`
	if err := json.Unmarshal([]byte(text), &got); err != nil || got != (toleration.Toleration{Key: "b"}) {
		t.Errorf("got %v, %v", got, err)
	}
	if err := json.Unmarshal([]byte(`{"tolerationSeconds":"5"}`), &got); err == nil || got.Key != "b" {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestParseListJSON(t *testing.T) {
	list, err := toleration.ParseListJSON([]byte(` [{"key":"a","operator":"Exists"}, {"key":"b","value":"x","effect":"NoExecute","tolerationSeconds":5}] `))
	if err != nil || toleration.FormatList(list) != "a,b=x:NoExecute@5" {
		t.Errorf("got %v, %v", list, err)
	}
	for text, want := range map[string]string{
		`[{"KEY":"a"}]`:                `tolerations[0]: field "KEY" is unknown or repeated`,
		`[{"key":"a"},{"seconds":5}]`:  `tolerations[1]: field "seconds" is unknown or repeated`,
		`[{"key":"a","key":"b"}]`:      `tolerations[0]: field "key" is unknown or repeated`,
		`[{"key":1}]`:                  `tolerations[0].key: want string, got number`,
		`[5]`:                          `tolerations[0]: want an object`,
		`{}`:                           `tolerations: want a list, got object`,
		`[] x`:                         `tolerations: invalid character 'x' after top-level value`,
		`[{"tolerationSeconds":1e99}]`: `tolerations[0].tolerationSeconds: want int64, got number 1e99`,
	} {
		if list, err := toleration.ParseListJSON([]byte(text)); list != nil || err == nil || err.Error() != want {
			t.Errorf("%s: %v, %v", text, list, err)
		}
	}
	if list, err := toleration.ParseListJSON([]byte("null")); list != nil || err != nil {
		t.Errorf("null: %v, %v", list, err)
	}
}

func TestMustParseList(t *testing.T) {
	if list := toleration.MustParseList("a,b"); len(list) != 2 {
		t.Errorf("got %v", list)
	}
	defer func() {
		if recover() == nil {
			t.Error("an invalid list does not panic")
		}
	}()
	toleration.MustParseList("a,-")
}
