package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// smallBatches makes batches so small that tests need little text.
func smallBatches(t *testing.T) {
	size := batchSize
	batchSize = 4 << 10
	t.Cleanup(func() { batchSize = size })
}

// longList is a YAML list of items that is long enough to be cut. With indent,
// the dashes are indented; each item has the given lines besides its name.
func longList(indent string, more ...string) string {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nitems:\n")
	if indent == "" {
		b.WriteString("# a comment\n\n")
	}
	for i := 0; b.Len() < 3*batchSize; i++ {
		fmt.Fprintf(&b, "%s- kind: Pod\n%s  metadata:\n%s    name: pod-%d\n", indent, indent, indent, i)
		for _, line := range more {
			fmt.Fprintf(&b, "%s  %s\n", indent, line)
		}
	}
	b.WriteString("kind: List\nmetadata:\n  resourceVersion: \"\"\n")
	return b.String()
}

// TestCutItems compares the list converted in pieces with the whole.
func TestCutItems(t *testing.T) {
	smallBatches(t)
	for _, test := range []struct{ name, text string }{
		{"as kubectl prints it", longList("")},
		{"indented", longList("    ")},
		{"with a marker and CRLF", "---\r\n" + strings.ReplaceAll(longList(""), "\n", "\r\n")},
		{"lists and block scalars", longList("", "text: |", "  - a", "", "  # b", "list:", "- c", "- - d", "- {e: [f]}")},
		{"alias within an item", longList("", "a: &x 1", "b: *x")},
		{"quoted dashes", longList("", `a: "x`, `  - y"`, "b: 'x", "", "  - y'")},
		{"in front of all", strings.Replace(longList(""), "apiVersion: v1\n", "", 1)},
		{"at the end of all", strings.Split(longList(""), "kind: List")[0]},
	} {
		t.Run(test.name, func(t *testing.T) {
			doc := document{[]byte(test.text), 1}
			list, ok := cutItems(doc)
			if !ok || len(list.batches) < 3 {
				t.Fatalf("not cut: %t, %d batches", ok, len(list.batches))
			}
			pieces, err := list.join()
			if err != nil {
				t.Fatal(err)
			}
			whole, err := convert(doc)
			if err != nil {
				t.Fatal(err)
			}
			if !equalJSON(t, pieces, whole) {
				t.Error("the pieces are not the whole")
			}
		})
	}
}

func equalJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var values [2]any
	for i, text := range [][]byte{a, b} {
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		if err := decoder.Decode(&values[i]); err != nil {
			t.Fatal(err)
		}
	}
	return cmp.Equal(values[0], values[1])
}

func TestCutItemsAcrossAnchors(t *testing.T) {
	smallBatches(t)
	text := strings.Replace(longList(""), "- kind: Pod\n", "- kind: &k Pod\n", 1)
	last := strings.LastIndex(text, "- kind: Pod\n")
	text = text[:last] + "- kind: *k\n" + text[last+len("- kind: Pod\n"):]
	c := read(t, text)
	if n := len(c.Pods); n == 0 || c.Pods[n-1].Kind != "Pod" || len(c.Faults) > 0 {
		t.Errorf("%d pods, faults %v", n, c.Faults)
	}
}

// TestCutItemsErrors shows that errors tell the line of the source.
func TestCutItemsErrors(t *testing.T) {
	smallBatches(t)
	text := longList("")
	lines := strings.Count(text, "\n")
	for _, test := range []struct{ name, text, want string }{
		{
			"in the last item", strings.Replace(text, "kind: List", "  name: again\n  name: twice\nkind: List", 1),
			fmt.Sprintf("f: document 1, line %d: key \"name\" already set in map", lines-1),
		},
		{
			"after the items", text + "kind: again\n",
			fmt.Sprintf("f: document 1, line %d: key \"kind\" already set in map", lines+1),
		},
		{
			"items twice", text + "items: []\n",
			fmt.Sprintf("f: document 1, line %d: key \"items\" already set in map", lines+1),
		},
		{
			"in the first line", "apiVersion: v1\n" + text,
			"f: document 1, line 2: key \"apiVersion\" already set in map",
		},
		{
			"right after the items", strings.Replace(strings.Replace(text, "# a comment\n\n", "", 1), "kind: List", "apiVersion: v1", 1),
			fmt.Sprintf("f: document 1, line %d: key \"apiVersion\" already set in map", lines-4),
		},
		{"a control character after the items", text + "a: \x01\n", "f: document 1, line 1: control characters are not allowed"},
		{
			"text after the items", strings.Replace(text, "kind: List", " - kind: List", 1),
			fmt.Sprintf("f: document 1, line %d: did not find expected '-' indicator", lines-2),
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			var l Loader
			err := l.Read("f", strings.NewReader(test.text))
			if err == nil || err.Error() != test.want {
				t.Errorf("error %v\nwant  %s", err, test.want)
			}
		})
	}
}

