// Refute finds the smallest pod that a policy judges otherwise than it is meant to:
//
//	go run . -deny gpu -in ml policy.yaml
//	go run . -deny node-role.kubernetes.io/control-plane -expr '!object.spec.tolerations.exists(t, t.key == "gpu")'
//	go run . -allow 'dedicated=batch:NoSchedule' -params configmap.yaml policy.yaml
//
// The policy is a ValidatingAdmissionPolicy, a ValidatingPolicy of Kyverno, a ClusterPolicy of
// Kyverno with rules in CEL, or one expression over object that is true of what is allowed.
// What it is meant to do are flags: -deny and -allow take tolerations in the notation of package
// toleration, separated by commas, and mean what package policy says: pods may tolerate no taint
// that -deny tolerates, and only those that -allow does; -in names namespaces in which pods may
// tolerate everything. With -comparisons the cluster has the operators Gt and Lt, which are else
// not tried, because such pods are not valid.
//
// The expressions are compiled and asked by the code of a kube-apiserver, with failurePolicy.
// resourceRules, excludeResourceRules, and the kinds of a rule of Kyverno say whether a policy is
// about new pods, and a namespaceSelector counts if it asks for names alone. Whatever else may
// decide, such as bindings, other selectors, or exclude, is printed as not looked at.
//
// The pods are made of the constants in the policy and the flags and of what is next to them: other
// keys, none, every operator and effect, or none, seconds; no toleration, one, or two. Those of the
// flags are all used; how many of the policy are not, because they are too many, is printed. Then
// come the first pod that the policy admits and should not, and the first that it refuses and
// should not. The exit status is 1 if there is one, and 2 if the input is bad or no policy is about
// new pods. That none is found is no proof; the policies that compile/gen/admission writes have one.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/yaml"

	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/policy"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("refute", flag.ContinueOnError)
	flags.SetOutput(stderr)
	deny := flags.String("deny", "", "the `tolerations` that pods may not have")
	allow := flags.String("allow", "", "the `tolerations` beyond which pods may have none")
	in := flags.String("in", "", "the `namespaces` in which pods may have all")
	expression := flags.String("expr", "", "a CEL `expression` instead of a file")
	comparisons := flags.Bool("comparisons", false, "the cluster has the operators Gt and Lt")
	params := flags.String("params", "", "a `file` with the object that the policy has as its parameters")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	if i := slices.IndexFunc(flags.Args(), func(arg string) bool { return strings.HasPrefix(arg, "-") }); i >= 0 {
		fmt.Fprintf(stderr, "refute: %q: flags come before files\n", flags.Arg(i))
		return 2
	}
	meant, err := newIntent(*deny, *allow, *in, *comparisons)
	differs := false
	if err == nil {
		differs, err = refuteAll(stdout, flags.Args(), *expression, meant, *params)
	}
	if err != nil {
		fmt.Fprintln(stderr, "refute:", err)
		return 2
	}
	if differs {
		return 1
	}
	return 0
}

// refuteAll reads what the flags name, writes what is found, and reports whether anything is.
func refuteAll(w io.Writer, files []string, expression string, meant *intent, params string) (bool, error) {
	object, err := readParams(params)
	if err != nil {
		return false, err
	}
	candidates, err := load(files, expression)
	if err != nil {
		return false, err
	}
	differs, asked := false, false
	for i := range candidates {
		c := &candidates[i]
		if c.elsewhere {
			fmt.Fprintf(w, "%s: is not about new pods\n", c.name)
			continue
		}
		found, err := refute(c, meant, object)
		if err != nil {
			return false, fmt.Errorf("%s: %w", c.name, err)
		}
		report(w, c, &found)
		asked, differs = true, differs || found.admitted != nil || found.refused != nil
	}
	if !asked {
		return false, errors.New("no policy is about new pods")
	}
	return differs, nil
}

// readParams reads the object of a file, or nothing if there is no name.
func readParams(file string) (map[string]any, error) {
	if file == "" {
		return nil, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("-params: %w", err)
	}
	var read any
	if err := yaml.Unmarshal(data, &read); err != nil {
		return nil, fmt.Errorf("-params %s: %w", file, err)
	}
	object, ok := read.(map[string]any)
	if read == nil {
		return nil, fmt.Errorf("-params %s: is empty", file)
	} else if !ok {
		return nil, fmt.Errorf("-params %s: is not an object", file)
	}
	return object, nil
}

// newIntent makes the intent of flags.
func newIntent(deny, allow, in string, comparisons bool) (*intent, error) {
	meant := new(intent)
	meant.spec.Rules.Comparisons = comparisons
	if deny == "" && allow == "" {
		return nil, errors.New("say what the policy is meant to do: -deny or -allow")
	}
	for _, f := range []struct {
		name, text string
		into       *[]toleration.Toleration
	}{{"-deny", deny, &meant.spec.Denied}, {"-allow", allow, &meant.spec.Allowed}} {
		list, err := toleration.ParseList(f.text)
		if err == nil {
			err = meant.spec.Rules.Validate(list)
		}
		if err != nil {
			return nil, fmt.Errorf("%s %q: %w", f.name, f.text, err)
		}
		*f.into = list
	}
	if in != "" {
		for name := range strings.SplitSeq(in, ",") {
			name = strings.TrimSpace(name)
			if name == "" {
				return nil, fmt.Errorf("-in %q: an empty name", in)
			} else if faults := validation.IsDNS1123Label(name); len(faults) > 0 {
				return nil, fmt.Errorf("-in %q: %s", name, faults[0])
			}
			meant.exempt = append(meant.exempt, name)
		}
	}
	var err error
	meant.policy, err = policy.New(meant.spec)
	return meant, err
}

// load reads policies from files, or takes an expression for one.
func load(files []string, expression string) (all []candidate, err error) {
	if (expression == "") == (len(files) == 0) {
		return nil, errors.New("give the policy: files, or -expr")
	}
	if expression != "" {
		return []candidate{{name: "the expression", spec: admissionregistration.ValidatingAdmissionPolicySpec{
			Validations: []admissionregistration.Validation{{Expression: expression}},
		}}}, nil
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		candidates, err := readCandidates(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, candidates...)
	}
	return all, nil
}

// report writes what was found about a policy.
func report(w io.Writer, c *candidate, f *findings) {
	name := c.name
	if len(c.unseen) > 0 {
		fmt.Fprintf(w, "%s: not looked at: %s\n", name, strings.Join(c.unseen, ", "))
	}
	if len(f.left) > 0 {
		fmt.Fprintf(w, "%s: not tried: of the policy's constants, %s\n", name, strings.Join(f.left, ", "))
	}
	if f.admitted == nil && f.refused == nil {
		fmt.Fprintf(w, "%s: as meant for %d pods\n", name, f.pods)
	}
	if d := f.admitted; d != nil {
		fmt.Fprintf(w, "%s: admits a pod that it should not: %s\n\n%s\n", name, d.why, d.manifest())
	}
	if d := f.refused; d != nil {
		fmt.Fprintf(w, "%s: refuses a pod that it should not: %s\n\n%s\n", name, d.why, d.manifest())
	}
}
