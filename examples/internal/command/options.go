package command

import (
	"errors"
	"flag"
	"io"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/cluster"
	"github.com/tolero-dev/tolero/toleration"
)

// Options are the flags that commands share, and the arguments.
type Options struct {
	Files   []string // of -f; "-" is standard input, and the name of Kubectl, if it is wanted, the last one
	Format  string
	Width   int // of the text; 0 is no limit
	Limit   int // of lines of one kind; 0 is no limit
	Rules   toleration.Rules
	Strict  bool
	Verbose bool
	Kubectl cluster.Options

	Args  []string        // what is no flag
	Given map[string]bool // the flags that are set

	takesStdin bool // some file to read is "-"
}

// Flags returns a flag set with the flags that commands share. Its errors are returned, and
// reported once; Command.Flags says what the command's own flags mean.
func (p *Program) Flags() *flag.FlagSet {
	o := &p.Options
	flags := flag.NewFlagSet(p.command.title(), flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&o.Format, "o", "text", "")
	flags.BoolVar(&o.Verbose, "v", false, "")
	flags.Func("f", "", func(name string) error { o.Files = append(o.Files, name); return nil })
	flags.IntVar(&o.Width, "width", 100, "")
	flags.IntVar(&o.Limit, "limit", 0, "")
	flags.BoolVar(&o.Rules.Comparisons, "comparisons", false, "")
	flags.BoolVar(&o.Strict, "strict", false, "")
	o.Kubectl.Flags(flags)
	return flags
}

// Parse parses the command line, in which flags and arguments may come in any order: at most
// so many arguments, which Command.Usage names. It returns [flag.ErrHelp] if help is asked for,
// and else an error of usage.
func (p *Program) Parse(flags *flag.FlagSet, args []string, most int) error {
	o := &p.Options
	for {
		if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
			return err
		} else if err != nil {
			return &usageError{err}
		}
		if flags.NArg() == 0 {
			break
		}
		o.Args = append(o.Args, flags.Arg(0))
		args = flags.Args()[1:]
	}
	o.Given = make(map[string]bool)
	from := slices.Clone(o.Files)
	flags.Visit(func(f *flag.Flag) {
		if o.Given[f.Name] = true; slices.Contains([]string{"plan", "policies", "silence", "baseline"}, f.Name) { // the other files that commands read
			from = append(from, f.Value.String())
		}
	})
	from = slices.DeleteFunc(from, func(name string) bool { return name != "-" })
	o.takesStdin = len(from) > 0
	if !o.Given["limit"] {
		o.Limit = p.command.DataLimit
		if o.Format == "text" {
			o.Limit = p.command.TextLimit
		}
	}
	if o.Kubectl.Wanted = o.Kubectl.Wanted || p.Plugin && len(o.Files) == 0; o.Kubectl.Wanted {
		o.Files = append(o.Files, o.Kubectl.Name())
	}
	formats := append([]string{"text", "json", "yaml"}, p.command.Formats...)
	switch {
	case len(o.Args) > most:
		return Usagef("unexpected argument %q; files are given with -f", o.Args[most])
	case !slices.Contains(formats, o.Format):
		last := len(formats) - 1
		return Usagef("unknown output format %q; there are %s and %s", o.Format, strings.Join(formats[:last], ", "), formats[last])
	case o.Width < 0 || o.Limit < 0:
		return Usagef("-width and -limit must not be negative")
	case o.Kubectl.Timeout < 0:
		return Usagef("-timeout must not be negative")
	case len(from) > 1:
		return Usagef("standard input can be read only once")
	}
	return nil
}
