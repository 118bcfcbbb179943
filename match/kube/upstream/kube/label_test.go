package kube

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/taint"
)

// alphabet holds a character of each kind that the form of keys and values
// tells apart.
const alphabet = "aZ0-_./ é"

// TestV1CheckShort checks every text of up to six of those characters as a key
// and as a value.
func TestV1CheckShort(t *testing.T) {
	texts := listsUpTo(6, []rune(alphabet))
	valid := 0
	for _, text := range texts {
		valid += compareCheck(t, string(text))
	}
	t.Logf("%d texts compared as keys and as values, %d verdicts were good", len(texts), valid)
}

// TestV1CheckLong checks texts around the limits of length.
func TestV1CheckLong(t *testing.T) {
	lengths := rapid.OneOf(rapid.IntRange(62, 64), rapid.IntRange(252, 254), rapid.IntRange(0, 330))
	rapid.Check(t, func(t *rapid.T) {
		text := long(t, lengths.Draw(t, "name"))
		if rapid.Bool().Draw(t, "prefix") {
			text = long(t, lengths.Draw(t, "prefix")) + "/" + text
		}
		compareCheck(t, text)
	})
}

// long draws a text of n characters that is well formed, except for its length and
// a stray character here and there.
func long(t *rapid.T, n int) string {
	text := make([]byte, n)
	for i := range text {
		text[i] = "abcdefghij"[i%10]
		if i%40 == 30 {
			text[i] = '.'
		}
	}
	if n > 0 && rapid.IntRange(0, 2).Draw(t, "stray") == 0 {
		text[rapid.IntRange(0, n-1).Draw(t, "at")] = rapid.SampledFrom([]byte(alphabet)).Draw(t, "character")
	}
	return string(text)
}

// FuzzCheck checks any text as a key and as a value (rules V1, V2, K2). The
// oracle is k8s.io/apimachinery.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{
		"a", "example.com/a", "A.b-c_d9", "node.kubernetes.io/not-ready", // good
		"", "/", "a/", "/a", "a/b/c", "-a", "a-", "a b", "é", "\xff/a", // not good
		"A/b", "a_b/c", // good in a name, not in a prefix
		"a..b/c", "a.-b/c", "a.b./c", ".a/b", // labels of the prefix that are empty or begin with a dash
		"a--b/c--d", // dashes next to each other
		"a\n",       // $ in a regular expression may match before a final newline
		strings.Repeat("x", 63), strings.Repeat("x", 64), strings.Repeat("x.", 126) + "x/a", strings.Repeat("x.", 126) + "xx/a",
	} {
		f.Add(seed)
	}
	target.Fuzz(f, func(t *testing.T, text string) { compareCheck(t, text) })
}

// compareCheck returns how many of the two verdicts were good.
func compareCheck(t rapid.TB, text string) (valid int) {
	faults, err := validation.IsQualifiedName(text), taint.CheckKey(text)
	if (err == nil) != (len(faults) == 0) {
		t.Fatalf("CheckKey(%q) = %v, want %q", text, err, faults)
	}
	if err == nil {
		valid++
	}
	faults, err = validation.IsValidLabelValue(text), taint.CheckValue(text)
	if (err == nil) != (len(faults) == 0) {
		t.Fatalf("CheckValue(%q) = %v, want %q", text, err, faults)
	}
	if err == nil {
		valid++
	}
	return valid
}
