package word_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/fuzz/exported"
	"github.com/tolero-dev/tolero/taint/word"
)

// Every exported function has an answer for the empty string, one that is not UTF-8,
// and a huge one.
func TestInputs(t *testing.T) {
	huge := strings.Repeat("a", 1<<20)
	inputs := map[string]struct {
		ask  func(s string) any
		want [3]string
	}{
		"Append": {func(s string) any { return len(word.Append(nil, s)) }, [3]string{"2", "6", "1048576"}},
		"Bare":   {func(s string) any { return word.Bare(s) }, [3]string{"0", "0", "1048576"}},
		"Cut": {func(s string) any {
			w, rest, err := word.Cut(s)
			return fmt.Sprint(len(w), len(rest), err != nil)
		}, [3]string{"0 0 true", "0 1 true", "1048576 0 false"}},
		"Fields": {func(s string) any {
			others, err := word.Fields([]byte(`{"`+s+`":1}`), nil)
			return fmt.Sprint(len(others[0]), err)
		}, [3]string{"0 <nil>", "3 <nil>", "1048576 <nil>"}},
		"List": {func(s string) any {
			list, err := word.List([]byte(`["`+s+`"]`), "list", func(*string) map[string]any { return nil })
			return fmt.Sprint(list, err)
		}, [3]string{"[] list[0]: want an object", "[] list[0]: want an object", "[] list[0]: want an object"}},
		"Meant": {func(s string) any { return word.Meant(s, "", s, huge) }, [3]string{"", "", ""}},
	}
	exported.Same(t, inputs)
	for name, in := range inputs {
		for i, s := range []string{"", "\xff", huge} {
			if got := fmt.Sprint(in.ask(s)); got != in.want[i] {
				t.Errorf("%s of input %d: %q, want %q", name, i, got, in.want[i])
			}
		}
	}
}
