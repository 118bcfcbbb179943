package taint_test

import (
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/taint"
)

// The causes that CheckKey and CheckValue give.
const (
	form         = `must consist of letters, digits, "-", "_" and ".", and begin and end with a letter or digit`
	badName      = "the name " + form
	longName     = "the name must be no more than 63 characters"
	noName       = "the name must not be empty"
	badPrefix    = `the part before "/" must consist of lower case letters, digits, "-" and ".", and each of its labels must begin and end with a letter or digit`
	longPrefix   = `the part before "/" must be no more than 253 characters`
	noPrefix     = `the part before "/" must not be empty`
	manySlashes  = `must be a name with an optional DNS subdomain and one "/" in front`
	longValue    = "must be no more than 63 characters"
	nothingWrong = ""
)

func x(n int) string { return strings.Repeat("x", n) }

var keyTests = []struct{ key, cause string }{
	{"a", nothingWrong},
	{"A", nothingWrong},
	{"0", nothingWrong},
	{"z9", nothingWrong},
	{"Zone.1_a-b", nothingWrong},
	{"a..b", nothingWrong},
	{"a-_.b", nothingWrong},
	{"example.com/a", nothingWrong},
	{"example.com/A_b.c-d", nothingWrong},
	{"a/a", nothingWrong},
	{"0.9.z/a", nothingWrong},
	{"a--b.c/a", nothingWrong},
	{x(63), nothingWrong},
	{x(64), longName},
	{x(253) + "/" + x(63), nothingWrong},
	{x(254) + "/" + x(63), longPrefix},
	{x(253) + "/" + x(64), longName},
	{x(254) + "/" + x(64), longPrefix + "; " + longName},
	{strings.Repeat("a.", 126) + "a/k", nothingWrong},
	{strings.Repeat("a.", 127) + "a/k", longPrefix},
	{"", noName},
	{"/", noPrefix + "; " + noName},
	{"/a", noPrefix},
	{"a/", noName},
	{"a/b/c", manySlashes},
	{"a//b", manySlashes},
	{"//", manySlashes},
	{"A.com/a", badPrefix},
	{"a.coM/a", badPrefix},
	{"a_b/a", badPrefix},
	{"-a/a", badPrefix},
	{"a-/a", badPrefix},
	{"a.-b/a", badPrefix},
	{"a-.b/a", badPrefix},
	{".a/a", badPrefix},
	{"a./a", badPrefix},
	{"a..b/a", badPrefix},
	{"a b/a", badPrefix},
	{"é/a", badPrefix},
	{"A" + x(253) + "/" + x(64), longPrefix + "; " + badPrefix + "; " + longName},
	{"-a", badName},
	{"a-", badName},
	{"_a", badName},
	{"a_", badName},
	{".a", badName},
	{"a.", badName},
	{"-", badName},
	{"a b", badName},
	{" a", badName},
	{"a\n", badName},
	{"a\x00b", badName},
	{"a:b", badName},
	{"a=b", badName},
	{"a,b", badName},
	{"é", badName},
	{"a\xffb", badName},
	{"a@", badName},
	{"a[b", badName},
	{"a`b", badName},
	{"a{b", badName},
	{"a?b", badName},
	{"a+b", badName},
	{x(63) + "-", longName + "; " + badName},
}

var valueTests = []struct{ value, cause string }{
	{"", nothingWrong},
	{"a", nothingWrong},
	{"Z", nothingWrong},
	{"1790000000", nothingWrong},
	{"a.b_c-d", nothingWrong},
	{x(63), nothingWrong},
	{x(64), longValue},
	{x(63) + "-", longValue + "; " + form},
	{"a/b", form},
	{"-1", form},
	{"a-", form},
	{"a b", form},
	{"a@", form},
	{" ", form},
	{"é", form},
	{"\xff", form},
}

func TestV1K2CheckKey(t *testing.T) {
	for _, tt := range keyTests {
		if got := message(taint.CheckKey(tt.key)); got != tt.cause {
			t.Errorf("CheckKey(%q) = %q, want %q", tt.key, got, tt.cause)
		}
		if valid := tt.cause == nothingWrong; valid != isKey(tt.key) {
			t.Errorf("the oracle disagrees about key %q", tt.key)
		}
	}
}

func TestV1K2CheckValue(t *testing.T) {
	for _, tt := range valueTests {
		if got := message(taint.CheckValue(tt.value)); got != tt.cause {
			t.Errorf("CheckValue(%q) = %q, want %q", tt.value, got, tt.cause)
		}
		if valid := tt.cause == nothingWrong; valid != isValue(tt.value) {
			t.Errorf("the oracle disagrees about value %q", tt.value)
		}
	}
}

// Every string of up to three of these characters, as key and as value: the
// characters are those on either side of each bound in the code.
func TestV1K2CheckSmallUniverse(t *testing.T) {
	const alphabet = "/-._09:@AZ[`az{"
	var check func(s string)
	check = func(s string) {
		if (taint.CheckKey(s) == nil) != isKey(s) {
			t.Errorf("CheckKey(%q) = %v", s, taint.CheckKey(s))
		}
		if (taint.CheckValue(s) == nil) != isValue(s) {
			t.Errorf("CheckValue(%q) = %v", s, taint.CheckValue(s))
		}
		if len(s) < 3 {
			for i := range len(alphabet) {
				check(s + alphabet[i:i+1])
			}
		}
	}
	check("")
}

// message returns the text of err, empty for nil.
func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
