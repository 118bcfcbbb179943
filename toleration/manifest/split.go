package manifest

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"unicode/utf8"
)

// document is one document of a YAML stream: its text with the line that opens
// it, if it has one.
type document struct {
	text []byte
	line int // the line of the stream on which text begins
}

// splitter cuts a YAML stream into documents. It looks at the beginnings of lines
// only, which is exact: YAML forbids a line that begins with "---" or "..." within
// a document, even in quoted text and block scalars. An indented marker is text.
type splitter struct {
	in   *bufio.Reader
	rest []byte // of the text read last, if that has line ends other than \n
	line int    // the number of the next line in the stream

	marker []byte // the line that opens the next document, once it was read
}

// next returns the next document that is not empty, and io.EOF at the end.
// Comments, blank lines and directives alone do not make a document; they belong
// to the following one.
func (s *splitter) next() (document, error) {
	doc := document{text: s.marker, line: s.line - 1}
	begun := len(s.marker) > 0
	s.marker = nil
	for {
		line, err := s.readLine()
		if err == io.EOF && begun {
			return doc, nil
		}
		if err != nil {
			return document{}, err
		}
		switch mark := marker(line); {
		case mark == '-' && begun:
			s.marker = bytes.Clone(line)
			return doc, nil
		case mark == '.' && begun:
			return doc, nil
		case mark == '.':
			doc.text = nil
			continue
		case !begun && !isPreamble(line): // a marker is none
			begun = true
		}
		if len(doc.text) == 0 {
			doc.line = s.line - 1
		}
		doc.text = append(doc.text, line...)
	}
}

// readLine returns a line with its end; it is valid until the next call.
func (s *splitter) readLine() (line []byte, err error) {
	if len(s.rest) == 0 {
		if s.rest, err = readLong(s.in); err == errControl {
			return nil, &lineError{s.line, err}
		} else if len(s.rest) == 0 {
			return nil, err
		}
	}
	line, s.rest = cutLine(s.rest)
	s.line++
	return line, nil
}

// errControl is an error of the parser too, which would see it only once the document is in memory.
var errControl = errors.New("control characters are not allowed")

// readLong reads up to a line feed or the end, at any length, and stops at a control character that
// neither YAML nor JSON may have: binary data may have no line feed for long.
func readLong(in *bufio.Reader) (long []byte, err error) {
	for {
		line, err := in.ReadSlice('\n')
		switch {
		case hasControl(line):
			return nil, errControl
		case err == bufio.ErrBufferFull:
			long = append(long, line...)
		case long == nil:
			return line, err
		default:
			return append(long, line...), err
		}
	}
}

func hasControl(text []byte) bool {
	return slices.ContainsFunc(text, func(c byte) bool { return c < ' ' && c != '\t' && c != '\n' && c != '\r' })
}

// lineEnds are the characters that end a line in YAML 1.1.
const lineEnds = "\n\r\u0085\u2028\u2029"

// cutLine cuts text after its first line end. That is nearly always a line feed,
// so it looks for the others only where one of their bytes occurs.
func cutLine(text []byte) (line, rest []byte) {
	end := bytes.IndexByte(text, '\n') + 1
	if end == 0 {
		end = len(text)
	}
	line = text[:end]
	if bytes.IndexByte(line, '\r') >= 0 || bytes.IndexByte(line, 0xc2) >= 0 || bytes.IndexByte(line, 0xe2) >= 0 {
		if i := bytes.IndexAny(line, lineEnds); i >= 0 && !bytes.Equal(line[i:], []byte("\r\n")) {
			_, size := utf8.DecodeRune(line[i:])
			end = i + size
		}
	}
	return text[:end], text[end:]
}

// marker returns '-' for a line that opens a document, '.' for one that closes
// it, and else zero.
func marker(line []byte) byte {
	line = bytes.TrimPrefix(line, []byte(byteOrderMark))
	for _, mark := range [...]string{"---", "..."} {
		if bytes.HasPrefix(line, []byte(mark)) && endsWord(line[len(mark):]) {
			return mark[0]
		}
	}
	return 0
}

// endsWord reports whether a word before text ends there.
func endsWord(text []byte) bool {
	return len(text) == 0 || bytes.IndexAny(text, " \t"+lineEnds) == 0
}

// isPreamble reports whether a line before a document is not part of it.
func isPreamble(line []byte) bool {
	line = bytes.TrimPrefix(line, []byte(byteOrderMark))
	if bytes.HasPrefix(line, []byte("%")) { // a directive, which cannot be indented
		return true
	}
	line = bytes.TrimLeft(line, " \t")
	return len(line) == 0 || line[0] == '#' || isBreak(line)
}

func isBreak(text []byte) bool {
	return bytes.IndexAny(text, lineEnds) == 0
}
