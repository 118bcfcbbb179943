package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// project is one whose tests are run.
type project struct {
	name, module string
	files        []file
	packages     []string // whose tests are run, in the module
	inside       []string // packages that get our test, which is testdata/PACKAGE.go
}

// file is one whose calls are rewritten.
type file struct {
	pkg, name string   // the import path, and the name of the file
	calls     int      // how many there are
	also      []string // other functions that are kept as they were
}

var projects = []project{
	{
		name:   "descheduler",
		module: "sigs.k8s.io/descheduler",
		files: []file{{"sigs.k8s.io/descheduler/pkg/utils", "predicates.go", 1,
			[]string{"TolerationsTolerateTaintsWithFilter"}}},
		packages: []string{"pkg/utils", "pkg/descheduler/node", "pkg/framework/plugins/removepodsviolatingnodetaints", "pkg/framework/plugins/removeduplicates",
			"pkg/framework/plugins/removepodsviolatingtopologyspreadconstraint", "pkg/framework/plugins/nodeutilization"},
		inside: []string{"sigs.k8s.io/descheduler/pkg/utils"},
	},
	{
		name:     "karpenter",
		module:   "sigs.k8s.io/karpenter",
		files:    []file{{"sigs.k8s.io/karpenter/pkg/scheduling", "taints.go", 1, []string{"ToleratesPod"}}},
		packages: []string{"pkg/scheduling", "pkg/utils/pod"},
		inside:   []string{"sigs.k8s.io/karpenter/pkg/scheduling"},
	},
	{
		name:   "kueue",
		module: "sigs.k8s.io/kueue",
		files: []file{
			{"sigs.k8s.io/kueue/pkg/controller/tas", "node_controller.go", 2, nil},
			{"sigs.k8s.io/kueue/pkg/cache/scheduler", "scheduling_simulator_default.go", 1, nil},
			{"sigs.k8s.io/kueue/pkg/scheduler/flavorassigner", "flavorassigner.go", 1, nil},
		},
		packages: []string{"pkg/controller/tas", "pkg/cache/scheduler", "pkg/scheduler/flavorassigner"},
		inside:   []string{"sigs.k8s.io/kueue/pkg/controller/tas", "sigs.k8s.io/kueue/pkg/scheduler/flavorassigner"},
	},
	{
		name:   "koordinator",
		module: "github.com/koordinator-sh/koordinator",
		files: []file{
			{"github.com/koordinator-sh/koordinator/pkg/descheduler/utils", "predicates.go", 1, []string{"TolerationsTolerateTaintsWithFilter"}},
			{"github.com/koordinator-sh/koordinator/pkg/util/reservation", "reservation.go", 2, nil},
		},
		packages: []string{"pkg/descheduler/utils", "pkg/descheduler/node", "pkg/util/reservation"},
		inside:   []string{"github.com/koordinator-sh/koordinator/pkg/descheduler/utils"},
	},
	{
		name:     "volcano", // calls a plugin of kube-scheduler
		module:   "volcano.sh/volcano",
		files:    []file{{"k8s.io/kubernetes/pkg/scheduler/framework/plugins/tainttoleration", "taint_toleration.go", 4, nil}},
		packages: []string{"pkg/scheduler/plugins/predicates", "pkg/scheduler/plugins/nodeorder"},
		inside:   []string{"volcano.sh/volcano/pkg/scheduler/plugins/predicates"},
	},
	{
		name:     "kai", // which asks a plugin of kube-scheduler's
		module:   "github.com/NVIDIA/KAI-scheduler",
		files:    []file{{"k8s.io/kubernetes/pkg/scheduler/framework/plugins/tainttoleration", "taint_toleration.go", 4, nil}},
		packages: []string{"pkg/scheduler/plugins/predicates", "pkg/scheduler/k8s_internal/predicates", "pkg/scheduler/api/pod_info"},
		inside:   []string{"github.com/NVIDIA/KAI-scheduler/pkg/scheduler/k8s_internal/plugins", "github.com/NVIDIA/KAI-scheduler/pkg/scheduler/api/pod_info"},
	},
	{
		name:   "karmada",
		module: "github.com/karmada-io/karmada",
		files: []file{
			{"github.com/karmada-io/karmada/pkg/scheduler/framework/plugins/tainttoleration", "taint_toleration.go", 1, nil},
			{"github.com/karmada-io/karmada/pkg/util/helper", "taint.go", 2, nil},
		},
		packages: []string{"pkg/scheduler/framework/plugins/tainttoleration", "pkg/util/helper", "pkg/controllers/cluster"},
		inside:   []string{"github.com/karmada-io/karmada/pkg/scheduler/framework/plugins/tainttoleration", "github.com/karmada-io/karmada/pkg/util/helper"},
	},
	{
		name:   "kubeadmiral", // has copies of the helpers
		module: "github.com/kubewharf/kubeadmiral",
		files: []file{{"github.com/kubewharf/kubeadmiral/pkg/controllers/scheduler/framework", "util.go", 1,
			[]string{"FindMatchingUntoleratedTaint"}}},
		packages: []string{"pkg/controllers/scheduler/framework/plugins/tainttoleration", "pkg/controllers/scheduler/framework/plugins/rsp",
			"pkg/controllers/scheduler/framework/plugins/preferencebinpack"},
		inside: []string{"github.com/kubewharf/kubeadmiral/pkg/controllers/scheduler/framework"},
	},
	{
		name:   "kruise",
		module: "github.com/openkruise/kruise",
		files: []file{
			{"github.com/openkruise/kruise/pkg/controller/workloadspread", "workloadspread_controller_utils.go", 1, nil},
			{"github.com/openkruise/kruise/pkg/controller/broadcastjob", "broadcastjob_controller.go", 2, nil},
			{"github.com/openkruise/kruise/pkg/controller/daemonset", "daemonset_controller.go", 1, nil},
			{"github.com/openkruise/kruise/pkg/controller/daemonset", "daemonset_util.go", 1, nil},
		},
		packages: []string{"pkg/controller/workloadspread", "pkg/controller/broadcastjob", "pkg/controller/daemonset"},
		inside: []string{"github.com/openkruise/kruise/pkg/controller/workloadspread", "github.com/openkruise/kruise/pkg/controller/broadcastjob",
			"github.com/openkruise/kruise/pkg/controller/daemonset"},
	},
	{
		name:     "yunikorn", // which asks a plugin of kube-scheduler's
		module:   "github.com/apache/yunikorn-k8shim",
		files:    []file{{"k8s.io/kubernetes/pkg/scheduler/framework/plugins/tainttoleration", "taint_toleration.go", 4, nil}},
		packages: []string{"pkg/plugin/predicates"},
		inside:   []string{"github.com/apache/yunikorn-k8shim/pkg/plugin/predicates"},
	},
	{
		name:   "ocm", // matches taints of its own types
		module: "open-cluster-management.io/ocm",
		inside: []string{"open-cluster-management.io/ocm/pkg/placement/plugins/tainttoleration"},
	},
	{
		name:   "popeye", // has no call to rewrite: it compares by itself
		module: "github.com/derailed/popeye",
		inside: []string{"github.com/derailed/popeye/internal/lint"},
	},
}

