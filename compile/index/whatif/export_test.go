package whatif

// Groups returns how many nodes and owners the pods have.
func (p *Pods) Groups() (nodes, owners int) { return len(p.groups[byNode]), len(p.groups[byOwner]) }

// Classes returns how many lists the pods have, and how many pods are in the classes of these.
func (p *Pods) Classes() (lists, pods int) {
	for range p.classes.All() {
		lists++
	}
	return lists, p.classes.Len()
}

// ParseStep is parseStep, for tests of single words.
func ParseStep(words ...string) (Step, error) { return parseStep(words) }
