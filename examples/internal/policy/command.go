// Package policy is tolero policy: a file of toleration policies, compiled for the API server or applied
// to a dump.
package policy

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/why"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
	"github.com/tolero-dev/tolero/toleration/manifest"
	"github.com/tolero-dev/tolero/toleration/policy"
)

// Command is tolero policy.
var Command = command.Command{
	Name:    "policy",
	Summary: "who may tolerate what: compile policies for the API server, check pods",
	Usage:   "compile|check -policies FILE",
	About: `
FILE is a YAML list of policies. compile prints them as ValidatingAdmissionPolicies and
MutatingAdmissionPolicies with their bindings, and check lists the pods and templates that
break them:

  - name: tolerations-ml         # of the objects
    namespaces:                  # all, without it: names, except, labels
      labels: {team: ml}
    allowed: ["gpu=a100:NoSchedule", "spot:NoExecute@300"]
    denied: [node-role.kubernetes.io/control-plane]
    warn: true                   # warn only, and admit
    defaults: ["gpu=a100:NoSchedule"]  # what new pods get
    notReadySeconds: 30          # in place of 300, and so unreachableSeconds

What the API server and defaults add to pods is allowed too. Tolerations that a DaemonSet's
pods get are never refused. Without namespaces a policy is for all of them: put kube-system into
except, unless its pods are meant.`,
	Examples: `
  # enforce policies
  tolero policy compile -policies policies.yaml | kubectl apply -f -

  # who would break them
  kubectl get namespaces,pods,deployments,daemonsets,statefulsets,jobs,cronjobs -A -o json |
    tolero policy check -policies policies.yaml -f -`,
	Flags: `
  -policies FILE  read the policies from FILE, "-" for standard input
  -kyverno     compile to ValidatingPolicies of Kyverno; defaults are as without it
  -fail        exit with status 1 if a pod breaks a policy`,
	TextLimit: 50,
	Result:    report{},
	Run:       run,
}

func run(p *command.Program, args []string) error {
	flags := p.Flags()
	kyverno, fail := flags.Bool("kyverno", false, ""), flags.Bool("fail", false, "")
	file := flags.String("policies", "", "")
	if err := p.Parse(flags, args, 1); err != nil {
		return err
	}
	if len(p.Args) == 0 || p.Args[0] != "compile" && p.Args[0] != "check" || *file == "" {
		return command.Usagef("want compile or check, and -policies with a file")
	}
	policies, err := read(p, *file)
	if err != nil {
		return err
	}
	if p.Args[0] == "compile" {
		return compile(p, *file, policies, *kyverno)
	}
	return check(p, policies, *fail)
}

// compile prints the objects of all policies.
func compile(p *command.Program, file string, policies []entry, kyverno bool) error {
	for i := range policies {
		for _, object := range policies[i].objects(kyverno) {
			text, err := object()
			if err != nil {
				return fmt.Errorf("%s: policy %q: %w", file, policies[i].Name, err)
			}
			if p.Out.Len() > 0 {
				p.Out.WriteString("---\n")
			}
			p.Out.Write(text)
		}
	}
	return nil
}

// report is what check found, and its JSON.
type report struct {
	Policies   int         `json:"policies"`
	Pods       int64       `json:"pods"`
	Violations []violation `json:"violations"`
}

// violation is pods of one owner that break a policy in the same way.
type violation struct {
	Policy string `json:"policy"`
	Owner  string `json:"owner"`
	Pods   int64  `json:"pods"`
	Why    string `json:"why"`
}

func check(p *command.Program, policies []entry, fail bool) error {
	known := make(namespaces)
	c, err := p.Load(&command.Input{Demo: why.Demo, Beside: known})
	if err != nil {
		return err
	}
	r := report{Policies: len(policies), Violations: []violation{}}
	at := make(map[violation]int)
	for i := range c.Pods {
		pod := &c.Pods[i]
		r.Pods += pod.Count
		for j := range policies {
			selected, err := known.selected(&policies[j], pod.Namespace)
			if err != nil {
				return err
			}
			if !selected {
				continue
			}
			if err := policies[j].checked.Check(judged(pod)); err != nil {
				why := err.Error()
				if errors.As(err, new(*policy.Violation)) { // its position is that in the list that is judged
					_, why, _ = strings.Cut(why, ": ")
				}
				v := violation{Policy: policies[j].Name, Owner: command.Owner(pod), Why: why}
				if _, found := at[v]; !found {
					at[v] = len(r.Violations)
					r.Violations = append(r.Violations, v)
				}
				r.Violations[at[v]].Pods += pod.Count
			}
		}
	}
	err = p.Show(func(w *command.Writer) { r.text(w, p.Limit) }, func() any { return r })
	if err == nil && fail && len(r.Violations) > 0 {
		return command.Foundf("%s, and -fail is set", command.Plural(len(r.Violations), "violation"))
	}
	return err
}

// judged returns the tolerations of a pod without those that the DaemonSet controller has added.
func judged(p *manifest.Pod) []toleration.Toleration {
	list := p.Tolerations()
	if p.Owner.Kind != "DaemonSet" {
		return list
	}
	for _, t := range (admit.DaemonSet{HostNetwork: true}).Append(nil, nil) {
		list, _ = toleration.Remove(nil, list, t)
	}
	return list
}

func (r *report) text(w *command.Writer, limit int) {
	if len(r.Violations) == 0 {
		w.Line(0, fmt.Sprintf("%s: nothing breaks the %s.", command.Plural(r.Pods, "pod"), command.Plural(r.Policies, "policy")))
		return
	}
	w.Line(0, fmt.Sprintf("%s of %s:", command.Plural(len(r.Violations), "violation"), command.Plural(r.Pods, "pod")))
	w.Limited(len(r.Violations), limit, func(i int) string {
		v := &r.Violations[i]
		return fmt.Sprintf("%s, %s, %s: %s", v.Policy, v.Owner, command.Plural(v.Pods, "pod"), v.Why)
	})
}
