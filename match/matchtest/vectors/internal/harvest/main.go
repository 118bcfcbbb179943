// Harvest makes the large set of what the fuzzer found:
//
//	mkdir /tmp/found
//	VECTORS_FOUND=/tmp/found go test -fuzz FuzzQuestions -fuzztime 10m ./match/matchtest/vectors
//	cd match/matchtest/vectors && go run ./internal/harvest /tmp/found && go generate .
//
// Of each kind of question it takes the shortest one for each set of rules that matter,
// and then the shortest others, up to a number.
package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/canonical"
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/files"
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/found"
)

// most is the greatest number of cases of a kind.
const most = 40

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
	all := map[string][]files.Case{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		c, err := read(text)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		all[c.Ask] = append(all[c.Ask], c)
	}
	var chosen []files.Case
	for _, kind := range found.Kinds {
		chosen = append(chosen, choose(all[kind])...)
	}
	path := filepath.Join(files.Kubernetes, "large", "harvest.json") // until generate spreads it
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	fmt.Printf("%d of %d questions\n", len(chosen), len(names))
	return os.WriteFile(path, files.Releases[0].Format("large", chosen), 0o644)
}

// read makes the case of a question anew.
func read(text []byte) (c files.Case, err error) {
	ask, input, _ := bytes.Cut(text, []byte("\n"))
	in, err := canonical.Read(input)
	if err != nil {
		return c, err
	}
	rules, _ := found.Rules(string(ask), in)
	return files.New(files.FoundID(string(ask), in), rules, string(ask), in)
}

// choose returns the shortest case of each set of rules, and then the shortest others.
func choose(cases []files.Case) (chosen []files.Case) {
	slices.SortFunc(cases, func(a, b files.Case) int {
		return cmp.Or(cmp.Compare(len(a.Input), len(b.Input)), bytes.Compare(a.Input, b.Input))
	})
	seen := map[string]bool{}
	var others []files.Case
	for _, c := range cases {
		if rules := strings.Join(c.Rules, " "); len(c.Rules) > 0 && !seen[rules] {
			seen[rules] = true
			chosen = append(chosen, c)
		} else if len(c.Rules) > 0 {
			others = append(others, c)
		}
	}
	return append(chosen, others[:max(0, min(len(others), most-len(chosen)))]...)
}
