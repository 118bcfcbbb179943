//go:build race

package index_test

// raceDetector makes the longest tests shorter.
const raceDetector = true
