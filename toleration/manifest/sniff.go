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

// packed are the formats that are not unpacked, by how they begin.
var packed = map[string]string{"\x28\xb5\x2f\xfd": "zstd", "PK\x03\x04": "zip", "\xfd7zX": "xz", "BZh9": "bzip2"}

// unzip returns what in has, decompressed if it is gzip.
func unzip(in *bufio.Reader) (*bufio.Reader, error) {
	start, _ := in.Peek(4) // sniff meets the error again
	if name, found := packed[string(start)]; found {
		return nil, fmt.Errorf("the data is %s, which is not read; unpack it first", name)
	}
	if !bytes.HasPrefix(start, []byte("\x1f\x8b")) {
		return in, nil
	}
	text, err := gzip.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("it begins as gzip does: %w", cut(err))
	}
	return bufio.NewReaderSize(gunzipped{text}, 64<<10), nil
}

// gunzipped is a gzip reader that says which data is cut off.
type gunzipped struct{ *gzip.Reader }

func (r gunzipped) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	return n, cut(err)
}

func cut(err error) error {
	if err == io.ErrUnexpectedEOF {
		return errors.New("the gzip data ends too early")
	}
	return err
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
