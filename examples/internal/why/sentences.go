package why

import (
	"bytes"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/match/explain"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// Sentences returns what tolero why says about the pod and nodes with the taints, as far as
// these decide: the explanation and, if they refuse it, what would help.
func Sentences(p *manifest.Pod, taints []taint.Taint, nodes []string, rules toleration.Rules) string {
	o := &options{Options: &command.Options{Rules: rules}}
	g := &groupPods([]*manifest.Pod{p})[0]
	if waits(p) {
		g.Waits = new(waiting)
	}
	q := query(taints, g.Tolerations, o)
	r := refusal{Nodes: nodes, Explanation: q.Explain()}
	var out bytes.Buffer
	w := &command.Writer{Out: &out}
	if !reaches(r.Explanation.Verdict, explain.ToSchedule) {
		r.repair(&q, o.goal)
	}
	r.write(w, g)
	return out.String()
}
