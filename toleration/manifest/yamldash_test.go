package manifest

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// A list that is cut into pieces is read as in one piece, to the words of the error,
// wherever an item is a dash alone, which is no object, or one with a tab after it, which
// the decoder refuses.
func TestDashes(t *testing.T) {
	smallBatches(t)
	for _, item := range []string{
		"-", "-\n", "-\r", "-\r\n", "- ", "- \n", "-\u2028", "-\u0085", "-\f", "- - kind: Pod\n", "-\n# nothing\n",
		"-\t", "-\t\n", "-\tx\n", "-\tkind: Pod\n", "-\t\t{kind: Pod, metadata: {name: last}}\n", "- \t{kind: Pod, metadata: {name: last}}\n", "-\t# nothing\n",
	} {
		for _, indent := range []string{"", "  "} {
			list := strings.Split(longList(indent), "kind: List")[0]
			middle := strings.LastIndex(list[:len(list)/2], indent+"- kind")
			compareCut(t, list+indent+item, true)
			if strings.HasSuffix(item, "\n") {
				compareCut(t, list+indent+item+"kind: List\n", true)
				compareCut(t, list[:middle]+indent+item+list[middle:], true)
			}
		}
	}
}

// What is no dash of a list is refused in pieces if it is refused in one piece.
func TestNoDashes(t *testing.T) {
	smallBatches(t)
	for _, line := range []string{"-x\n", "-x", "--\n", "--", "---\n", "-\u00a0"} {
		for _, indent := range []string{"", "  "} {
			compareCut(t, strings.Split(longList(indent), "kind: List")[0]+indent+line, false)
		}
	}
}

// compareCut reads text in pieces and in one piece. Errors are the same if they can be:
// text that ends the list is, in pieces, next to an empty list.
func compareCut(t *testing.T, text string, sameError bool) {
	t.Helper()
	if list, cut := cutItems(document{[]byte(text), 1}); !cut || len(list.batches) < 3 {
		t.Fatalf("not cut: %q", text[len(text)-20:])
	}
	pieces, err := readOf(text)
	long := batchSize
	batchSize = len(text)
	whole, want := readOf(text)
	batchSize = long
	if !reflect.DeepEqual(pieces, whole) || (err == nil) != (want == nil) || sameError && fmt.Sprint(err) != fmt.Sprint(want) {
		t.Errorf("%q at the end or in the middle: in pieces %d pods, %v\nin one piece %d pods, %v", text[len(text)-40:],
			len(pieces.Pods), err, len(whole.Pods), want)
	}
}

func readOf(text string) (*Cluster, error) {
	var l Loader
	err := l.Read("f", strings.NewReader(text))
	return l.Cluster(), err
}
