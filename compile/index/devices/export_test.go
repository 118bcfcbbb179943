package devices

// Steps returns the steps that a fleet took since it was asked before, in tests with
// invariants.
func (f *Fleet) Steps() int {
	n := f.steps
	f.steps = 0
	return n
}

// Names returns how many names of drivers, pools and devices the fleet keeps.
func (f *Fleet) Names() (drivers, pools, devices int) {
	return len(f.byDriver), len(f.byPool), len(f.byDevice)
}
