package progress

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

// opened is what a function that reads gets from ReadFile.
type opened struct {
	name, text string
	bar        *Bar
	file       *os.File // if there is no bar
}

func (o *opened) read(name string, r io.Reader) error {
	text, err := io.ReadAll(r)
	o.name, o.text = name, string(text)
	switch r := r.(type) {
	case *reader:
		o.bar = r.bar
	case *os.File:
		o.file = r
	}
	return errors.Join(err, io.EOF) // ReadFile returns it
}

// A file is read to its end, under its name, and the bar knows how long it is. Nobody
// knows that of standard input, or of what is no regular file. The bar ends with reading.
func TestReadFile(t *testing.T) {
	terminal, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0) // a character device
	if err != nil {
		t.Skip(err)
	}
	defer terminal.Close()
	folder := t.TempDir()
	t.Chdir(folder)
	const name = "+file" // names may come before "-"
	if err := os.WriteFile(name, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, shown, text string
		total             int64
	}{
		{name, name, "12345", 5},
		{"-", "standard input", "abc", Unknown},
		{os.DevNull, os.DevNull, "", Unknown},
		{folder, folder, "", Unknown}, // it has a size, but nothing to read
	} {
		for _, w := range []io.Writer{terminal, &bytes.Buffer{}} {
			var o opened
			if err := ReadFile(w, strings.NewReader("abc"), c.name, o.read); !errors.Is(err, io.EOF) || o.name != c.shown || o.text != c.text {
				t.Errorf("%s: %+v, %v", c.name, o, err)
			}
			if w != terminal {
				if o.file == nil != (c.name == "-") || o.file != nil && !errors.Is(o.file.Close(), os.ErrClosed) {
					t.Errorf("%s: the file is still open, or none: %+v", c.name, o)
				}
				continue
			}
			if b := o.bar; b == nil || b.label != "reading" || b.total != c.total || b.done.Load() != int64(len(c.text)) {
				t.Errorf("%s: %+v", c.name, o.bar)
				continue
			}
			select {
			case <-o.bar.quit:
			default:
				t.Errorf("%s: the bar goes on", c.name)
			}
		}
	}
	var o opened
	if err := ReadFile(terminal, nil, name+"x", o.read); !errors.Is(err, os.ErrNotExist) || o.name != "" {
		t.Errorf("%+v, %v", o, err)
	}
}
