// Package parallel shares work among the processors.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Do does the jobs 0 to n-1 on all processors, in no particular order, and returns when
// all are done. Each goroutine gets a function of its own from start, which is therefore
// called by several at once. It does nothing if n is not positive.
func Do(n int, start func() (do func(job int))) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			do := start()
			for job := next.Add(1) - 1; job < int64(n); job = next.Add(1) - 1 {
				do(int(job))
			}
		})
	}
	wg.Wait()
}
