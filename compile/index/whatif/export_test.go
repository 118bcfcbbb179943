package whatif

// Steps returns how many steps the evaluation took.
func (r *Result) Steps() int { return r.steps }

// Groups returns how many nodes and owners the pods have.
func (p *Pods) Groups() (nodes, owners int) { return len(p.nodes.byName), len(p.owners.byName) }
