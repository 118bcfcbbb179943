package main

import "syscall"

// limitMemory limits the address space of this process and of those that it
// starts. A mutant that appends in an endless loop then dies before it takes
// the machine with it.
func limitMemory(bytes uint64) {
	if bytes > 0 {
		// Where this fails the run is merely less safe.
		_ = syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: bytes, Max: bytes})
	}
}