// turns is what our tests inside the packages of the projects have in common.
//
//go:embed turns.go.txt
var turns string

// row is the result of a project.
type row struct {
	project             *project
	version             string
	before, after, ours *outcome
}

// run runs the tests of a project before and after.
func (p *project) run(ctx context.Context, adopters string, work *workspace, verbose bool) (*row, error) {
	temp, err := os.MkdirTemp(work.temp(), "")
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(adopters, p.name)
	flags, err := copyModule(dir, temp)
	if err != nil {
		return nil, err
	}
	r := &row{project: p}
	if r.version, err = goOutput(ctx, dir, append(append([]string{"list", "-m"}, flags...), "-f", "{{.Version}}", p.module)...); err != nil {
		return nil, err
	}
	if err := p.link(ctx, dir, temp, work, flags); err != nil {
		return nil, err
	}
	if err := r.tests(ctx, dir, temp, flags, verbose); err != nil {
		return nil, err
	}
	return r, r.check()
}

// tests runs the project's tests before and after, and then ours.
func (r *row) tests(ctx context.Context, dir, temp string, flags []string, verbose bool) error {
	p := r.project
	overlay, err := p.overlay(ctx, dir, temp, flags)
	if err != nil {
		return err
	}
	packages := make([]string, len(p.packages))
	for i, pkg := range p.packages {
		packages[i] = path.Join(p.module, pkg)
	}
	overlaid := append(slices.Clone(flags), "-overlay", overlay)
	for _, step := range []struct {
		name    string
		outcome **outcome
		args    []string
	}{
		{"before", &r.before, append(slices.Clone(flags), packages...)},
		{"after", &r.after, append(slices.Clone(overlaid), packages...)},
		{"ours", &r.ours, append(append(overlaid, "-run", "^TestTolero"), p.inside...)},
	} {
		*step.outcome = newOutcome()
		if step.name != "ours" && len(packages) == 0 {
			continue
		}
		fmt.Fprintf(os.Stderr, "%s %s: %s\n", p.name, r.version, step.name)
		if *step.outcome, err = goTest(ctx, dir, verbose, step.args...); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
	}
	return nil
}

