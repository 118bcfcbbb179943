package notation_test

import (
	"slices"
	"strings"
	"testing"

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

func ptr(n int64) *int64 { return &n }

func TestTaint(t *testing.T) {
	for _, c := range []struct {
		text string
		want taint.Taint
	}{
		{"k=v:NoSchedule", taint.Taint{Key: "k", Value: "v", Effect: "NoSchedule"}},
		{"k=:NoSchedule", taint.Taint{Key: "k", Effect: "NoSchedule"}},
		{"k:NoSchedule", taint.Taint{Key: "k", Effect: "NoSchedule"}},
		{"k", taint.Taint{Key: "k"}},
		{"k=", taint.Taint{Key: "k"}},
		{"k:", taint.Taint{Key: "k"}},
		{"k=:", taint.Taint{Key: "k"}},
		{"k=v", taint.Taint{Key: "k", Value: "v"}},
		{"k=v:", taint.Taint{Key: "k", Value: "v"}},
		{"a/b/c=-:Evict", taint.Taint{Key: "a/b/c", Value: "-", Effect: "Evict"}},
		{`""`, taint.Taint{}},
		{`""="":""`, taint.Taint{}},
		{`"a:b"="c=d":"e,f"`, taint.Taint{Key: "a:b", Value: "c=d", Effect: "e,f"}},
		{`"\xff"`, taint.Taint{Key: "\xff"}},
	} {
		got, err := notation.Taint(c.text)
		if err != nil || got != c.want {
			t.Errorf("Taint(%q) = %+q, %v; want %+q", c.text, got, err, c.want)
		}
	}
}

func TestTaintRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `taint "": at offset 0: want the key, found ""`},
		{"=v", `taint "=v": at offset 0: want the key, found "=v"`},
		{"k=a=b", `taint "k=a=b": at offset 3: unexpected "=b"`},
		{"k:a:b", `taint "k:a:b": at offset 3: unexpected ":b"`},
		{"k=~", `taint "k=~": at offset 2: want the value, found "~"`},
		{"k: NoSchedule", `taint "k: NoSchedule": at offset 2: want the effect, found " NoSchedule"`},
		{`"k`, `taint "\"k": at offset 0: want the key, found "\"k"`},
		{`k"v"`, `taint "k\"v\"": at offset 1: unexpected "\"v\""`},
		{"k,l", `taint "k,l": at offset 1: unexpected ",l"`},
	} {
		if got, err := notation.Taint(c.text); message(err) != c.want || got != (taint.Taint{}) {
			t.Errorf("Taint(%q) = %+q, %v\nwant %s", c.text, got, err, c.want)
		}
	}
}

func TestTaints(t *testing.T) {
	got, err := notation.Taints(`k=v:NoSchedule,k=v:NoSchedule,"a,b":x,c=,"",d:`)
	if want := `k=v:NoSchedule,k=v:NoSchedule,"a,b":x,c,"",d`; err != nil || taint.FormatList(got) != want {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := notation.Taints(""); got != nil || err != nil {
		t.Errorf(`Taints("") = %v, %v`, got, err)
	}
	for text, want := range map[string]string{
		",":       `taints ",": at offset 0: want the key, found ","`,
		"a,":      `taints "a,": at offset 2: want the key, found ""`,
		"a,=b":    `taints "a,=b": at offset 2: want the key, found "=b"`,
		"a b":     `taints "a b": at offset 1: unexpected space`,
		"a\tb":    `taints "a\tb": at offset 1: unexpected "\tb"`,
		"a,b=c=d": `taints "a,b=c=d": at offset 5: unexpected "=d"`,
	} {
		if got, err := notation.Taints(text); message(err) != want || got != nil {
			t.Errorf("Taints(%q) = %v, %v; want %s", text, got, err, want)
		}
	}
}

// anyTaint draws any strings at all, without TimeAdded.
var anyTaint = rapid.Custom(func(t *rapid.T) taint.Taint {
	words := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "k", "=", ":", ",", `"`, "\xff", "NoSchedule"}))
	return taint.Taint{Key: words.Draw(t, "key"), Value: words.Draw(t, "value"), Effect: taint.Effect(words.Draw(t, "effect"))}
})

func TestEveryTaintIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(anyTaint, 0, 4).Draw(t, "taints")
		got, err := notation.Taints(taint.FormatList(want))
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%q comes back as %q, %v", want, got, err)
		}
		for i := range want {
			if got, err := notation.Taint(want[i].String()); err != nil || got != want[i] {
				t.Fatalf("%q comes back as %q, %v", want[i], got, err)
			}
		}
	})
}

