// Cover chooses the small set: few cases that together find every mistake that some case
// finds, those of each kind of question by themselves. The mistakes are those of package
// without and the mutants of fuzz/mutate that the vectors kill:
//
//	VECTORS_KILLS=/tmp/kills go run ./fuzz/mutate -run '^TestLibrary$' -test ./match/matchtest/vectors FILE...
//	go run ./fuzz/mutate -list FILE... >/tmp/mutants
//	cd match/matchtest/vectors && go run ./internal/cover /tmp/kills /tmp/mutants && go generate .
//
// It writes internal/files/kills.json. Mutants that are compiled alone have no number, and
// are left out.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/canonical"
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/files"
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/without"
)

// most is how many mistakes a case names.
const most = 3

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: cover KILLS MUTANTS")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "cover:", err)
		os.Exit(1)
	}
}

func run(killsFile, mutantsFile string) error {
	cases, err := files.Cases(os.DirFS("."))
	if err != nil {
		return err
	}
	finds := map[string][]string{} // by case: mistakes
	for i := range cases {
		if err := mistakes(&cases[i], finds); err != nil {
			return err
		}
	}
	if err := mutants(killsFile, mutantsFile, cases, finds); err != nil {
		return err
	}
	chosen := choose(cases, finds)
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(chosen); err != nil {
		return err
	}
	return os.WriteFile("internal/files/kills.json", b.Bytes(), 0o644)
}

// mistakes notes those with which the answer of a case is another.
func mistakes(c *files.Case, finds map[string][]string) error {
	in, err := canonical.Read(c.Input)
	if err != nil {
		return err
	}
	matter, err := without.Matter(c.Ask, in, c.Answer)
	for _, m := range matter {
		finds[c.ID] = append(finds[c.ID], m.String())
	}
	return err
}

// mutants notes which cases kill which mutants.
func mutants(killsFile, mutantsFile string, cases []files.Case, finds map[string][]string) error {
	names, err := namesOf(mutantsFile)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for i := range cases {
		known[cases[i].ID] = true
	}
	text, err := os.ReadFile(killsFile)
	if err != nil {
		return err
	}
	killed := map[string]map[string]bool{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		n, err := strconv.Atoi(fields[0])
		if err != nil || n < 1 || n > len(names) {
			continue
		}
		for _, id := range fields[1:] {
			if known[id] {
				if killed[names[n-1]] == nil {
					killed[names[n-1]] = map[string]bool{}
				}
				killed[names[n-1]][id] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(killed)) {
		for id := range killed[name] {
			finds[id] = append(finds[id], name)
		}
	}
	fmt.Printf("%d mutants of %d are killed by a case\n", len(killed), len(names))
	return nil
}

// namesOf reads what mutate -list prints: three lines for each mutant.
func namesOf(name string) (names []string, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	for i := 0; i+2 < len(lines); i += 3 {
		file, rest, _ := strings.Cut(lines[i], ":")
		_, decl, _ := strings.Cut(rest, ": ")
		before, after := strings.TrimSpace(lines[i+1]), strings.TrimSpace(lines[i+2])
		names = append(names, fmt.Sprintf("%s, %s: %s becomes %s", file, decl, strings.TrimPrefix(before, "- "), strings.TrimSpace(strings.TrimPrefix(after, "+"))))
	}
	return names, nil
}

// choose takes the case that finds most of what is left, those written by hand first,
// until nothing is left, and names what it found then. A mistake is left until each kind of
// question has found it that finds it at all: programs that answer only some kinds are
// tested as well.
func choose(cases []files.Case, finds map[string][]string) map[string][]string {
	type mistake struct{ kind, name string }
	chosen, found := map[string][]string{}, map[mistake]bool{}
	for {
		best, score := -1, 0
		for i := range cases {
			n := 0
			for _, name := range finds[cases[i].ID] {
				if !found[mistake{cases[i].Ask, name}] {
					n += 2
				}
			}
			if n > 0 && cases[i].About != "" {
				n++
			}
			if n > score {
				best, score = i, n
			}
		}
		if best < 0 {
			return chosen
		}
		id := cases[best].ID
		for _, name := range finds[id] {
			if m := (mistake{cases[best].Ask, name}); !found[m] {
				found[m] = true
				chosen[id] = append(chosen[id], name)
			}
		}
		chosen[id] = chosen[id][:min(most, len(chosen[id]))]
	}
}
