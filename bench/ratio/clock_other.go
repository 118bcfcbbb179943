//go:build !unix

package ratio

import "time"

var started = time.Now()

// processorTime returns the time on the wall: this system does not tell how long
// the program has had a processor.
func processorTime() time.Duration { return time.Since(started) }
