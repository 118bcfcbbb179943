package main

import (
	"syscall"
	"time"
	"unsafe"
)

// apply limits a process that has just started. A mutant that appends in an
// endless loop then dies before it takes the machine with it. Where a limit
// cannot be set, the run is merely less safe.
func (l limits) apply(pid int) {
	setLimit(pid, syscall.RLIMIT_AS, l.memory)
	setLimit(pid, syscall.RLIMIT_CPU, uint64((l.cpu+time.Second-1)/time.Second))
}

func setLimit(pid, resource int, limit uint64) {
	if limit > 0 {
		l := syscall.Rlimit{Cur: limit, Max: limit}
		_, _, _ = syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), uintptr(resource), uintptr(unsafe.Pointer(&l)), 0, 0, 0)
	}
}
