package admit_test

import (
	"testing"

	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// Each line is a way in which the plugin's answer differs from the correct one.
func TestA5UpstreamIsSupersetDiffersFromCovers(t *testing.T) {
	for _, c := range []struct {
		ss, t              string
		isSuperset, covers bool
	}{
		{"a==1", "a==1:NoSchedule", true, true}, // no difference
		{"a==1", "a=1", false, true},
		{"a=1", "a=1", true, true}, // equal in every field
		{"a=1", "a=1:NoSchedule", false, true},
		{"a=1", "a==1", true, true},
		{"a>5", "a>5", true, true},
		{"a>5", "a>7", false, true},
		{"a>5", "a==7", false, true},
		{"*==1", "a==1", false, true},
		{"a@60", "a:NoExecute@300", true, false},
		{"a:NoExecute@60", "a:NoExecute@300", false, false},
		{"a:NoExecute@60", "a:NoExecute", false, false},
		{"a:NoExecute@60", "a:NoExecute@60", true, true},
		{"a:NoExecute@60", "a=1:NoExecute@60", true, true},
		{"a:NoExecute@60", "a=1:NoExecute@59", true, true},
		{"a:NoExecute@60", "a=1:NoExecute@61", false, false},
		{"a:NoSchedule@60", "a=1:NoSchedule", true, true},
		{"a:NoExecute@-5", "a:NoExecute@0", false, true},
		{"a", "a?In x", true, true},
		{"a?In x", "a?In x", true, true},
		{"a?In x", "a?In x:NoSchedule", false, true}, // both match nothing
		{"a:NoSchedule", "a", false, false},
		{"a:NoSchedule", "a:NoExecute", false, false},
		{"a:NoSchedule", "a:PreferNoSchedule", false, false},
		{"a=1", "a==2", false, false},
		{"a=2", "a==1", false, false},
		{"a=1", "a>1", false, false},
		{"a", "b", false, false},
		{"a", "*", false, false},
		{"*", "b=1:NoExecute", true, true},
		{"*:NoExecute", "b=1:NoExecute", true, true},
	} {
		ss, tol := list(t, c.ss)[0], list(t, c.t)[0]
		if got := admit.UpstreamIsSuperset(&ss, &tol); got != c.isSuperset {
			t.Errorf("UpstreamIsSuperset(%s, %s) = %v", ss, tol, got)
		}
		if got := ss.Covers(&tol); got != c.covers {
			t.Errorf("%s covers %s: %v", ss, tol, got)
		}
	}
}

func TestA5UpstreamMerge(t *testing.T) {
	for _, c := range []struct{ first, second, want string }{
		{"", "", ""},
		{"a", "", "a"},
		{"", "a", "a"},
		{"a", "a", "a"},
		{"a==1", "a", "a"},
		{"a", "a==1", "a"},
		{"a=1", "a=1", "a=1"},
		{"a=1", "a==1", "a=1"},       // the empty operator is a superset of Equal
		{"a==1", "a=1", "a=1"},       // also when it comes later
		{"a>5", "a>7", "a>5,a>7"},    // Merge keeps one
		{"a==1,b", "*,c", "*"},       //
		{"b,c", "d,a", "b,c,d,a"},    //
		{"a:NoExecute@60", "a", "a"}, //
	} {
		first, second := list(t, c.first), list(t, c.second)
		if got := toleration.FormatList(admit.UpstreamMerge(nil, first, second)); got != c.want {
			t.Errorf("%s + %s: got %s, want %s", c.first, c.second, got, c.want)
		}
	}
	prefix := list(t, "*")
	if got := toleration.FormatList(admit.UpstreamMerge(prefix, list(t, "a"), list(t, "a"))); got != "*,a" {
		t.Errorf("after a prefix: %s", got)
	}
}
