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
	formats := "text, json or yaml"
	for _, format := range c.Formats {
		formats = strings.Replace(formats, " or ", ", ", 1) + " or " + format
	}
	fmt.Fprintf(&b, "\nFlags of all commands:\n")
	fmt.Fprintf(&b, sharedFlags, formats, orNone(c.TextLimit), orNone(c.DataLimit))
	b.WriteString(exitStatus)
	return b.String()
}

func orNone(limit int) string {
	if limit == 0 {
		return "no limit"
	}
	return fmt.Sprint(limit)
}

const sharedFlags = `  -f FILE      read the cluster from FILE, "-" for standard input; may be repeated: what
               ` + Dump + `
               prints (or yaml), manifests, lists and streams of them. Deployments,
               DaemonSets, Jobs and other objects with a pod
               template count as the pods that they make, unless the input has those.
               Without -f, what is built in; it is an error if standard input is a pipe
` + cluster.Help + `  -o FORMAT    %s (text); examples/tolero/schema.json says what
               JSON and YAML have
  -limit N     at most N lines of a kind, 0 for no limit (%s in text, else %s)
  -width N     columns of the text, 0 for no limit (100)
  -strict      fail if an object of the input is invalid
  -comparisons count tolerations with Gt and Lt, as a cluster does whose feature gate
               TaintTolerationComparisonOperators is on; without it they do not count,
               as in a default cluster
  -v           tell on standard error what was read, and all that is invalid in it
`

const exitStatus = `
Exit status:
  0  the answer is on standard output
  1  so it is, and it has what the command was to fail on
  2  there is no answer: the command line or the input is wrong
`
