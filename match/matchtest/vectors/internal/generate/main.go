// Generate writes the vectors anew: their inputs come from package source and from the
// large set as it is, the answers from package canonical, and what each case of
// the small set finds from internal/files/kills.json.
//
//	go generate ./match/matchtest/vectors
//
// It writes the same bytes each time. That the real modules of Kubernetes give the same
// answers is for match/kube/upstream to test.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/files"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// run writes the files of the folder of package vectors.
func run(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "schema.json")); err != nil {
		return fmt.Errorf("not in the folder of package vectors: %w", err)
	}
	all, err := files.Make(os.DirFS(dir))
	if err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(dir, "1.*", "*", "*.json"))
	if err != nil {
		return err
	}
	for _, name := range old { // read by now
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	for name, text := range all {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
