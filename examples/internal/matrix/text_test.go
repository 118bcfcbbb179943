package matrix

import (
	"slices"
	"testing"
)

func TestText(t *testing.T) {
	for _, test := range []struct {
		words []string
		room  int
		want  string
	}{
		{nil, 5, ""},
		{[]string{"abc"}, 3, "abc"},
		{[]string{"abcd"}, 3, "ab…"},
		{[]string{"abc", "def"}, 8, "abc, def"},
		{[]string{"abc", "def", "ghi"}, 12, "abc, +2 more"},
		{[]string{"abc", "def", "ghi"}, 13, "abc, def, ghi"},
		{[]string{"abc", "def", "ghi"}, 0, "…, +2 more"},
	} {
		if got := fit(test.words, test.room); got != test.want {
			t.Errorf("fit(%q, %d) = %q, want %q", test.words, test.room, got, test.want)
		}
	}
	got := slices.Collect(wrap([]string{"aa", "bb", "cc", "dddddddddd", "e"}, ", ", 8))
	if want := []string{"aa, bb,", "cc,", "dddddddddd,", "e"}; !slices.Equal(got, want) {
		t.Errorf("wrap: %q, want %q", got, want)
	}
}
