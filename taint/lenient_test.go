package taint_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/fuzz/input"
	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/taint"
	"pgregory.net/rapid"
)

func TestParseLenient(t *testing.T) {
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
		got, err := taint.ParseLenient(c.text)
		if err != nil || got != c.want {
			t.Errorf("ParseLenient(%q) = %+q, %v; want %+q", c.text, got, err, c.want)
		}
	}
}

func TestParseLenientRefuses(t *testing.T) {
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
		if got, err := taint.ParseLenient(c.text); message(err) != c.want || got != (taint.Taint{}) {
			t.Errorf("ParseLenient(%q) = %+q, %v\nwant %s", c.text, got, err, c.want)
		}
	}
}

func TestParseListLenient(t *testing.T) {
	got, err := taint.ParseListLenient(`k=v:NoSchedule,k=v:NoSchedule,"a,b":x,c=,"",d:`)
	if want := `k=v:NoSchedule,k=v:NoSchedule,"a,b":x,c,"",d`; err != nil || taint.FormatList(got) != want {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := taint.ParseListLenient(""); got != nil || err != nil {
		t.Errorf(`ParseListLenient("") = %v, %v`, got, err)
	}
	for text, want := range map[string]string{
		",":       `taints ",": at offset 0: want the key, found ","`,
		"a,":      `taints "a,": at offset 2: want the key, found ""`,
		"a,=b":    `taints "a,=b": at offset 2: want the key, found "=b"`,
		"a b":     `taints "a b": at offset 1: unexpected space`,
		"a\tb":    `taints "a\tb": at offset 1: unexpected "\tb"`,
		"a,b=c=d": `taints "a,b=c=d": at offset 5: unexpected "=d"`,
	} {
		if got, err := taint.ParseListLenient(text); message(err) != want || got != nil {
			t.Errorf("ParseListLenient(%q) = %v, %v; want %s", text, got, err, want)
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
		got, err := taint.ParseListLenient(taint.FormatList(want))
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%q comes back as %q, %v", want, got, err)
		}
		for i := range want {
			if got, err := taint.ParseLenient(want[i].String()); err != nil || got != want[i] {
				t.Fatalf("%q comes back as %q, %v", want[i], got, err)
			}
		}
	})
}

// ParseLenient reads what String prints, whatever the words are; Parse reads it
// exactly if the taint is valid.
func FuzzTextRoundTrip(f *testing.F) {
	f.Add("dedicated", "gpu", "NoSchedule") // a valid taint
	f.Add("", "", "")                       // the zero Taint
	f.Add("k", "v", "")                     // no effect
	f.Add("a:b", "c=d", "e,f")              // separators inside
	f.Add(`"`, "\xff", "`")                 // quotes, and not UTF-8
	f.Fuzz(func(t *testing.T, key, value, effect string) {
		want := taint.Taint{Key: key, Value: value, Effect: taint.Effect(effect)}
		text := want.String()
		if got, err := taint.ParseLenient(text); err != nil || got != want {
			t.Fatalf("ParseLenient(%q) = %+q, %v, want %+q", text, got, err, want)
		}
		if got, err := taint.Parse(text); (err == nil) != isTaint(want) || err == nil && got != want {
			t.Fatalf("Parse(%q) = %+q, %v", text, got, err)
		}
	})
}

// What ParseLenient reads is written in a form that it reads as the same.
func FuzzParseLenient(f *testing.F) {
	for _, seed := range []string{
		"k=v:NoSchedule,k", `"a b"="":x`, "k=:,k:,k=", // every part of the form
		"k=v=w", "k::", ",", `"`, "k=`v`", "", // near misses
	} {
		f.Add(seed)
	}
	target.Fuzz(f, func(t *testing.T, text string) {
		list, err := taint.ParseListLenient(text)
		if err != nil {
			if list != nil || !strings.HasPrefix(err.Error(), "taints ") {
				t.Fatalf("ParseListLenient(%q) = %v, %v", text, list, err)
			}
			list = input.Taints(text)
		}
		canonical := taint.FormatList(list)
		again, err := taint.ParseListLenient(canonical)
		if err != nil || !slices.Equal(again, list) || taint.FormatList(again) != canonical {
			t.Fatalf("%q was read as %q, but %q as %q, %v", text, list, canonical, again, err)
		}
	})
}