func TestCutItemsNot(t *testing.T) {
	smallBatches(t)
	filler := strings.Repeat("# filler\n", batchSize/8)
	for _, text := range []string{
		"kind: List\nitems: []\n" + filler,
		"kind: List\nitems:\n" + filler,
		"kind: List\nitems:\n" + filler + "metadata: {}\n",
		"kind: Pod\nspec:\n  items:\n  - a\n" + filler,
		longList("")[:batchSize],
	} {
		if list, ok := cutItems(document{[]byte(text), 1}); ok {
			t.Errorf("cut into %d: %.40q", len(list.batches), text)
		}
	}
}

// A long quoted text can look like a list.
func TestLongTextIsNoList(t *testing.T) {
	smallBatches(t)
	var l Loader
	err := l.Read("f", strings.NewReader("\"a\nitems:\n"+strings.Repeat("- b\n", batchSize)+"\"\n"))
	if err == nil || !strings.HasPrefix(err.Error(), "f: document 1, line 1: ") {
		t.Errorf("error %v", err)
	}
}

// Where the items of a list begin and end, and how they are cut.
func TestBatches(t *testing.T) {
	size := batchSize
	t.Cleanup(func() { batchSize = size })
	for _, c := range []struct {
		name, text string
		size       int
		batches    []string
		rest       string
	}{
		{"each of a batch's size", "- a: 1\n- b: 2\n- c: 3\n", 7, []string{"- a: 1\n", "- b: 2\n", "- c: 3\n"}, ""},
		{"two at a time", "- a: 1\n- b: 2\n- c: 3\n- d: 4\nk: v\n", 14, []string{"- a: 1\n- b: 2\n", "- c: 3\n- d: 4\n"}, "k: v\n"},
		{"a dash that is indented less", "  - a: 1\n- b: 2\n", 1, []string{"  - a: 1\n"}, "- b: 2\n"},
		{"a dash that is indented more", "- a: 1\n  - b\n- c: 3\n", 1, []string{"- a: 1\n  - b\n", "- c: 3\n"}, ""},
		{"a dash at the end", "- a\n-", 1, []string{"- a\n", "-"}, ""},
		{"dashes alone", "-\n  a: 1\n-\r\n  b: 1\n", 1, []string{"-\n  a: 1\n", "-\r\n  b: 1\n"}, ""},
		{"a word with a dash", "-a\n", 1, nil, "-a\n"},
		{"no items, and another list", "kind: List\nother:\n  - a\n", 1, nil, "kind: List\nother:\n  - a\n"},
	} {
		batchSize = c.size
		list := cutList{}
		rest := list.cutBatches([]byte(c.text))
		var batches []string
		for _, b := range list.batches {
			batches = append(batches, string(b.text))
		}
		if string(rest) != c.rest || !cmp.Equal(batches, c.batches) {
			t.Errorf("%s: %q and %q", c.name, batches, rest)
		}
	}
}

// The items may follow blank lines and the kind.
func TestCutAfterBlankLines(t *testing.T) {
	smallBatches(t)
	text := "\nkind: List\n" + strings.ReplaceAll(longList(""), "kind: List\n", "")
	list, ok := cutItems(document{[]byte(text), 1})
	if !ok || !strings.HasPrefix(string(list.frame), "\nkind: List\napiVersion: v1\nitems: []\n") {
		t.Errorf("cut: %t, %.60q", ok, list.frame)
	}
}

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

// What looks like a directive within a document is text.
func TestPercentSigns(t *testing.T) {
	c := read(t, "kind: \"Po\n%d\"\n")
	if c.Others["Po %d"] != 1 {
		t.Errorf("got %v", c.Others)
	}
}
