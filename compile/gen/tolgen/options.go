package main

import (
	"errors"
	"flag"
	"fmt"
	"go/build"
	"go/token"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tolero-dev/tolero/compile/gen"
)

// options are the flags and arguments.
type options struct {
	gen.Options
	output string
	test   bool
	check  bool
	only   []selector
	names  []rename
	inputs []string
}

// parseOptions reads the arguments. What is wrong with them it explains on
// stderr.
func parseOptions(args []string, goPackage string, stderr io.Writer) (*options, error) {
	o := &options{}
	flags := flag.NewFlagSet("tolgen", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.output, "o", "", "the Go `file`; without it, standard output")
	flags.StringVar(&o.Package, "package", "", "the `name` of its package; without it $GOPACKAGE, or the package in the folder of the file, or the folder's name")
	flags.BoolVar(&o.test, "test", false, "also write a test file beside it")
	flags.BoolVar(&o.Functions, "functions", false, "functions in place of a type with methods")
	flags.BoolVar(&o.Exported, "exported", false, "visible to other packages")
	flags.BoolVar(&o.Standalone, "standalone", false, "code that imports nothing")
	flags.Func("only", "only the objects of a kind or name: `KIND[/[NAMESPACE/]NAME]` (may stand several times)", o.addOnly)
	flags.Func("name", "the name for a list: `[KIND[/[NAMESPACE/]NAME]=]IDENTIFIER` (may stand several times)", o.addName)
	flags.BoolVar(&o.Rules.Comparisons, "comparisons", false, "accept the operators Lt and Gt, for a cluster with the feature gate TaintTolerationComparisonOperators on; without it they are an error, as in a default cluster")
	flags.BoolVar(&o.check, "check", false, "write nothing, and show what would differ")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if o.inputs = flags.Args(); len(o.inputs) == 0 {
		o.inputs = []string{"-"}
	}
	if o.Package == "" {
		o.Package = goPackage
		if o.Package == "" && o.output != "" {
			o.Package = packageOf(filepath.Dir(o.output))
		}
		args = append([]string{"-package", o.Package}, args...)
	}
	o.Command = command(args)
	err := o.validate()
	if err != nil {
		fmt.Fprintf(stderr, "tolgen: %v\n", err)
		flags.Usage()
	}
	return o, err
}

// packageOf returns the package in a folder, or if there is none, the name of the folder
// if it is one for a package.
func packageOf(folder string) string {
	if p, _ := build.ImportDir(folder, 0); p.Name != "" {
		return p.Name
	}
	path, _ := filepath.Abs(folder)
	if name := filepath.Base(path); token.IsIdentifier(name) {
		return name
	}
	return ""
}

func (o *options) validate() error {
	switch {
	case o.output == "" && (o.check || o.test):
		return errors.New("-check and -test need a file: -o")
	case o.output != "" && (!strings.HasSuffix(o.output, ".go") || strings.HasSuffix(o.output, "_test.go")):
		return fmt.Errorf("-o %q: want the name of a Go file that is not a test", o.output)
	case o.Package == "":
		return errors.New("the package has no name: use -package")
	}
	return nil
}

// command returns the command line for the header, the same with and without -check.
// A word that is not an ordinary one is quoted, so that it can be told where it ends.
func command(args []string) string {
	words := []string{"tolgen"}
	ordinary := func(r rune) bool {
		return r < 0x80 && strings.ContainsRune("-_./=:,+@%", r) || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	for _, word := range args {
		if flag, _, _ := strings.Cut(word, "="); flag == "-check" || flag == "--check" {
			continue
		}
		if word == "" || strings.TrimFunc(word, ordinary) != "" {
			word = strconv.Quote(word)
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}
