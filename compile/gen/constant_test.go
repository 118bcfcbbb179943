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
