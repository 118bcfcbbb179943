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
		{"k==v", "k=v", false, false}, // an empty operator is not Equal here
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
