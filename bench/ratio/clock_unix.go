//go:build unix

package ratio

import (
	"syscall"
	"time"
)

// processorTime returns how long the program has had a processor.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // there is no such error
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
