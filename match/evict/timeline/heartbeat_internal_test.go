package timeline

import (
	"slices"
	"testing"
	"time"
)

// Heartbeats between silences are a run, which has a beginning and an end, or a single one.
func TestAppendBeats(t *testing.T) {
	const never = Never
	for _, c := range []struct {
		last, interval time.Duration
		silences       []span
		want           []beat
	}{
		{0, 10, nil, []beat{{10, 7, true}}},
		{0, 1, nil, []beat{{1, 7, true}}},
		{-3, 10, nil, []beat{{7, 7, true}}},
		{-10, 10, nil, []beat{{0, 7, true}}},
		{-25, 10, nil, []beat{{5, 7, true}}},
		{0, 10, []span{{-never, never}}, nil},
		{0, 10, []span{{10, never}}, nil},
		{0, 10, []span{{11, never}}, []beat{{10, 7, false}}},
		{0, 10, []span{{20, never}}, []beat{{10, 7, false}}},
		{0, 10, []span{{21, never}}, []beat{{10, 7, true}, {20, 7, false}}},
		{0, 10, []span{{-never, 10}}, []beat{{10, 7, true}}},
		{0, 10, []span{{-never, 11}}, []beat{{20, 7, true}}},
		{0, 10, []span{{5, 15}, {25, 45}}, []beat{{20, 7, false}, {50, 7, true}}},
		{0, 10, []span{{5, 9}, {35, 39}}, []beat{{10, 7, true}, {30, 7, false}, {40, 7, true}}},
	} {
		if got := appendBeats(nil, 7, c.last, c.interval, c.silences); !slices.Equal(got, c.want) {
			t.Errorf("last %d, every %d, silent %v: %v, want %v", c.last, c.interval, c.silences, got, c.want)
		}
	}
}
