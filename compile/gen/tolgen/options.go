package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/tolero-dev/tolero/compile/gen"
	"github.com/tolero-dev/tolero/toleration"
)

// options are the flags and arguments.
type options struct {
	gen.Options
	output string
	test   bool
	check  bool
	rules  toleration.Rules
	only   selectors
	names  renames
	inputs []string
}

// parseOptions reads the arguments. What is wrong with them it explains on
// stderr.
func parseOptions(args []string, goPackage string, stderr io.Writer) (*options, error) {
	o := &options{}
	flags := flag.NewFlagSet("tolgen", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.output, "o", "", "the Go `file`; without it, standard output")
	flags.StringVar(&o.Package, "package", goPackage, "the `name` of its package")
	flags.BoolVar(&o.test, "test", false, "also write a test file beside it")
	flags.BoolVar(&o.Functions, "functions", false, "functions in place of a type with methods")
	flags.BoolVar(&o.Exported, "exported", false, "visible to other packages")
	flags.BoolVar(&o.Standalone, "standalone", false, "code that imports nothing")
	flags.Var(&o.only, "only", "only the objects of a kind or name: KIND[/[NAMESPACE/]NAME] (may stand several times)")
	flags.Var(&o.names, "name", "the name for a list: [KIND/[NAMESPACE/]NAME=]IDENTIFIER (may stand several times)")
	flags.BoolVar(&o.rules.Comparisons, "comparisons", false, "accept the operators Lt and Gt, for a cluster with the feature gate TaintTolerationComparisonOperators on; without it they are an error, as in a default cluster")
	flags.BoolVar(&o.check, "check", false, "write nothing, and show what would differ")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if o.inputs = flags.Args(); len(o.inputs) == 0 {
		o.inputs = []string{"-"}
	}
	err := o.validate()
	if err != nil {
		fmt.Fprintf(stderr, "tolgen: %v\n", err)
		flags.Usage()
	}
	flags.Set("package", o.Package) // so that the command names it, wherever it comes from
	o.Command = command(flags)
	return o, err
}

func (o *options) validate() error {
	switch {
	case o.Package == "":
		return errors.New("no -package, and no $GOPACKAGE")
	case o.output == "" && (o.check || o.test):
		return errors.New("-check and -test need a file: -o")
	case o.output != "" && (!strings.HasSuffix(o.output, ".go") || strings.HasSuffix(o.output, "_test.go")):
		return fmt.Errorf("-o %q: want the name of a Go file that is not a test", o.output)
	}
	return nil
}

// command returns the command line for the header: the same for the same flags,
// in whatever order, with or without -check.
func command(flags *flag.FlagSet) string {
	words := []string{"tolgen"}
	flags.Visit(func(f *flag.Flag) {
		boolean, _ := f.Value.(interface{ IsBoolFlag() bool })
		many, _ := f.Value.(interface{ all() []string })
		switch {
		case f.Name == "check":
		case boolean != nil:
			words = append(words, "-"+f.Name+strings.TrimSuffix("="+f.Value.String(), "=true"))
		case many != nil:
			for _, value := range many.all() {
				words = append(words, "-"+f.Name, quoted(value))
			}
		default:
			words = append(words, "-"+f.Name, quoted(f.Value.String()))
		}
	})
	for _, input := range flags.Args() {
		words = append(words, quoted(input))
	}
	return strings.Join(words, " ")
}

// quoted returns a word as it can be typed again, if it is an ordinary one, and
// else so that it can be told where it ends.
func quoted(word string) string {
	plain := func(r rune) bool {
		return r < 0x80 && strings.ContainsRune("-_./=:,+@%", r) || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	if word != "" && strings.TrimFunc(word, plain) == "" {
		return word
	}
	return strconv.Quote(word)
}
