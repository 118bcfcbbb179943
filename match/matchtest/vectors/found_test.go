package vectors_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/canonical"
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/found"
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/without"
)

// FuzzQuestions compares the library with the second matcher of package without, and
// asks whatever else the library answers. With VECTORS_FOUND set to a folder it also
// writes the shortest question of each signature there, for internal/harvest to make the
// large set of.
func FuzzQuestions(f *testing.F) {
	for i := range found.Kinds { // the kinds, and something of everything
		f.Add([]byte{byte(i), 1, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1})
		f.Add([]byte{byte(i), 0, 2, 1, 1, 1, 1, 1, 2, 3, 3, 3, 1, 2, 1, 3, 4, 1, 1})
		f.Add([]byte{byte(i), 1, 3, 0, 3, 3, 0, 9, 2, 0, 0, 0, 1, 1, 2, 0, 1, 0, 2, 0, 4, 1, 1, 4, 0})
	}
	folder := os.Getenv("VECTORS_FOUND")
	target.Fuzz(f, func(t *testing.T, data []byte) {
		ask, in := found.Question(data[:min(len(data), 100)])
		signature, c, ok := found.Signature(ask, in)
		if second, known := without.Whole(ask, in); known {
			r, err := canonical.Answer(ask, in)
			if err != nil {
				t.Fatal(err)
			}
			want, _ := canonical.Marshal(second)
			if got, _ := canonical.Marshal(r.Answer); !bytes.Equal(got, want) {
				t.Errorf("%s %s: %s, want %s", ask, c.Input, got, want)
			}
		}
		if folder != "" && ok {
			keep(t, filepath.Join(folder, fmt.Sprintf("%s-%x", ask, hash(signature))), []byte(fmt.Sprintf("%s\n%s\n", ask, c.Input)))
		}
	})
}

// keep writes a question if it is shorter than the one that is there.
func keep(t *testing.T, name string, text []byte) {
	if old, err := os.ReadFile(name); err == nil && (len(old) < len(text) || len(old) == len(text) && bytes.Compare(old, text) <= 0) {
		return
	}
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func hash(text string) (h uint64) {
	h = 14695981039346656037
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return h
}
