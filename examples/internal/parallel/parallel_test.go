package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// Every job is done once, as many at a time as there are processors, by no more
// goroutines than that; the number of processors stays as it is.
func TestDo(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, n := range []int{-1, 0, 1, 3, 4, 5, 1000} {
		var starts atomic.Int64
		var together sync.WaitGroup // with fewer goroutines, it waits forever
		together.Add(max(0, min(n, 4)))
		done := make([]atomic.Int64, max(0, n))
		Do(n, func() func(int) {
			starts.Add(1)
			together.Done()
			together.Wait()
			return func(job int) { done[job].Add(1) }
		})
		if got, want := starts.Load(), int64(max(0, min(n, 4))); got != want {
			t.Errorf("%d jobs: %d goroutines, want %d", n, got, want)
		}
		for job := range done {
			if times := done[job].Load(); times != 1 {
				t.Errorf("job %d of %d is done %d times", job, n, times)
			}
		}
	}
	if n := runtime.GOMAXPROCS(0); n != 4 {
		t.Errorf("%d processors", n)
	}
}
