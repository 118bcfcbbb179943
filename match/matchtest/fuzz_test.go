package matchtest

import (
	"testing"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

var comparisons = toleration.Rules{Comparisons: true}

func FuzzCanonical(f *testing.F) { Fuzz(f, Canonical(comparisons), comparisons) }

// The seeds are what their names say.
func TestSeeds(t *testing.T) {
	want := [][2]string{
		{"a=x:NoSchedule,a=x:NoExecute", "*:NoSchedule"},
		{"a:NoSchedule,a=x:NoSchedule", "*="},
		{"", "a:Other"}, // taints with unknown effects: see below
		{"a=2:NoSchedule,a=05:NoSchedule", "a>1:NoSchedule"},
		{"a:PreferNoSchedule,a:PreferNoSchedule,b:PreferNoSchedule", "b"},
		{"a:NoExecute,b:NoExecute", "a:NoExecute@300,a:NoExecute@60,b:NoExecute@60"},
		{"a:NoExecute,b:NoExecute", "a:NoExecute@300,b:NoExecute@300"},
		{"a:NoExecute", "a:NoExecute@18446744074"},
	}
	for i, seed := range seeds {
		d := decoder(seed.data)
		taints, tolerations := d.taints(), d.tolerations()
		if got := toleration.FormatList(tolerations); got != want[i][1] {
			t.Errorf("%s: got the tolerations %q, want %q", seed.name, got, want[i][1])
		}
		if got := taint.FormatList(taints); want[i][0] != "" && got != want[i][0] {
			t.Errorf("%s: got the taints %q, want %q", seed.name, got, want[i][0])
		}
		if d.number(256) != 0 || len(d) != 0 {
			t.Errorf("%s: %d bytes are left", seed.name, len(d))
		}
	}
	d := decoder(seeds[2].data)
	if got := d.taints(); got[0].Effect != "Other" || got[1].Effect != "" {
		t.Errorf("unknown effects: got %+v", got)
	}
	d = decoder(seeds[6].data)
	if got := d.taints(); !got[0].TimeAdded.Before(Epoch()) || got[0].TimeAdded.IsZero() || !got[1].TimeAdded.IsZero() {
		t.Errorf("times: got %v, %v", got[0].TimeAdded, got[1].TimeAdded)
	}
}
