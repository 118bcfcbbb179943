package toleration_test

import (
	"errors"
	"strings"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestV2Parse(t *testing.T) {
	for _, c := range []struct {
		text string
		want toleration.Toleration
	}{
		{"*", toleration.Toleration{Operator: "Exists"}},
		{"*:NoSchedule", toleration.Toleration{Operator: "Exists", Effect: "NoSchedule"}},
		{"k", toleration.Toleration{Key: "k", Operator: "Exists"}},
		{"k=", toleration.Toleration{Key: "k"}},
		{"dedicated=gpu:NoSchedule", toleration.Toleration{Key: "dedicated", Value: "gpu", Effect: "NoSchedule"}},
		{"k==v", toleration.Toleration{Key: "k", Operator: "Equal", Value: "v"}},
		{"k==:NoExecute@-1", toleration.Toleration{Key: "k", Operator: "Equal", Effect: "NoExecute", TolerationSeconds: ptr(-1)}},
		{"node.kubernetes.io/not-ready:NoExecute@300",
			toleration.Toleration{Key: "node.kubernetes.io/not-ready", Operator: "Exists", Effect: "NoExecute", TolerationSeconds: ptr(300)}},
		{"example.com/cores>16", toleration.Toleration{Key: "example.com/cores", Operator: "Gt", Value: "16"}}, // valid in some cluster
		{"k<-5:PreferNoSchedule", toleration.Toleration{Key: "k", Operator: "Lt", Value: "-5", Effect: "PreferNoSchedule"}},
	} {
		got, err := toleration.Parse(c.text)
		if err != nil || !got.Equal(&c.want) || got.String() != c.text {
			t.Errorf("Parse(%q) = %+v, %v; want %+v", c.text, got, err, c.want)
		}
		if must := toleration.MustParse(c.text); !must.Equal(&c.want) {
			t.Errorf("MustParse(%q) = %+v", c.text, must)
		}
	}
}

func TestV2V4ParseRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `toleration "": the key is missing; * is every key`},
		{"=v", `toleration "=v": the key is missing; * is every key`},
		{"k v", `toleration "k v": key: invalid value "k v": the name` + wantName},
		{"k:", `toleration "k:": ":" must be followed by an effect`},
		{"k@", `toleration "k@": seconds ""` + wantInteger},
		{"k@1s", `toleration "k@1s": seconds "1s"` + wantInteger},
		{"k@01", `toleration "k@01": seconds "01"` + wantInteger},
		{"k@9223372036854775808", `toleration "k@9223372036854775808": seconds "9223372036854775808"` + wantInteger},
		{`"k"`, `toleration "\"k\"": key: invalid value "\"k\"": the name` + wantName},
		{`k="v"`, `toleration "k=\"v\"": value: invalid value "\"v\"":` + wantName},
		{"k=a=b", `toleration "k=a=b": value: invalid value "a=b":` + wantName},
		{"k===v", `toleration "k===v": value: invalid value "=v":` + wantName},
		{"k:NoExecute:x", `toleration "k:NoExecute:x": effect: unsupported value "NoExecute:x"` + wantEffect},
		{"**", `toleration "**": key: invalid value "**": the name` + wantName},
		{"*=", `toleration "*=": operator: invalid value ""` + wantExists},
		{"k?In v", `toleration "k?In v": key: invalid value "k?In v": the name` + wantName},
		{"k>x", `toleration "k>x": value: invalid value "x"` + wantInteger},
		{"k:Never", `toleration "k:Never": effect: unsupported value "Never"` + wantEffect},
		{"k:NoSchedule@5", `toleration "k:NoSchedule@5": effect: invalid value "NoSchedule": must be NoExecute when tolerationSeconds is set`},
		{"/=-:x", `toleration "/=-:x": key: invalid value "/": the part before "/" must not be empty; the name must not be empty; ` +
			`value: invalid value "-":` + wantName + `; effect: unsupported value "x"` + wantEffect},
	} {
		got, err := toleration.Parse(c.text)
		if message(err) != c.want || !got.Equal(&toleration.Toleration{}) {
			t.Errorf("Parse(%q) = %+v, %v\nwant %s", c.text, got, err, c.want)
		}
		func() {
			defer func() {
				if err, ok := recover().(error); !ok || message(err) != c.want {
					t.Errorf("MustParse(%q) panics with %v", c.text, err)
				}
			}()
			toleration.MustParse(c.text)
		}()
	}
	_, err := toleration.Parse("k>v:Never")
	var faults *taint.FieldErrors
	if !errors.As(err, &faults) || len(faults.Faults) != 2 || faults.Faults[0].Field != "value" || faults.Faults[1].Field != "effect" {
		t.Errorf("the faults of %v", err)
	}
}

// One fault for each field: the same words for the key / as in a taint.
func TestV4AsManyFaultsAsTaints(t *testing.T) {
	for _, key := range []string{"/", "a/b/c", "-", "A/" + strings.Repeat("x", 64)} {
		x := taint.Taint{Key: key, Effect: taint.NoSchedule}
		tol := toleration.For(&x)
		ofTaint, ofToleration := taint.Validate([]taint.Taint{x}), toleration.Rules{}.Validate([]toleration.Toleration{tol})
		if want := strings.ReplaceAll(message(ofTaint), "taints[", "tolerations["); message(ofToleration) != want || want == "" {
			t.Errorf("%q: got %v, and of a taint %v", key, ofToleration, ofTaint)
		}
	}
}

