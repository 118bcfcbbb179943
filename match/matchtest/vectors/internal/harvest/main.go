// Harvest adds to the large set what the fuzzer found:
//
//	mkdir /tmp/found
//	VECTORS_FOUND=/tmp/found go test -fuzz FuzzQuestions -fuzztime 10m ./match/matchtest/vectors
//	cd match/matchtest/vectors && go run ./internal/harvest /tmp/found && go generate .
//
// It goes through each kind of question from the shortest to the longest, and takes those
// with something that neither a case of the sets nor an earlier question has: an answer, a
// rule and the answer without it, or another project's answer, as package found tells them
// apart. It stops at 50 of a kind, and says how many it left out. Harvesting the same
// folder again adds those, and nothing else.
package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/canonical"
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/files"
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/found"
)

// most is the greatest number of cases of a kind that a harvest adds.
const most = 50

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: harvest FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "harvest:", err)
		os.Exit(1)
	}
}

func run(folder string) error {
	names, err := filepath.Glob(filepath.Join(folder, "*-*"))
	if err != nil {
		return err
	}
	all := map[string][]question{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		q, err := read(text)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		all[q.Ask] = append(all[q.Ask], q)
	}
	seen, err := known()
	if err != nil {
		return err
	}
	var chosen []files.Case
	for _, kind := range found.Kinds {
		some, left := choose(all[kind], seen)
		fmt.Printf("%s: %d of %d, and %d more with something new\n", kind, len(some), len(all[kind]), left)
		chosen = append(chosen, some...)
	}
	path := filepath.Join(files.Kubernetes, "large", "harvest.json") // until generate spreads it
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	fmt.Printf("%d of %d questions\n", len(chosen), len(names))
	return os.WriteFile(path, files.Releases[0].Format("large", chosen), 0o644)
}

// question is a case and what is special about it.
type question struct {
	files.Case
	parts []string
}

// read makes the case of a question anew.
func read(text []byte) (q question, err error) {
	ask, input, _ := bytes.Cut(text, []byte("\n"))
	in, err := canonical.Read(input)
	if err != nil {
		return q, err
	}
	q.parts, q.Case = found.Parts(string(ask), in)
	return q, nil
}

// known returns what the cases of the sets have, by kind of question and part.
func known() (map[string]bool, error) {
	cases, err := files.Cases(os.DirFS("."))
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for i := range cases {
		in, err := canonical.Read(cases[i].Input)
		if err != nil {
			return nil, err
		}
		parts, _ := found.Parts(cases[i].Ask, in)
		note(seen, cases[i].Ask, parts)
	}
	return seen, nil
}

// note adds the parts of a question, and reports whether one is new.
func note(seen map[string]bool, ask string, parts []string) (special bool) {
	for _, part := range parts {
		if name := ask + " " + part; !seen[name] {
			seen[name], special = true, true
		}
	}
	return special
}

// choose returns the shortest cases that together have every part not seen yet, and how
// many it left out because it had enough.
func choose(cases []question, seen map[string]bool) (chosen []files.Case, left int) {
	slices.SortFunc(cases, func(a, b question) int {
		return cmp.Or(cmp.Compare(len(a.Input), len(b.Input)), bytes.Compare(a.Input, b.Input))
	})
	for _, q := range cases {
		switch {
		case !note(seen, q.Ask, q.parts):
		case len(chosen) < most:
			chosen = append(chosen, q.Case)
		default:
			left++
		}
	}
	return chosen, left
}
