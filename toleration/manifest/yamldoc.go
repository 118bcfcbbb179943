package manifest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// readYAML reads YAML documents up to the end of r, which begins on the given
// line of the source.
func (l *Loader) readYAML(r io.Reader, place *Object, line int) error {
	s := &splitter{in: bufio.NewReader(r), line: line}
	for {
		doc, err := s.next()
		if err == io.EOF {
			return nil
		}
		if err != nil && !errors.Is(err, errControl) {
			return fmt.Errorf("%s: %w", place.File, err)
		}
		var text []byte
		if err == nil {
			text, err = toJSON(doc)
		}
		if err == nil {
			err = l.readConverted(text, place)
		}
		if err != nil {
			return fmt.Errorf("%s: document %d, %w", place.File, place.Document+1, atLine(err, doc.line))
		}
	}
}

// readConverted reads a document that was converted to JSON.
func (l *Loader) readConverted(text []byte, place *Object) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	token, err := dec.Token()
	if err == nil {
		err = l.document(dec, token, place)
	}
	return err
}

// lineError is an error with the line of the source that it is about.
type lineError struct {
	line int
	err  error
}

func (e *lineError) Error() string { return fmt.Sprintf("line %d: %v", e.line, e.err) }
func (e *lineError) Unwrap() error { return e.err }

// atLine gives an error the line on which its document begins, unless it has a
// line already.
func atLine(err error, line int) error {
	if already := new(lineError); errors.As(err, &already) {
		return err
	}
	return &lineError{line, err}
}

// toJSON converts a document to JSON.
func toJSON(doc document) ([]byte, error) {
	if json.Valid(doc.text) {
		return doc.text, nil
	}
	return convert(doc)
}

// wrap returns the document as the value of the key "document", with the key on a
// line of its own.
func (doc document) wrap() []byte {
	text := []byte("document:\n")
	begun := false
	for line, rest := cutLine(doc.text); len(line) > 0; line, rest = cutLine(rest) {
		if !begun {
			begun = !isPreamble(line)
			line = withoutMarker(bytes.TrimPrefix(line, []byte(byteOrderMark)))
		}
		text = append(append(text, ' '), line...)
	}
	return text
}

// withoutMarker returns one of the first lines of a document without what is
// allowed only there: markers and directives. %YAML changes nothing, and a tag
// that %TAG declares is refused as unknown.
func withoutMarker(line []byte) []byte {
	switch {
	case marker(line) != 0:
		return line[len("---"):]
	case bytes.HasPrefix(line, []byte("%")):
		return []byte("\n")
	}
	return line
}

var lineNumber = regexp.MustCompile(`\bline (\d+): `)

// fromZero holds the errors for which the parser counts lines from zero.
var fromZero = []string{
	"did not find expected key", "did not find expected '-' indicator", "did not find expected node content",
	"did not find expected ',' or ']'", "did not find expected ',' or '}'",
}

// yamlError turns an error of the parser into one about the source: before is the
// number of lines before the parsed text.
func yamlError(err error, before int) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	text = strings.TrimSpace(strings.TrimPrefix(text, "unmarshal errors:"))
	text, _, _ = strings.Cut(text, "\n") // the first of several
	at := lineNumber.FindStringSubmatch(text)
	if at == nil {
		return errors.New(text)
	}
	n, _ := strconv.Atoi(at[1]) // digits, by the expression
	text = strings.Replace(text, at[0], "", 1)
	if slices.Contains(fromZero, text) {
		n++
	}
	return &lineError{before + n - 1, errors.New(text)}
}
