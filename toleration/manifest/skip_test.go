package manifest

import (
	"runtime"
	"strings"
	"testing"
)

// A value that is skipped takes about four times its size, whatever is in it: it is not
// decoded.
func TestSkippedValuesAreNotDecoded(t *testing.T) {
	text := `{"kind":"Node","status":{"images":[` + strings.Repeat("0,", 1<<20) + `0]}}`
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var l Loader
	if err := l.Read("", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if after.TotalAlloc-before.TotalAlloc > 5*uint64(len(text)) {
		t.Errorf("%d bytes allocated for %d", after.TotalAlloc-before.TotalAlloc, len(text))
	}
}
