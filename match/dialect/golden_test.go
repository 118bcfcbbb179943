package dialect_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tolero-dev/tolero/match/dialect"
)

var update = flag.Bool("update", false, "write the golden file")

// TestRows compares what all profiles say of effects, comparisons and the classes of taints,
// and their facts, with what was checked against the projects. Whoever changes one names the file of the
// project that says so, in a fact.
func TestRows(t *testing.T) {
	var text strings.Builder
	for _, p := range dialect.All() {
		fmt.Fprintf(&text, "%s: %v %q, comparisons %t, without %v\n", p.Name, p.Effects, p.OwnEffects, p.Rules.Comparisons, p.LeavesOut)
		for _, s := range p.Selectors {
			fmt.Fprintf(&text, "\t%+v\n", s)
		}
		for _, f := range p.Facts {
			fmt.Fprintf(&text, "\t%v: %s (%s, ran %q)\n", f.Topic, f.Text, f.Source, f.Ran)
		}
	}
	const name = "testdata/profiles.txt"
	if *update {
		if err := os.WriteFile(name, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text.String()); diff != "" {
		t.Errorf("%s differs (-want +got); if that is right, run go test -update:\n%s", name, diff)
	}
}
