//go:build !linux

package main

// apply does nothing: not every system has these limits.
func (l limits) apply(pid int) {}
