package word_test

import (
	"testing"

	"github.com/tolero-dev/tolero/taint/word"
)

func TestMeant(t *testing.T) {
	for _, c := range []struct{ s, want string }{
		{"", ""},
		{"Exists", ""},
		{"exists", " (is Exists meant? Case matters)"},
		{"EQUAL", " (is Equal meant? Case matters)"},
		{"Exist", " (is Exists meant?)"},
		{"Equals", " (is Equal meant?)"},
		{"equals", ""}, // two slips at once
		{"NoExecutes", ""},
		{"In", ""},
		{"\xff", ""},
	} {
		if got := word.Meant(c.s, "Equal", "Exists"); got != c.want {
			t.Errorf("Meant(%q) = %q, want %q", c.s, got, c.want)
		}
	}
	for s, want := range map[string]string{
		"operation": " (is operator meant?)", "NoSchedules": " (is NoSchedule meant?)", "NotSchedule": " (is NoSchedule meant?)",
		"PreferredNoSchedule": " (is PreferNoSchedule meant?)", "NoExecutes": " (is NoExecute meant?)",
	} {
		if got := word.Meant(s, "operator", "NoSchedule", "PreferNoSchedule", "NoExecute"); got != want {
			t.Errorf("Meant(%q) = %q, want %q", s, got, want)
		}
	}
	if got := word.Meant("exists"); got != "" {
		t.Errorf("no word was meant: %q", got)
	}
}
