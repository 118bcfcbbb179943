//go:build !race

package lifecycle_test

// raceDetector is whether allocations cannot be counted.
const raceDetector = false