// What Taints reads is written in a form that it reads as the same.
func FuzzTaints(f *testing.F) {
	for _, seed := range []string{
		"k=v:NoSchedule,k", `"a b"="":x`, "k=:,k:,k=", // every part of the form
		"k=v=w", "k::", ",", `"`, "k=`v`", "", // near misses
	} {
		f.Add(seed)
	}
	target.Fuzz(f, func(t *testing.T, text string) {
		list, err := notation.Taints(text)
		if err != nil {
			if list != nil || !strings.HasPrefix(err.Error(), "taints ") {
				t.Fatalf("Taints(%q) = %v, %v", text, list, err)
			}
			return
		}
		canonical := taint.FormatList(list)
		again, err := notation.Taints(canonical)
		if err != nil || !slices.Equal(again, list) || taint.FormatList(again) != canonical {
			t.Fatalf("%q was read as %q, but %q as %q, %v", text, list, canonical, again, err)
		}
	})
}

func TestToleration(t *testing.T) {
	for _, c := range []struct {
		text string
		want toleration.Toleration
	}{
		{"*", toleration.Toleration{Operator: "Exists"}},
		{"*=", toleration.Toleration{}},
		{"*==", toleration.Toleration{Operator: "Equal"}},
		{"*:NoSchedule", toleration.Toleration{Operator: "Exists", Effect: "NoSchedule"}},
		{"k", toleration.Toleration{Key: "k", Operator: "Exists"}},
		{"k=", toleration.Toleration{Key: "k"}},
		{"k=v", toleration.Toleration{Key: "k", Value: "v"}},
		{"k==v", toleration.Toleration{Key: "k", Operator: "Equal", Value: "v"}},
		{"k==:NoExecute@0", toleration.Toleration{Key: "k", Operator: "Equal", Effect: "NoExecute", TolerationSeconds: ptr(0)}},
		{"k>-5", toleration.Toleration{Key: "k", Operator: "Gt", Value: "-5"}},
		{"k<5:NoSchedule", toleration.Toleration{Key: "k", Operator: "Lt", Value: "5", Effect: "NoSchedule"}},
		{"example.com/a_B-c.d=v/w", toleration.Toleration{Key: "example.com/a_B-c.d", Value: "v/w"}},
		{"k?In v", toleration.Toleration{Key: "k", Operator: "In", Value: "v"}},
		{"k?In ", toleration.Toleration{Key: "k", Operator: "In"}},
		{`k?"a b" v`, toleration.Toleration{Key: "k", Operator: "a b", Value: "v"}},
		{"k?Exists v:NoSchedule", toleration.Toleration{Key: "k", Operator: "Exists", Value: "v", Effect: "NoSchedule"}},
		{"k:Other", toleration.Toleration{Key: "k", Operator: "Exists", Effect: "Other"}},
		{`k:"No Schedule"`, toleration.Toleration{Key: "k", Operator: "Exists", Effect: "No Schedule"}},
		{`"*"`, toleration.Toleration{Key: "*", Operator: "Exists"}},
		{`"a=b"="c:d,e@1"`, toleration.Toleration{Key: "a=b", Value: "c:d,e@1"}},
		{`"\xff\n\""==`, toleration.Toleration{Key: "\xff\n\"", Operator: "Equal", Value: ""}},
		{"k:NoExecute@300", toleration.Toleration{Key: "k", Operator: "Exists", Effect: "NoExecute", TolerationSeconds: ptr(300)}},
		{"*@-9223372036854775808", toleration.Toleration{Operator: "Exists", TolerationSeconds: ptr(-1 << 63)}},
		{"k=v@9223372036854775807", toleration.Toleration{Key: "k", Value: "v", TolerationSeconds: ptr(1<<63 - 1)}},
	} {
		got, err := notation.Toleration(c.text)
		if err != nil {
			t.Errorf("Toleration(%q): %v", c.text, err)
			continue
		}
		if !got.Equal(&c.want) {
			t.Errorf("Toleration(%q) = %+v, want %+v", c.text, got, c.want)
		}
		if back, err := notation.Toleration(got.String()); err != nil || !back.Equal(&got) {
			t.Errorf("Toleration(%q.String()) = %v, %v", c.text, back, err)
		}
	}
}

// Canonical texts are written as they are read.
func TestTextsAreCanonical(t *testing.T) {
	for _, text := range []string{
		"*", "*=", "*==", "*:NoSchedule", "k", "k=v:NoSchedule", "k==v:NoExecute@300", "k>5", "k<-5:Other", "k?In v", "k?Exists v",
		`"*"`, `"a b"=:NoSchedule@-1`, "node.kubernetes.io/not-ready:NoExecute@300",
	} {
		tol, err := notation.Toleration(text)
		if err != nil {
			t.Errorf("Toleration(%q): %v", text, err)
		} else if got := tol.String(); got != text {
			t.Errorf("%q is written as %q", text, got)
		}
	}
}

func TestTolerationRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `toleration "": at offset 0: want the key, found ""`},
		{"=v", `toleration "=v": at offset 0: want the key, found "=v"`},
		{"k v", `toleration "k v": at offset 1: unexpected space`},
		{"*k", `toleration "*k": at offset 1: unexpected "k"`},
		{"k=a=b", `toleration "k=a=b": at offset 3: unexpected "=b"`},
		{"k===v", `toleration "k===v": at offset 3: want the value, found "=v"`},
		{"k:", `toleration "k:": at offset 2: want the effect, found ""`},
		{"k:a:b", `toleration "k:a:b": at offset 3: unexpected ":b"`},
		{"k@", `toleration "k@": at offset 2: want seconds, found ""`},
		{"k@1s", `toleration "k@1s": at offset 2: want seconds, found "1s"`},
		{"k@9223372036854775808", `toleration "k@9223372036854775808": at offset 2: seconds "9223372036854775808" do not fit in 64 bits`},
		{"k@-9223372036854775809", `toleration "k@-9223372036854775809": at offset 2: seconds "-9223372036854775809" do not fit in 64 bits`},
		{"k@10000000000000000000", `toleration "k@10000000000000000000": at offset 2: seconds "10000000000000000000" do not fit in 64 bits`},
		{"k@01", `toleration "k@01": at offset 2: want seconds, found "01"`},
		{"k\tv", `toleration "k\tv": at offset 1: unexpected "\tv"`},
		{"k@1,k", `toleration "k@1,k": at offset 3: unexpected ",k"`},
		{"k?In", `toleration "k?In": at offset 4: want a space after the operator, found ""`},
		{"k? v", `toleration "k? v": at offset 2: want the operator, found " v"`},
		{`"k`, `toleration "\"k": at offset 0: want the key, found "\"k"`},
		{"`k`", "toleration \"`k`\": at offset 0: want the key, found \"`k`\""},
		{"k=~v", `toleration "k=~v": at offset 2: want the value, found "~v"`},
	} {
		got, err := notation.Toleration(c.text)
		if err == nil {
			t.Errorf("Toleration(%q) = %v, want an error", c.text, got)
			continue
		}
		if err.Error() != c.want {
			t.Errorf("Toleration(%q):\n got %s\nwant %s", c.text, err, c.want)
		}
		if !got.Equal(&toleration.Toleration{}) {
			t.Errorf("Toleration(%q) = %v with its error", c.text, got)
		}
	}
}

func TestTolerations(t *testing.T) {
	list, err := notation.Tolerations(`a=1:NoSchedule,"b,c"=",",*@5,d?In ,e=`)
	if err != nil || len(list) != 5 || list[1].Key != "b,c" || list[1].Value != "," || *list[2].TolerationSeconds != 5 || list[3].Operator != "In" {
		t.Errorf("got %q, %v", list, err)
	}
	if list, err := notation.Tolerations(""); list != nil || err != nil {
		t.Errorf(`of "": got %v, %v`, list, err)
	}
	for text, want := range map[string]string{
		",":         `tolerations ",": at offset 0: want the key, found ","`,
		"a,":        `tolerations "a,": at offset 2: want the key, found ""`,
		"a,,b":      `tolerations "a,,b": at offset 2: want the key, found ",b"`,
		"a b":       `tolerations "a b": at offset 1: unexpected space`,
		"a~b":       `tolerations "a~b": at offset 1: unexpected "~b"`,
		"a@,b":      `tolerations "a@,b": at offset 2: want seconds, found ""`,
		"a,=b":      `tolerations "a,=b": at offset 2: want the key, found "=b"`,
		"a@5,b@x,c": `tolerations "a@5,b@x,c": at offset 6: want seconds, found "x"`,
	} {
		if list, err := notation.Tolerations(text); err == nil || err.Error() != want || list != nil {
			t.Errorf("Tolerations(%q) = %v, %v; want %s", text, list, err, want)
		}
	}
}

// Whatever a toleration holds, its text is read back as the same.
func TestEveryTolerationIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOf(matchtest.Toleration()).Draw(t, "list")
		text := toleration.FormatList(list)
		back, err := notation.Tolerations(text)
		if err != nil || len(back) != len(list) {
			t.Fatalf("%q: got %d of %d, %v", text, len(back), len(list), err)
		}
		for i := range list {
			if !back[i].Equal(&list[i]) {
				t.Fatalf("%q: %+q became %+q", text, list[i], back[i])
			}
		}
	})
}

func FuzzTolerations(f *testing.F) {
	for _, seed := range []string{
		"*", "*=", "k==v:NoSchedule@300", "k>5,k<6", `"a\xffb"?"x y" "z"`, // every part of the form
		"k?Exists v", "k@-0", "k@00", "*k", "k=\"\"", "k=``", // near-misses of it
	} {
		f.Add(seed)
	}
	target.Fuzz(f, func(t *testing.T, text string) {
		list, err := notation.Tolerations(text)
		if err != nil {
			if list != nil {
				t.Fatalf("a list with the error: %v", list)
			}
			return
		}
		// What is read is written in a form that is read as the same.
		canonical := toleration.FormatList(list)
		back, err := notation.Tolerations(canonical)
		if err != nil || len(back) != len(list) {
			t.Fatalf("%q was read, but not %q: %v", text, canonical, err)
		}
		for i := range list {
			if !back[i].Equal(&list[i]) {
				t.Fatalf("%q: %+q became %+q", text, list[i], back[i])
			}
		}
		if again := toleration.FormatList(back); again != canonical {
			t.Fatalf("%q is not canonical: %q", canonical, again)
		}
	})
}
