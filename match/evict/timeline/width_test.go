package timeline_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/tolero-dev/tolero/taint/lifecycle"
)

// No line of a table is wider than 100 columns, whatever the names of zones are: labels
// have up to 63 characters, and a zone has two of them. Zones that differ only at the end
// of their names look different.
func TestWidth(t *testing.T) {
	long := strings.Repeat("m", 60)
	for zones := 1; zones <= 8; zones++ {
		for _, hours := range []time.Duration{0, 99 * time.Hour} {
			c := fleet(shape{zones: zones, silent: 1}, 30)
			for i := range c.Nodes {
				zone := c.Nodes[i].State.Zone
				c.Nodes[i].State.Zone = lifecycle.ZoneKey(map[string]string{
					"topology.kubernetes.io/region": "reg" + long, "topology.kubernetes.io/zone": long + zone[len(zone)-3:],
				})
			}
			for i := range c.Outages[len(c.Outages)/2:] {
				c.Outages[i].From = epoch.Add(hours + 1234567*time.Microsecond)
			}
			got := played(t, c)
			table := string(got.AppendText(nil, 0))
			for line := range strings.Lines(table) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 100 {
					t.Errorf("%d zones: %d columns: %s", zones, n, line)
				}
			}
			for zone := range zones {
				if end := fmt.Sprintf("%03d", zone); !strings.Contains(table, end+"\n") && !strings.Contains(table, end+" ") {
					t.Errorf("no zone %s in\n%s", end, table)
				}
			}
		}
	}
}
