package word_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/taint/word"
)

func TestAppendAndCut(t *testing.T) {
	for _, c := range []struct{ s, text string }{
		{"gpu", "gpu"},
		{"node.kubernetes.io/not-ready", "node.kubernetes.io/not-ready"},
		{"-_./09azAZ", "-_./09azAZ"},
		{"", `""`},
		{"a b", `"a b"`},
		{"*", `"*"`},
		{`"`, `"\""`},
		{"é", `"é"`},
		{"\xff\n", `"\xff\n"`},
	} {
		if got := string(word.Append([]byte("x"), c.s)); got != "x"+c.text {
			t.Errorf("Append(x, %q) = %s, want x%s", c.s, got, c.text)
		}
		for _, rest := range []string{"", ":", "=v", " "} {
			w, left, err := word.Cut(c.text + rest)
			if w != c.s || left != rest || err != nil {
				t.Errorf("Cut(%q) = %q, %q, %v", c.text+rest, w, left, err)
			}
		}
	}
}

func TestCutRefuses(t *testing.T) {
	for _, text := range []string{"", ":", "=a", " a", "*", `"`, `"a`, `"\q"`, "`a`", "'a'", "é", "\xff"} {
		w, rest, err := word.Cut(text)
		if want := "found " + strconv.Quote(text); err == nil || err.Error() != want || w != "" || rest != text {
			t.Errorf("Cut(%q) = %q, %q, %v; want %s", text, w, rest, err, want)
		}
	}
}

// Every byte is either part of a bare word or begins none.
func TestBareBytes(t *testing.T) {
	const bare = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./"
	for b := range 256 {
		s := string([]byte{byte(b)})
		want := 0
		if strings.Contains(bare, s) {
			want = 1
		}
		if got := word.Bare(s + ":"); got != want {
			t.Errorf("Bare of byte %#x is %d", b, got)
		}
	}
	if n := word.Bare("abc"); n != 3 {
		t.Errorf("Bare(abc) = %d", n)
	}
}

func TestAllocations(t *testing.T) {
	dst := make([]byte, 0, 64)
	for _, s := range []string{"gpu", "a b"} {
		if allocs := testing.AllocsPerRun(100, func() { dst = word.Append(dst[:0], s) }); allocs != 0 {
			t.Errorf("Append of %q allocates %v times", s, allocs)
		}
	}
	if allocs := testing.AllocsPerRun(100, func() { _, _, _ = word.Cut("gpu:NoSchedule") }); allocs != 0 {
		t.Errorf("Cut of a bare word allocates %v times", allocs)
	}
}

// Every string is read back from its text, with what follows it.
func FuzzWord(f *testing.F) {
	f.Add("gpu", ":NoSchedule") // bare
	f.Add("a b", "")            // quoted
	f.Add("", "=v")             // empty
	f.Add("\xff", "\"")         // not UTF-8
	target.Fuzz(f, func(t *testing.T, s, rest string) {
		if word.Bare(rest) > 0 {
			rest = ":" + rest // else it would make a bare word longer
		}
		w, left, err := word.Cut(string(word.Append(nil, s)) + rest)
		if w != s || left != rest || err != nil {
			t.Fatalf("%q and %q come back as %q, %q, %v", s, rest, w, left, err)
		}
		if w, left, err := word.Cut(rest); err != nil && (w != "" || left != rest) {
			t.Fatalf("Cut(%q) = %q, %q, %v", rest, w, left, err)
		}
	})
}

func ExampleCut() {
	text := string(word.Append(nil, "not a label")) + ":NoSchedule"
	w, rest, err := word.Cut(text)
	fmt.Printf("%s %s %v\n", w, rest, err)
	// Output: not a label :NoSchedule <nil>
}
