package manifest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

type format int

const (
	formatYAML format = iota
	formatJSON
)

const byteOrderMark = "\ufeff"

var errUTF16 = errors.New("the text is UTF-16, as PowerShell's > writes it; save it as UTF-8")

// unzip returns what in has, decompressed if it is gzip.
func unzip(in *bufio.Reader) (*bufio.Reader, error) {
	start, err := in.Peek(2)
	if err != nil || !bytes.Equal(start, []byte("\x1f\x8b")) {
		return in, nil // sniff meets the error again
	}
	text, err := gzip.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("it begins as gzip does: %w", err)
	}
	return bufio.NewReaderSize(text, 64<<10), nil
}

// sniff looks at the beginning of in, removes a byte order mark, and tells JSON
// from YAML. In doubt it is YAML, which includes JSON documents, but not streams
// of them.
func sniff(in *bufio.Reader) (format, error) {
	start, err := in.Peek(4096)
	if err != nil && err != io.EOF {
		return 0, err
	}
	if bytes.HasPrefix(start, []byte("\xff\xfe")) || bytes.HasPrefix(start, []byte("\xfe\xff")) {
		return 0, errUTF16
	}
	if rest, found := bytes.CutPrefix(start, []byte(byteOrderMark)); found {
		start = rest
		_, _ = in.Discard(len(byteOrderMark)) // what was peeked at is there
	}
	if looksLikeJSON(start) {
		return formatJSON, nil
	}
	return formatYAML, nil
}

// looksLikeJSON reports whether text opens an object or a list, and goes on as
// only JSON does: {"kind" is JSON, {kind is the flow style of YAML.
func looksLikeJSON(text []byte) bool {
	text = bytes.TrimLeft(text, " \t\r\n")
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return false
	}
	text = bytes.TrimLeft(text, "{[ \t\r\n")
	return len(text) == 0 || bytes.IndexByte([]byte(`"]}`), text[0]) >= 0
}
