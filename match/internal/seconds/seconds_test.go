package seconds

import (
	"math"
	"testing"

	"github.com/tolero-dev/tolero/toleration"
)

func TestCompare(t *testing.T) {
	least, zero, most := int64(math.MinInt64), int64(0), int64(math.MaxInt64)
	ascending := []toleration.Toleration{{TolerationSeconds: &least}, {TolerationSeconds: &zero}, {TolerationSeconds: &most}, {}}
	for i := range ascending {
		for j := range ascending {
			want := 0
			switch {
			case i < j:
				want = -1
			case i > j:
				want = 1
			}
			if got := Compare(&ascending[i], &ascending[j]); got != want {
				t.Errorf("Compare of entries %d and %d is %d, want %d", i, j, got, want)
			}
		}
	}
}
