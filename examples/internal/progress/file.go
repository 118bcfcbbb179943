package progress

import (
	"io"
	"os"
)

// ReadFile has a file read by read, which gets its name, and shows on w how far that is.
// The name "-" is standard input, of unknown size. It returns the error of opening the
// file or of read.
func ReadFile(w io.Writer, stdin io.Reader, name string, read func(name string, r io.Reader) error) error {
	if name == "-" {
		bar := Start(w, "reading", Unknown)
		defer bar.Stop()
		return read("standard input", bar.Reader(stdin))
	}
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	var size int64
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		size = info.Size()
	}
	bar := Start(w, "reading", size)
	defer bar.Stop()
	return read(name, bar.Reader(file))
}
