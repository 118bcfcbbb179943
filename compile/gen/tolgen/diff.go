package main

import (
	"fmt"
	"strings"
)

// diff returns the lines that differ between two texts, each run of them under
// the number of the line where it begins in the old text, and "" for equal
// texts. It finds a longest common subsequence of the lines.
func diff(old, new string) string {
	if old == new {
		return ""
	}
	a, b := strings.SplitAfter(old, "\n"), strings.SplitAfter(new, "\n")
	first := 0
	for first < min(len(a), len(b)) && a[first] == b[first] {
		first++
	}
	last := 0
	for last < min(len(a), len(b))-first && a[len(a)-1-last] == b[len(b)-1-last] {
		last++
	}
	return changes(a[first:len(a)-last], b[first:len(b)-last], first+1)
}

// manyCells is how large a table of line pairs may be. Where it would be larger,
// all of the lines are shown.
const manyCells = 4_000_000

// changes returns what differs between lists of lines, the first of which has
// the given number.
func changes(a, b []string, line int) string {
	w := differenceWriter{line: line}
	if len(a)*len(b) <= manyCells {
		a, b = w.common(a, b)
	}
	for _, text := range a {
		w.write('-', text)
	}
	for _, text := range b {
		w.write('+', text)
	}
	return w.String()
}

// common writes as long as there are lines in both lists, and returns the rest.
func (w *differenceWriter) common(a, b []string) (restA, restB []string) {
	// length[i][j] is how many lines a[i:] and b[j:] have in common.
	length := make([][]int32, len(a)+1)
	for i := len(a); i >= 0; i-- {
		length[i] = make([]int32, len(b)+1)
		for j := len(b) - 1; j >= 0 && i < len(a); j-- {
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			w.equal()
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			w.write('-', a[i])
			i++
		default:
			w.write('+', b[j])
			j++
		}
	}
	return a[i:], b[j:]
}

// differenceWriter writes lines that differ.
type differenceWriter struct {
	strings.Builder
	line    int // of the old text
	writing bool
}

func (w *differenceWriter) equal() {
	w.writing = false
	w.line++
}

func (w *differenceWriter) write(sign byte, text string) {
	if !w.writing {
		fmt.Fprintf(w, "line %d:\n", w.line)
		w.writing = true
	}
	w.WriteByte(sign)
	w.WriteString(strings.TrimSuffix(text, "\n"))
	w.WriteByte('\n')
	if sign == '-' {
		w.line++
	}
}
