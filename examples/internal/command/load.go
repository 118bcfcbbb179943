package command

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/progress"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// Input says how a command reads its cluster.
type Input struct {
	// Demo is read if there are no files.
	Demo string
	// Kinds are what the command needs of the user's cluster, beside nodes and pods.
	Kinds []string
	// Filter takes out faults that the command reports itself; nil takes none.
	Filter func(*manifest.Cluster)
	// Shown returns a fault as it is to be shown; nil shows it as it is.
	Shown func(*manifest.Fault) error
	// Beside reads the same as the loader does, at the same time; nil reads nothing. It reads
	// to the end, and returns what is wrong with what it alone looks at.
	Beside interface {
		Read(name string, r io.Reader)
		Faults() []error
	}
}

// Load returns the cluster that the flags name; the time of the user's own is now. Faults in its
// objects go to stderr: the first ten, and all with -v. With -strict they are an error.
func (p *Program) Load(in *Input) (*manifest.Cluster, error) {
	if p.Cluster != nil {
		return p.Cluster, nil
	}
	loader := &manifest.Loader{Rules: p.Rules, Placement: true, Controllers: true, State: true}
	read := loader.Read
	if in.Beside != nil {
		read = func(name string, r io.Reader) error { return readTwice(name, r, loader.Read, in.Beside.Read) }
	}
	if len(p.Files) == 0 {
		if err := p.BuiltIn(); err != nil {
			return nil, err
		}
		if err := read("the built-in cluster", strings.NewReader(in.Demo)); err != nil {
			return nil, err
		}
	}
	files := p.Files
	if p.Kubectl.Wanted {
		files = files[:len(files)-1]
	}
	for _, name := range files {
		if err := progress.ReadFile(p.Stderr, p.Stdin, name, read); err != nil {
			return nil, err
		}
	}
	if p.Kubectl.Wanted {
		if err := p.readCluster(in.Kinds, read); err != nil {
			return nil, err
		}
	}
	bar := progress.Start(p.Stderr, "putting together", progress.Uncounted)
	c := loader.Cluster()
	if p.Kubectl.Wanted && p.Now().After(c.Latest) {
		c.Latest = p.Now()
	}
	if in.Filter != nil {
		in.Filter(c)
	}
	bar.Stop()
	faults := in.faults(c)
	p.complainFaults(faults)
	if n := len(faults); n > 0 && p.Strict {
		return nil, fmt.Errorf("%s in the objects, and -strict is set", Plural(n, "fault"))
	}
	if p.Verbose {
		p.Complain(fmt.Errorf("read %s and %s%s", Plural(len(c.Nodes), "node"), Plural(len(c.Pods), "pod"), others(c, "; beside them ")))
	}
	return c, nil
}

// BuiltIn returns an error if the answer would be about what is built in although the user sends
// something on standard input. Only what standard input is decides: a pipe that stays open and
// silent, as in some CI, looks like one whose writer is slow.
func (p *Program) BuiltIn() error {
	in, ok := p.Stdin.(interface{ Stat() (os.FileInfo, error) })
	if !ok || p.takesStdin {
		return nil
	}
	info, err := in.Stat()
	if err == nil && (info.Mode().IsRegular() || info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0) {
		return Usagef("standard input is a pipe or a file: give -f - to read it, or </dev/null for what is built in")
	}
	return nil
}

// readTwice has two readers read the same at the same time.
func readTwice(name string, r io.Reader, one func(string, io.Reader) error, two func(string, io.Reader)) error {
	copied, to := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		two(name, copied)
	}()
	err := one(name, io.TeeReader(r, to))
	to.Close() // it never fails
	<-done
	return err
}

// faults returns what is wrong with the objects, as it is to be shown.
func (in *Input) faults(c *manifest.Cluster) []error {
	all := make([]error, len(c.Faults))
	for i := range c.Faults {
		all[i] = &c.Faults[i]
		if in.Shown != nil {
			all[i] = in.Shown(&c.Faults[i])
		}
	}
	if in.Beside != nil {
		all = append(all, in.Beside.Faults()...)
	}
	return all
}

// Owner returns the name of the workload that a pod comes from, such as "Deployment
// shop/cart", or else that of the pod: the names of pods change all the time.
func Owner(p *manifest.Pod) string {
	owner := cmp.Or(p.Workload, p.Owner)
	if owner == (manifest.Owner{}) || owner.Kind == "Node" { // a static pod
		return p.ID()
	}
	return manifest.Object{Kind: owner.Kind, Namespace: p.Namespace, Name: owner.Name}.ID()
}

// Dump prints all that the commands read of a cluster.
const Dump = "kubectl get nodes,pods,ds,rs,pvc,pv,pdb -A -o json"

// Missing returns an error that says what is in the cluster when nodes or pods are
// missing.
func Missing(c *manifest.Cluster) error {
	return fmt.Errorf("%s and %s in the input%s; to have all: "+Dump,
		Plural(len(c.Nodes), "node"), Plural(len(c.Pods), "pod"), others(c, ", only "))
}

// others says what there is besides, after the text before it, or nothing.
func others(c *manifest.Cluster, before string) string {
	var found []string
	for _, kind := range slices.Sorted(maps.Keys(c.Others)) {
		found = append(found, fmt.Sprintf("%d %s", c.Others[kind], kind))
	}
	if c.Finished > 0 {
		found = append(found, Plural(c.Finished, "finished pod"))
	}
	if c.Absent > 0 {
		found = append(found, Plural(c.Absent, "workload")+" without pods")
	}
	if found == nil {
		return ""
	}
	return before + strings.Join(found, ", ")
}

// ReadAll returns the text of a small file, such as a plan, or of standard input.
func (p *Program) ReadAll(name string) (string, error) {
	if name == "-" {
		text, err := io.ReadAll(p.Stdin)
		return string(text), err
	}
	text, err := os.ReadFile(name)
	return string(text), err
}
