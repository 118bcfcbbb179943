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
func (p *Pods) Groups() (nodes, owners int) { return p.nodes.len(), p.owners.len() }

// Verdicts returns how many verdicts evict pods: many pods have the same.
func (r *Result) Verdicts() int { return len(r.verdicts) }

// WithMostRounds runs do while a cache serves for so many rounds.
func WithMostRounds(n uint32, do func()) {
	defer func(n uint32) { mostRounds = n }(mostRounds)
	mostRounds = n
	do()
}

// WithStepLimit runs do while classes are asked about one by one for so many steps.
func WithStepLimit(steps int, do func()) {
	defer func(f func(int, int, int) int) { stepLimit = f }(stepLimit)
	stepLimit = func(int, int, int) int { return steps }
	do()
}

// UnschedulableSteps returns how many classes have no node, and how many steps it takes to
// find them.
func (r *Result) UnschedulableSteps() (classes, steps int) {
	list, steps := r.unschedulable()
	return len(list), steps
}

// WithCollisions runs do while everything has the same hash.
func WithCollisions(do func()) {
	defer func(m uint32) { hashMask = m }(hashMask)
	hashMask = 0
	do()
}

// Retained returns how many pods the result retains for [Result.Evictions].
func (r *Result) Retained() (n int) {
	for i := range r.nodes {
		n += len(r.nodes[i].residents)
	}
	return n
}
