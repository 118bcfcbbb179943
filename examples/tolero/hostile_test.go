package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/command"
)

// odd are values that nobody expects where they are put.
var odd = []any{nil, "", "\x1b[31m\u202e", -1.0, 1e300, true, []any{}, map[string]any{}, strings.Repeat("a", 300), "9223372036854775808", "--all", "$(reboot)", []any{map[string]any{"key": "a"}}}

// spoil replaces, repeats or takes out some values.
func spoil(r *rand.Rand, v any) any {
	if r.IntN(60) == 0 {
		return odd[r.IntN(len(odd))]
	}
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) { // the same each time
			if v[key] = spoil(r, v[key]); r.IntN(80) == 0 {
				delete(v, key)
			}
		}
	case []any:
		for i := range v {
			v[i] = spoil(r, v[i])
		}
		if len(v) > 0 && r.IntN(20) == 0 {
			return append(v, v[r.IntN(len(v))])
		}
	}
	return v
}

// Whatever is in a dump, each command ends with one of its statuses, and no name reaches the
// terminal as something else than text.
func TestHostileInput(t *testing.T) {
	var dumps [][]byte
	for _, name := range []string{"matrix/testdata/cluster.json", "matrix/testdata/devices.json", "page/testdata/pools.json"} {
		text, err := os.ReadFile("../internal/" + name)
		if err != nil {
			t.Fatal(err)
		}
		dumps = append(dumps, text)
	}
	rounds := 30
	if testing.Short() {
		rounds = 6
	}
	answers := 0
	for seed := range rounds * len(dumps) {
		r := rand.New(rand.NewPCG(1, uint64(seed)))
		var v any
		if err := json.Unmarshal(dumps[seed%len(dumps)], &v); err != nil {
			t.Fatal(err)
		}
		input, err := json.Marshal(spoil(r, v))
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{"", "why", "lint", "plan -stages -max-pods 2", "plan -o kubectl", "outage -pool x -zone eu-central-1a", "matrix", "check"} {
			args := append(strings.Fields(line), "-f", "-")
			if strings.HasPrefix(line, "plan") {
				args = append(args, "taint nodes --all x:NoExecute")
			}
			var out, errors bytes.Buffer
			status := run(&command.Program{Stdin: bytes.NewReader(input), Stdout: &out, Stderr: &errors, Now: time.Now}, args)
			if status < 0 || status > 2 || strings.ContainsAny(out.String()+errors.String(), "\x1b\u202e\x00") {
				t.Fatalf("seed %d, %s: status %d, %s%s\n%s", seed, line, status, &out, &errors, input)
			}
			if status != command.Trouble {
				answers++
			}
		}
	}
	if answers < 4*rounds {
		t.Errorf("%d answers: the input is spoilt too much", answers)
	}
}