// check returns what is wrong with the outcomes.
func (r *row) check() error {
	var lost []string
	for name := range r.before.passed {
		if !r.after.passed[name] {
			lost = append(lost, name)
		}
	}
	if len(lost) > 0 || r.before.right > r.after.right {
		return fmt.Errorf("passed before and not after: %s\n%s", strings.Join(lost, ", "), r.after.failures.String())
	}
	if len(r.ours.failed) > 0 || len(r.ours.output) == 0 {
		return fmt.Errorf("ours:\n%s", r.ours.failures.String())
	}
	return nil
}

// copyModule makes a copy of go.mod, to be completed with what the tests of the project
// require, and returns the flags that use it.
func copyModule(dir, temp string) (flags []string, err error) {
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(temp, name), text, 0o600); err != nil {
			return nil, err
		}
	}
	return []string{"-mod=mod", "-modfile=" + filepath.Join(temp, "go.mod")}, nil
}

// link makes symbolic links to the modules with files to rewrite: Go lets nothing in the
// module cache be overlaid, but finds them through the links, outside it.
func (p *project) link(ctx context.Context, dir, temp string, work *workspace, flags []string) error {
	linked := map[string]bool{}
	for _, pkg := range p.packagesToWrite() {
		text, err := goOutput(ctx, dir, append(append([]string{"list"}, flags...), "-f", "{{.Module.Path}} {{.Module.Dir}}", pkg)...)
		if err != nil {
			return err
		}
		module, in, _ := strings.Cut(text, " ")
		if linked[module] {
			continue
		}
		linked[module] = true
		name, err := work.link(in)
		if err != nil {
			return err
		}
		if _, err := goOutput(ctx, dir, "mod", "edit", "-replace="+module+"="+name, filepath.Join(temp, "go.mod")); err != nil {
			return err
		}
	}
	return nil
}

// packagesToWrite returns the packages with files that are rewritten or added.
func (p *project) packagesToWrite() (all []string) {
	for _, f := range p.files {
		all = append(all, f.pkg)
	}
	return append(all, p.inside...)
}

// overlay writes the rewritten files, and our tests beside them, into temp, and returns
// the name of the file that says which file replaces which.
func (p *project) overlay(ctx context.Context, dir, temp string, flags []string) (string, error) {
	replace := map[string]string{}
	write := func(original string, text []byte) error {
		name := filepath.Join(temp, fmt.Sprintf("%d.go", len(replace)))
		replace[original] = name
		return os.WriteFile(name, text, 0o600)
	}
	folder := func(pkg string) (string, error) {
		return goOutput(ctx, dir, append(append([]string{"list"}, flags...), "-f", "{{.Dir}}", pkg)...)
	}
	for _, f := range p.files {
		in, err := folder(f.pkg)
		if err != nil {
			return "", err
		}
		text, err := os.ReadFile(filepath.Join(in, f.name))
		if err != nil {
			return "", err
		}
		if text, err = rewrite(text, f.calls, f.also); err != nil {
			return "", fmt.Errorf("%s/%s: %w", f.pkg, f.name, err)
		}
		if err := write(filepath.Join(in, f.name), text); err != nil {
			return "", err
		}
	}
	for _, pkg := range p.inside {
		in, err := folder(pkg)
		if err != nil {
			return "", err
		}
		text, err := os.ReadFile(filepath.Join(dir, "testdata", path.Base(pkg)+".go"))
		if err != nil {
			return "", err
		}
		clause, _, _ := strings.Cut(string(text), "\n")
		if err := write(filepath.Join(in, "tolero_test.go"), text); err != nil {
			return "", err
		}
		if err := write(filepath.Join(in, "toleroturns_test.go"), []byte(clause+"\n"+turns)); err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(temp, "overlay.json")
	return name, os.WriteFile(name, text, 0o600)
}
