package command

import (
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/cluster"
)

// Help returns what -h prints: what the command answers, examples, and the flags.
func (c *Command) Help() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s.\n", strings.ToUpper(c.Summary[:1])+c.Summary[1:])
	if c.About != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(c.About))
	}
	fmt.Fprintf(&b, "\nExamples:\n%s\n\nUsage:\n  %s\n", strings.Trim(c.Examples, "\n"), strings.Join(strings.Fields(c.title()+" "+c.Usage+" [flags]"), " "))
	if c.Flags != "" {
		fmt.Fprintf(&b, "\nFlags:\n%s\n", strings.Trim(c.Flags, "\n"))
	}
	b.WriteString("\nFlags of all commands:\n" + inputFlags)
	if c.Result != nil {
		formats := strings.Join(append([]string{"text", "json", "yaml"}, c.Formats...), ", ")
		last := strings.LastIndex(formats, ", ")
		fmt.Fprintf(&b, formatFlags, formats[:last]+" or"+formats[last+1:], c.limits())
	}
	b.WriteString(otherFlags + "\nExit status:\n  0  the answer is on standard output\n")
	if why := failures[c.Name]; why != "" {
		b.WriteString("  1  so it is, and " + why + "\n")
	}
	b.WriteString("  2  there is no answer: the command line or the input is wrong\n")
	return b.String()
}

// failures are what the commands fail on, though they have an answer.
var failures = map[string]string{
	"status": "-fail is given and something is wrong",
	"lint":   "it has findings of the severity of -fail-on",
	"plan":   "it breaks a limit, or -need-node is given and pods have no node left",
	"check":  "the engines differ",
}

// limits says what -limit is by default.
func (c *Command) limits() string {
	if c.TextLimit == c.DataLimit {
		return fmt.Sprint(c.TextLimit)
	}
	return fmt.Sprintf("%d in text, else %d", c.TextLimit, c.DataLimit)
}

const inputFlags = `  -f FILE      read the cluster from FILE, "-" for standard input; may be repeated: what
               ` + Dump + `
               prints (or yaml), manifests, lists and streams of them. Deployments,
               DaemonSets, Jobs and other objects with a pod
               template count as the pods that they make, unless the input has those.
               Without -f, what is built in; it is an error if standard input is a pipe
` + cluster.Help

const formatFlags = `  -o FORMAT    %s (text); examples/tolero/schema.json says what
               JSON and YAML have
  -limit N     at most N lines of a kind, 0 for no limit (%s)
  -width N     columns of the text, 0 for no limit (100)
`

const otherFlags = `  -strict      fail if an object of the input is invalid
  -comparisons count tolerations with Gt and Lt, as a cluster does whose feature gate
               TaintTolerationComparisonOperators is on; without it they do not count,
               as in a default cluster
  -v           tell on standard error what was read, and all that is invalid in it
`
