package whatif

// WithFewSteps runs do with so many steps applied to whole lists.
func WithFewSteps(n int, do func()) {
	defer func(n int) { fewSteps = n }(fewSteps)
	fewSteps = n
	do()
}

// Steps returns how many steps the evaluation took.
func (r *Result) Steps() int { return r.steps }

// Groups returns how many nodes and owners the pods have.
func (p *Pods) Groups() (nodes, owners int) { return len(p.nodes.byName), len(p.owners.byName) }

// Verdicts returns how many verdicts evict pods: many pods have the same.
func (r *Result) Verdicts() int { return len(r.verdicts) }

// WithMostRounds runs do while a memory serves for so many rounds.
func WithMostRounds(n uint32, do func()) {
	defer func(n uint32) { mostRounds = n }(mostRounds)
	mostRounds = n
	do()
}
