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
// tolerate everything.
//
// The policy is compiled and asked as a kube-apiserver does, with its own code. The pods are made
// of the constants in the policy and the flags and of what is next to them: other keys, none, every
// operator and effect, or none, seconds; no toleration, one, or two. What is printed is the first
// pod that the policy admits and should not, and the first that it refuses and should not. The exit
// status is 1 if there is one, and 2 if the input is bad. That none is found is no proof; the
// policies that compile/gen/admission writes have one.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	admissionregistration "k8s.io/api/admissionregistration/v1"
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
	params := flags.String("params", "", "a `file` with the object that the policy has as its parameters")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	differs, err := refuteAll(stdout, flags.Args(), *expression, *deny, *allow, *in, *params)
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
func refuteAll(w io.Writer, files []string, expression, deny, allow, in, params string) (bool, error) {
	meant, err := newIntent(deny, allow, in)
	if err != nil {
		return false, err
	}
	var object map[string]any
	if params != "" {
		data, err := os.ReadFile(params)
		if err != nil {
			return false, fmt.Errorf("-params: %w", err)
		}
		if err := yaml.Unmarshal(data, &object); err != nil {
			return false, fmt.Errorf("-params %s: %w", params, err)
		}
	}
	candidates, err := load(files, expression)
	if err != nil {
		return false, err
	}
	differs := false
	for i := range candidates {
		found, err := refute(&candidates[i], meant, object)
		if err != nil {
			return false, fmt.Errorf("%s: %w", candidates[i].name, err)
		}
		report(w, candidates[i].name, &found)
		differs = differs || found.admitted != nil || found.refused != nil
	}
	return differs, nil
}

// newIntent makes the intent of flags.
func newIntent(deny, allow, in string) (*intent, error) {
	meant := new(intent)
	if deny == "" && allow == "" {
		return nil, errors.New("say what the policy is meant to do: -deny or -allow")
	}
	var err error
	if meant.spec.Denied, err = toleration.ParseList(deny); err != nil {
		return nil, fmt.Errorf("-deny %q: %w", deny, err)
	}
	if allow != "" {
		if meant.spec.Allowed, err = toleration.ParseList(allow); err != nil {
			return nil, fmt.Errorf("-allow %q: %w", allow, err)
		}
	}
	if in != "" {
		meant.exempt = strings.Split(in, ",")
	}
	meant.policy, err = policy.New(meant.spec)
	return meant, err
}

// load reads policies from files, or takes an expression for one.
func load(files []string, expression string) (all []candidate, err error) {
	if (expression == "") == (len(files) == 0) {
		return nil, errors.New("give the policy: files, or -expr")
	}
	if expression != "" {
		return []candidate{{"the expression", admissionregistration.ValidatingAdmissionPolicySpec{
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
func report(w io.Writer, name string, f *findings) {
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
