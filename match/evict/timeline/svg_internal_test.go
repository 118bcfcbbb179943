package timeline

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// resumed returns a timeline in which some zone is back at each of the times.
func resumed(end time.Duration, at ...time.Duration) *Timeline {
	tl := &Timeline{End: end, Samples: []Sample{{}}, cluster: &Cluster{}}
	for _, at := range at {
		tl.Events = append(tl.Events, Event{At: at, Kind: Resumed, Node: -1})
	}
	return tl
}

// The first twelve moments have words, and a note says that there are more.
func TestNamedMoments(t *testing.T) {
	var at []time.Duration
	for n := range 14 {
		svg := string(resumed(time.Minute, at...).SVG())
		note := fmt.Sprintf("The first 12 of %d moments are named.", n)
		if strings.Contains(svg, note) != (n > 12) || strings.Count(svg, "some zone is back") != min(n, 12) || strings.Count(svg, "moments are named") != max(0, n-12) {
			t.Errorf("%d moments have another number of words", n)
		}
		at = append(at, time.Duration(n)*time.Second)
	}
}

// Words are on the side of a moment where there is more room.
func TestSidesOfMoments(t *testing.T) {
	for at, want := range map[time.Duration]string{
		0: `x="150" y="98" >0s some`, 429 * time.Second: `x="579" y="98" >7m9s some`, 430 * time.Second: `x="572" y="98" text-anchor="end">7m10s some`,
		860 * time.Second: `x="1002" y="98" text-anchor="end">14m20s some`,
	} {
		if svg := string(resumed(860*time.Second, at).SVG()); !strings.Contains(svg, want) {
			t.Errorf("no %s", want)
		}
	}
}

// Long words are cut.
func TestLongWords(t *testing.T) {
	tl := resumed(time.Minute)
	for i := range 6 {
		tl.Events = append(tl.Events, Event{Kind: ZoneChanged, Node: -1, Zone: strings.Repeat(fmt.Sprint(i), 30)})
	}
	svg := string(tl.SVG())
	_, text, _ := strings.Cut(svg, ">0s zones ")
	text, _, _ = strings.Cut(text, "</text>")
	if n := len([]rune("0s zones " + text)); n != 90 || !strings.HasSuffix(text, "…") {
		t.Errorf("%d characters: %s", n, text)
	}
}
