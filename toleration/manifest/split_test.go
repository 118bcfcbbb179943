package manifest

import (
	"bufio"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// split returns the documents of a stream as text.
func split(t *testing.T, stream string) (texts []string, lines []int) {
	t.Helper()
	s := &splitter{in: bufio.NewReaderSize(strings.NewReader(stream), 16), line: 1}
	for {
		doc, err := s.next()
		if err == io.EOF {
			return texts, lines
		}
		if err != nil {
			t.Fatal(err)
		}
		texts, lines = append(texts, string(doc.text)), append(lines, doc.line)
	}
}

func TestSplit(t *testing.T) {
	for _, test := range []struct {
		name, stream string
		want         []string
		lines        []int
	}{
		{"empty", "", nil, nil},
		{"only comments", "# a\n\n  # b\n", nil, nil},
		{"one", "a: 1\n", []string{"a: 1\n"}, []int{1}},
		{"without a last line end", "a: 1\n---\nb: 2", []string{"a: 1\n", "---\nb: 2"}, []int{1, 2}},
		{"opened", "---\na: 1\n---\nb: 2\n", []string{"---\na: 1\n", "---\nb: 2\n"}, []int{1, 3}},
		{"comment in front", "# a\n---\nb: 2\n", []string{"# a\n---\nb: 2\n"}, []int{1}},
		{"spaces after the marker", "a: 1\n---  \t\nb: 2\n", []string{"a: 1\n", "---  \t\nb: 2\n"}, []int{1, 2}},
		{"comment after the marker", "a: 1\n--- # b\nb: 2\n", []string{"a: 1\n", "--- # b\nb: 2\n"}, []int{1, 2}},
		{"content after the marker", "a: 1\n--- {b: 2}\n", []string{"a: 1\n", "--- {b: 2}\n"}, []int{1, 2}},
		{"end marker", "a: 1\n...\n# c\nb: 2\n...\n", []string{"a: 1\n", "# c\nb: 2\n"}, []int{1, 3}},
		{"both markers", "a: 1\n...\n---\nb: 2\n", []string{"a: 1\n", "---\nb: 2\n"}, []int{1, 3}},
		{"directive", "%YAML 1.1\n---\na: 1\n...\n%YAML 1.1\n---\nb: 2\n", []string{"%YAML 1.1\n---\na: 1\n", "%YAML 1.1\n---\nb: 2\n"}, []int{1, 5}},
		{"CRLF", "a: 1\r\n---\r\nb: 2\r\n", []string{"a: 1\r\n", "---\r\nb: 2\r\n"}, []int{1, 2}},
		{"CR alone", "a: 1\r---\rb: 2\r", []string{"a: 1\r", "---\rb: 2\r"}, []int{1, 2}},
		{"Unicode line ends", "a: 1\u2028---\u0085b: 2\u2029", []string{"a: 1\u2028", "---\u0085b: 2\u2029"}, []int{1, 2}},
		{"NEL alone", "a: 1\u0085---\u0085b: 2\u0085", []string{"a: 1\u0085", "---\u0085b: 2\u0085"}, []int{1, 2}},
		{"LS alone", "a: 1\u2028---\u2028b: 2\u2028", []string{"a: 1\u2028", "---\u2028b: 2\u2028"}, []int{1, 2}},
		{"CR first", "\r---\nb: 2\n", []string{"\r---\nb: 2\n"}, []int{1}},
		{"NEL first", "\u0085a: 1\n---\u0085---\n", []string{"\u0085a: 1\n", "---\u0085", "---\n"}, []int{1, 3, 4}},
		{"LS first", "\u2028---\n", []string{"\u2028---\n"}, []int{1}},
		{"an end before any document", "# a\n...\nb: 2\n", []string{"b: 2\n"}, []int{3}},
		{"two dashes and two dots", "a: 1\n-- b\n.. \n-.- \n--. \n", []string{"a: 1\n-- b\n.. \n-.- \n--. \n"}, []int{1}},
		{"a tab after the marker", "a: 1\n---\tb\n", []string{"a: 1\n", "---\tb\n"}, []int{1, 2}},
		{"a marker at the end", "a: 1\n---", []string{"a: 1\n", "---"}, []int{1, 2}},
		{"a percent sign within", "a: 'b\n%c'\n---\nd: 1\n", []string{"a: 'b\n%c'\n", "---\nd: 1\n"}, []int{1, 3}},
		{"a mark and a directive", "\ufeff%YAML 1.1\n---\na: 1\n", []string{"\ufeff%YAML 1.1\n---\na: 1\n"}, []int{1}},
		{"a mark and a comment", "\ufeff# a\n---\nb: 1\n", []string{"\ufeff# a\n---\nb: 1\n"}, []int{1}},
		{"a percent sign alone", "%", nil, nil},
		{"CR before a marker", "a: 1\n\r---\nb: 2\n", []string{"a: 1\n\r", "---\nb: 2\n"}, []int{1, 3}},
		{"tabs end no line", "a: b\t--- c\n", []string{"a: b\t--- c\n"}, []int{1}},
		{"nor in long lines", "a: xxxxxxxxxxxxxxxxxxxxxxxxxxxxx\t--- c\nb: xxxxxxxxxxxxxxxxxxxxxxxxx\t--- d\n", []string{"a: xxxxxxxxxxxxxxxxxxxxxxxxxxxxx\t--- c\nb: xxxxxxxxxxxxxxxxxxxxxxxxx\t--- d\n"}, []int{1}},
		{"dashes with a word at the end", "a: 1\n---b", []string{"a: 1\n---b"}, []int{1}},
		{"the same bytes elsewhere", "a: é…\n---\nb: Â\n", []string{"a: é…\n", "---\nb: Â\n"}, []int{1, 2}},
		{"byte order mark", "\ufeff---\na: 1\n\ufeff---\nb: 2\n", []string{"\ufeff---\na: 1\n", "\ufeff---\nb: 2\n"}, []int{1, 3}},
		{"block scalar", "a: |\n  ---\n  b\n ---\nc: 2\n", []string{"a: |\n  ---\n  b\n ---\nc: 2\n"}, []int{1}},
		{"more dashes", "a: 1\n----\n", []string{"a: 1\n----\n"}, []int{1}},
		{"dashes with a word", "a: 1\n---b\n", []string{"a: 1\n---b\n"}, []int{1}},
		{"empty documents", "---\n---\na: 1\n---\n", []string{"---\n", "---\na: 1\n", "---\n"}, []int{1, 2, 4}},
		{
			"a line longer than the buffer", "a: " + strings.Repeat("x", 100) + "\n---\nb: 2\n",
			[]string{"a: " + strings.Repeat("x", 100) + "\n", "---\nb: 2\n"},
			[]int{1, 2},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			texts, lines := split(t, test.stream)
			if diff := cmp.Diff(test.want, texts); diff != "" {
				t.Errorf("documents (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.lines, lines); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		})
	}
}