func TestParseList(t *testing.T) {
	got, err := toleration.ParseList("a=1:NoSchedule,*,a=1:NoSchedule,b>5")
	if err != nil || toleration.FormatList(got) != "a=1:NoSchedule,*,a=1:NoSchedule,b>5" {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := toleration.ParseList(""); got != nil || err != nil {
		t.Errorf(`ParseList("") = %v, %v`, got, err)
	}
	for text, want := range map[string]string{
		",":         `tolerations[0], at offset 0: toleration "": the key is missing; * is every key`,
		"a,":        `tolerations[1], at offset 2: toleration "": the key is missing; * is every key`,
		"a,b@x,c d": `tolerations[1], at offset 2: toleration "b@x": seconds "x"` + wantInteger,
		"a,*=":      `tolerations[1], at offset 2: toleration "*=": operator: invalid value ""` + wantExists,
		"ab,c,d:":   `tolerations[2], at offset 5: toleration "d:": ":" must be followed by an effect`,
	} {
		if got, err := toleration.ParseList(text); message(err) != want || got != nil {
			t.Errorf("ParseList(%q) = %v, %v; want %s", text, got, err, want)
		}
	}
}

func TestParseSharesTheMemoryOfTheText(t *testing.T) {
	text := strings.Clone("key=value:NoSchedule")
	got := toleration.MustParse(text)
	if unsafe.StringData(got.Key) != unsafe.StringData(text) || unsafe.StringData(got.Value) != unsafe.StringData(text[4:]) {
		t.Error("key or value is a copy")
	}
	if allocs := testing.AllocsPerRun(100, func() { toleration.MustParse(text) }); allocs != 0 {
		t.Errorf("Parse allocates %v times", allocs)
	}
	if allocs := testing.AllocsPerRun(100, func() { _, _ = toleration.ParseList("a=1:NoSchedule,b:NoExecute,c") }); allocs != 1 {
		t.Errorf("ParseList allocates %v times", allocs)
	}
}

// Parse reads exactly the valid tolerations from their texts.
func TestParseReadsValidTolerationsBack(t *testing.T) {
	valid := 0
	rapid.Check(t, func(t *rapid.T) {
		want := matchtest.Toleration().Draw(t, "toleration")
		if rapid.Bool().Draw(t, "plain") { // few of those drawn freely are valid
			want = toleration.Toleration{Key: "k", Operator: toleration.OpExists, Effect: want.Effect}
		}
		got, err := toleration.Parse(want.String())
		refused := toleration.Rules{Comparisons: true}.Validate([]toleration.Toleration{want})
		if (err == nil) != (refused == nil) || err == nil && !got.Equal(&want) {
			t.Fatalf("Parse(%q) = %+q, %v, but Validate: %v", want, got, err, refused)
		}
		if err == nil {
			valid++
		}
	})
	if valid == 0 {
		t.Error("no valid toleration was drawn")
	}
}

// What String prints can be read, whatever the words are; Parse reads it exactly if the
// toleration is valid.
func FuzzTextRoundTrip(f *testing.F) {
	f.Add("dedicated", "Equal", "gpu", "NoSchedule", false, int64(0)) // a valid toleration
	f.Add("", "", "", "", false, int64(0))                            // the zero Toleration
	f.Add("k", "Exists", "v", "NoExecute", true, int64(-1))           // Exists with a value
	f.Add("*", "=", "\"", "@", true, int64(300))                      // separators inside
	f.Add("\xff", "In ", "`", ":", true, int64(1<<63-1))              // not UTF-8
	target.Fuzz(f, func(t *testing.T, key, operator, value, effect string, timed bool, seconds int64) {
		want := toleration.Toleration{Key: key, Operator: toleration.Operator(operator), Value: value, Effect: taint.Effect(effect)}
		if timed {
			want.TolerationSeconds = &seconds
		}
		text := want.String()
		if got, err := notation.Toleration(text); err != nil || !got.Equal(&want) {
			t.Fatalf("Toleration(%q) = %+q, %v, want %+q", text, got, err, want)
		}
		refused := toleration.Rules{Comparisons: true}.Validate([]toleration.Toleration{want})
		if got, err := toleration.Parse(text); (err == nil) != (refused == nil) || err == nil && !got.Equal(&want) {
			t.Fatalf("Parse(%q) = %+q, %v, but Validate: %v", text, got, err, refused)
		}
	})
}

// What Parse accepts is valid, and without quotes and other operators.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"dedicated=gpu:NoSchedule", "*", "k==v", "k>5", "k<-5:NoExecute@300", // valid
		"*=", "k?In v", "k:Never", "k@5", "k>05", "k=-", // with an invalid part
		"", "k:", `"k"`, "k=`v`", "k v", "k,l", // misshapen
	} {
		f.Add(seed)
	}
	target.Fuzz(f, func(t *testing.T, text string) {
		got, err := toleration.Parse(text)
		lenient, lenientErr := notation.Toleration(text)
		refused := toleration.Rules{Comparisons: true}.Validate([]toleration.Toleration{lenient})
		valid := lenientErr == nil && refused == nil && !strings.ContainsAny(text, `"?`)
		if (err == nil) != valid {
			t.Fatalf("Parse(%q) = %v; leniently: %v; Validate: %v", text, err, lenientErr, refused)
		}
		if err == nil && !got.Equal(&lenient) || err != nil && !got.Equal(&toleration.Toleration{}) {
			t.Fatalf("Parse(%q) = %+q, leniently %+q", text, got, lenient)
		}
	})
}
