package gen

import (
	"testing"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// What is constant for a list does not depend on its wording.
func TestConstants(t *testing.T) {
	const all = taint.Hard | taint.Soft
	for text, want := range map[string]constants{
		"":                         {nothing: true},
		"a?In x,n>x,n<05":          {nothing: true},
		"a":                        {},
		"*":                        {everything: true, effects: all, forever: true},
		"a@5,*":                    {everything: true, effects: all},
		"*,a@5":                    {everything: true, effects: all, forever: true},
		"a=1,*:NoExecute,a@5":      {effects: taint.Evicting, forever: true},
		"*:NoExecute@5":            {effects: taint.Evicting},
		"a@5,*:NoExecute":          {effects: taint.Evicting},
		"*:NoSchedule,*:NoExecute": {effects: taint.Hard, forever: true},
		"*:NoSchedule,*:NoExecute,*:PreferNoSchedule": {effects: all, forever: true},
		"*>5,*<6,*:Other": {},
	} {
		list, err := toleration.ParseListLenient(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := newConstants(toleration.NewSet(list), list); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

// A pod is accepted wherever it is if every known effect is tolerated throughout.
func TestAccepts(t *testing.T) {
	for effects := range taint.EffectSet(1 << 3) {
		c := constants{effects: effects}
		if got, want := c.accepts(), effects == taint.Hard|taint.Soft; got != want {
			t.Errorf("%v: %v", effects, got)
		}
	}
}

// Zero seconds are a limit, and one toleration that has seconds is enough.
func TestLimited(t *testing.T) {
	for text, want := range map[string]bool{
		"a": false, "a:NoSchedule@5": false, "a@0": true, "a@1": true, "a,b@0": true, "*@0": true, "a@-5": true, "a,a@5": false,
	} {
		list, err := toleration.ParseListLenient(text)
		if err != nil {
			t.Fatal(err)
		}
		if s := newStayPlan(list); s.limited != want {
			t.Errorf("%q: limited is %v", text, s.limited)
		}
	}
}
