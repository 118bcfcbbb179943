package page

import "github.com/tolero-dev/tolero/match/lint"

// findings asks package lint, and says to which row or column each finding belongs.
func (b *builder) findings() {
	f := &lint.Fleet{Rules: b.fleet.Rules}
	rows, columns := make(map[string]int), make(map[string]int)
	for i := range b.fleet.Nodes {
		n := &b.fleet.Nodes[i]
		f.Nodes = append(f.Nodes, lint.Node{Name: n.Name, Taints: n.Taints, Labels: n.Labels})
		columns[n.Name] = int(b.colOf[i])
	}
	for i := range b.fleet.Pods {
		p := &b.fleet.Pods[i]
		f.Pods = append(f.Pods, lint.Pod{Name: p.id(), Tolerations: p.Tolerations, DaemonSet: p.DaemonSet, Affinity: p.Affinity, Count: int(p.Count)})
		rows[p.id()] = int(b.rowOf[i])
	}
	b.Findings = []Finding{}
	for _, found := range lint.Check(f, lint.Options{}).Findings {
		to := Finding{
			ID: string(found.ID), Severity: found.Severity.String(), Object: found.Object, Count: found.Count,
			Field: found.Field, Reason: found.Reason, Fix: found.Fix,
		}
		if row, known := rows[found.Object]; known && row < len(b.rows) {
			to.Row = &row
		} else if column, known := columns[found.Object]; known && column < len(b.columns) {
			to.Column = &column
		}
		b.Findings = append(b.Findings, to)
	}
}
