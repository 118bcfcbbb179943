package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestCheck finds what is lost: a test, a spec of Ginkgo, an answer, and ours.
func TestCheck(t *testing.T) {
	fresh := func() *row {
		r := &row{project: &projects[0], before: newOutcome(), after: newOutcome(), ours: newOutcome()}
		for _, o := range []*outcome{r.before, r.after} {
			o.passed["p TestA"], o.specs, o.right = true, 5, 5
		}
		r.before.failed["p TestB"] = true // which fails anyway
		r.ours.output = []string{"same 7"}
		return r
	}
	if err := fresh().check(); err != nil {
		t.Error(err)
	}
	for want, lose := range map[string]func(*row){
		"passed before and not after: p TestA": func(r *row) { delete(r.after.passed, "p TestA") },
		"passed before and not after: \n":      func(r *row) { r.after.right-- },
		"ours:":                                func(r *row) { r.ours.failed["p TestToleroTurns"] = true },
		"ours:\n":                              func(r *row) { r.ours.output = nil },
	} {
		r := fresh()
		if lose(r); r.check() == nil || !strings.HasPrefix(r.check().Error(), want) {
			t.Errorf("%v, want %s", r.check(), want)
		}
	}
}

// TestProjects have what the program reads: a module, and our test for each package.
func TestProjects(t *testing.T) {
	for _, p := range projects {
		for _, pkg := range p.inside {
			text, err := os.ReadFile(filepath.Join("..", p.name, "testdata", filepath.Base(pkg)+".go"))
			if err != nil || !strings.HasPrefix(string(text), "package "+filepath.Base(pkg)+"\n") {
				t.Errorf("%s: %v", p.name, err)
			}
		}
		if _, err := copyModule(filepath.Join("..", p.name), t.TempDir()); err != nil {
			t.Error(err)
		}
	}
}

// TestChoose refuses an unknown name: otherwise a run of nothing would pass.
func TestChoose(t *testing.T) {
	if all, err := choose(""); err != nil || len(all) != len(projects) {
		t.Error(len(all), err)
	}
	if two, err := choose("popeye,kueue"); err != nil || len(two) != 2 || two[0].name != "popeye" || two[1].name != "kueue" {
		t.Error(two, err)
	}
	if _, err := choose("kueue,cueue"); err == nil || err.Error() != "no project cueue" {
		t.Error(err)
	}
}

func TestTable(t *testing.T) {
	r := &row{project: &projects[1], version: "v1", before: newOutcome(), after: newOutcome(), ours: newOutcome()}
	r.before.passed["p TestA"], r.after.passed["p TestA"] = true, true
	r.ours.output = []string{"same 7", "call f, tolerated|20|10|1|0"}
	got := table([]*row{r}, time.Unix(0, 0))
	for _, want := range []string{"Run on 1970-01-01", "| `sigs.k8s.io/karpenter` v1 | 2 | 1 | 1 | 1 | 7 |\n", "| karpenter, f, tolerated | 20 | 10 | 1 | 0 |\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("want %q in\n%s", want, got)
		}
	}
}
