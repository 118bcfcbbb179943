package lint

// Steps returns the steps of a check, with few comparisons of keys.
func Steps(f *Fleet, o Options) int {
	usual := comparisons
	comparisons = 1_000
	defer func() { comparisons = usual }()
	c := newChecker(f, o)
	c.check()
	return c.steps + c.targetSteps
}

// StepsWithTargetSteps returns the steps of a check and its result, with so many steps for nodes
// for DaemonSets with selectors.
func StepsWithTargetSteps(f *Fleet, most int) (int, Report) {
	usual := mostTargetSteps
	mostTargetSteps = most
	defer func() { mostTargetSteps = usual }()
	c := newChecker(f, Options{})
	c.check()
	return c.steps + c.targetSteps, Check(f, Options{})
}

// Comparisons returns with how many keys each key of a taint and of a toleration is
// compared, if there may be so many comparisons in all.
func Comparisons(f *Fleet, most int) [2]int {
	usual := comparisons
	comparisons = most
	defer func() { comparisons = usual }()
	k := newChecker(f, Options{}).names
	return [2]int{k.perTaint, k.perKey}
}

// CheckBriefly is Check with the fewest comparisons of keys.
func CheckBriefly(f *Fleet) Report {
	usual := comparisons
	comparisons = 1
	defer func() { comparisons = usual }()
	return Check(f, Options{})
}
