package plan

import (
	"slices"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/examples/internal/progress"
)

// Every part of a run that may take long says what it is, in each format.
func TestProgress(t *testing.T) {
	for _, format := range []string{"text", "json", "yaml", "kubectl"} {
		var tasks []string
		progress.Observe = func(label string) { tasks = append(tasks, label) }
		r := start(demo, "-f", "-", "cordon web-1", "-o", format)
		progress.Observe = nil
		want := strings.Split("reading,putting together,indexing,evaluating,writing", ",")
		if r.status != 0 || !slices.Equal(tasks, want) {
			t.Errorf("%s: status %d, %q, want %q", format, r.status, tasks, want)
		}
	}
}
