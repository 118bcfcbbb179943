package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tolero-dev/tolero/compile/gen"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// file is a file to be written.
type file struct {
	name string
	text []byte
}

// generate returns the files that the options ask for.
func generate(o *options, stdin io.Reader) ([]file, error) {
	pods, err := o.read(stdin)
	if err != nil {
		return nil, err
	}
	lists, err := o.lists(pods)
	if err != nil {
		return nil, err
	}
	code, err := gen.Generate(lists, o.Options)
	if err != nil {
		return nil, err
	}
	files := []file{{o.output, code}}
	if o.test {
		test, err := gen.GenerateTest(lists, o.Options)
		if err != nil {
			return nil, err
		}
		files = append(files, file{strings.TrimSuffix(o.output, ".go") + "_test.go", test})
	}
	return files, nil
}

// read reads the workloads of all inputs. Whatever is wrong with one that is
// selected is an error: code that is made from a part of a list is worse than
// none.
func (o *options) read(stdin io.Reader) ([]manifest.Pod, error) {
	loader := manifest.Loader{Rules: o.Rules, Bare: true}
	for _, input := range o.inputs {
		if err := readOne(&loader, input, stdin); err != nil {
			return nil, err
		}
	}
	var errs []error
	for _, fault := range loader.Cluster().Faults {
		if fault.Object.Kind != "Node" && o.selects(&fault.Object) { // a dump of a cluster has nodes too
			errs = append(errs, &fault)
		}
	}
	return loader.Workloads(), errors.Join(errs...)
}

func readOne(loader *manifest.Loader, input string, stdin io.Reader) error {
	if input == "-" {
		return loader.Read("standard input", stdin)
	}
	in, err := os.Open(input)
	if err != nil {
		return err
	}
	defer in.Close()
	return loader.Read(filepath.ToSlash(input), in)
}

// lists returns the selected lists with their names.
func (o *options) lists(pods []manifest.Pod) ([]gen.List, error) {
	var lists []gen.List
	var objects []*manifest.Object
	for i := range pods {
		if pod := &pods[i]; o.selects(&pod.Object) {
			objects = append(objects, &pod.Object)
			lists = append(lists, gen.List{
				Name:        strings.TrimSpace(pod.Kind + " " + pod.Name),
				Source:      pod.ID() + " in " + pod.File,
				Tolerations: pod.Tolerations(),
			})
		}
	}
	if len(lists) == 0 {
		return nil, fmt.Errorf("none of the %d workloads that were read is to be generated", len(pods))
	}
	if err := o.rename(lists, objects); err != nil {
		return nil, err
	}
	for i, list := range lists {
		if list.Name == "" {
			return nil, fmt.Errorf("%s: the list has no kind and name to be named after: use -name", objects[i])
		}
	}
	return lists, nil
}

// rename gives the lists of the objects their new names. A name that is not for
// exactly one list is an error.
func (o *options) rename(lists []gen.List, objects []*manifest.Object) error {
	for _, r := range o.names {
		found := 0
		for i, object := range objects {
			if r.selects(object) {
				lists[i].Name = r.identifier
				found++
			}
		}
		if found != 1 {
			return fmt.Errorf("-name %q is for one list, and fits %d", r.text, found)
		}
	}
	return nil
}
