package vectors

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

// TestTimeout: zero or less is 10 seconds, as the doc says.
func TestTimeout(t *testing.T) {
	for timeout, want := range map[time.Duration]time.Duration{-1: 10 * time.Second, 0: 10 * time.Second, 1: 1, time.Hour: time.Hour} {
		if got := (&Program{Timeout: timeout}).timeout(); got != want {
			t.Errorf("%v: %v, want %v", timeout, got, want)
		}
	}
}

// TestReadLine: a line has no more than a mebibyte, with its end, and the last may lack it.
func TestReadLine(t *testing.T) {
	full := strings.Repeat("x", 1<<20-1)
	for _, test := range []struct {
		text  string
		lines []string
		end   error
	}{
		{"", nil, io.EOF},
		{"a", []string{"a"}, io.EOF},
		{"a\n", []string{"a"}, io.EOF},
		{"a\r\n\nb", []string{"a", "", "b"}, io.EOF},
		{full + "\n" + full + "y", []string{full, full + "y"}, io.EOF},
		{full + "y\nb\n", nil, errLongLine},
		{"a\n" + full + "yz", []string{"a"}, errLongLine},
	} {
		reader := bufio.NewReader(strings.NewReader(test.text))
		for i := 0; ; i++ {
			line, err := readLine(reader)
			if err != nil {
				if i != len(test.lines) || !errors.Is(err, test.end) {
					t.Errorf("%.20q: %v after %d lines, want %v after %d", test.text, err, i, test.end, len(test.lines))
				}
				break
			}
			if i >= len(test.lines) || string(line) != test.lines[i] {
				t.Errorf("%.20q: line %d is %.20q", test.text, i, line)
				break
			}
		}
	}
}
