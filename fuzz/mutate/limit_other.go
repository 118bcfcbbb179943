//go:build !linux

package main

// limitMemory does nothing: not every system has this limit.
func limitMemory(uint64) {}
