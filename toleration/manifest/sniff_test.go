package manifest

import (
	"strings"
	"testing"
)

// JSON is told from YAML by its first characters, of which four kilobytes may be blank.
func TestSniff(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "{": true, "[": true, "}": false, "]": false, "|": false, `{"a"`: true, "{a": false, "[]": true, "[[{}": true, `"a"`: false, "A": false, "Z}": false,
		" \t\r\n{}": true,
	} {
		if got := looksLikeJSON([]byte(text)); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
	for blanks, want := range map[int]int{4095: 2, 4096: 0} {
		var l Loader
		err := l.Read("f", strings.NewReader(strings.Repeat(" ", blanks)+nodeJSON+nodeJSON))
		if got := len(l.Cluster().Nodes); got != want || (err == nil) != (want > 0) {
			t.Errorf("%d blanks: %d nodes, %v", blanks, got, err)
		}
	}
}
