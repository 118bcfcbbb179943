package manifest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// readJSON reads JSON values, one after the other, up to the end of in. After a
// line between two values that begins with "---" it continues with YAML, for files
// that were joined from several.
func (l *Loader) readJSON(in *bufio.Reader, place *Object) error {
	lines := &lineCounter{in: in}
	dec := json.NewDecoder(lines)
	dec.UseNumber()
	for {
		token, err := dec.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			rest, line := lines.at(dec)
			if bytes.HasPrefix(rest, []byte("--")) {
				return l.readYAML(io.MultiReader(bytes.NewReader(rest), lines), place, line)
			}
		} else {
			err = l.document(dec, token, place)
		}
		if err != nil {
			rest, line := lines.at(dec)
			return fmt.Errorf("%s: document %d, line %d: %w", place.File, place.Document+1, line+errorLine(err, rest), clean(err))
		}
	}
}

// lineCounter counts the line ends that went through it.
type lineCounter struct {
	in       io.Reader
	newlines int
}

func (c *lineCounter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.newlines += bytes.Count(p[:n], []byte("\n"))
	return n, err
}

// at returns what dec has read but not used, and the line on which that begins.
func (c *lineCounter) at(dec *json.Decoder) (rest []byte, line int) {
	rest, _ = io.ReadAll(dec.Buffered()) // reading from memory cannot fail
	return rest, 1 + c.newlines - bytes.Count(rest, []byte("\n"))
}

// errorLine returns how many lines the error is after the beginning of rest, where
// the decoder gave up. It reads the value there again: the offset in the decoder's
// own error does not count what was read as single tokens.
func errorLine(err error, rest []byte) int {
	if isEOF(err) {
		return bytes.Count(rest, []byte("\n"))
	}
	var ignored skipper
	var again *json.SyntaxError
	if !errors.As(json.NewDecoder(bytes.NewReader(rest)).Decode(&ignored), &again) || again.Error() != err.Error() {
		return 0
	}
	return bytes.Count(rest[:min(len(rest), int(again.Offset))], []byte("\n"))
}

func isEOF(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// clean turns the end of input into words: the document is cut off.
func clean(err error) error {
	if isEOF(err) {
		return errors.New("the JSON ends in the middle of a value")
	}
	return err
}
