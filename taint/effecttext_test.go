package taint_test

import (
	"encoding/json"
	"testing"

	"github.com/tolero-dev/tolero/taint"
)

func TestParseEffectSet(t *testing.T) {
	for _, c := range []struct {
		text string
		want taint.EffectSet
	}{
		{"none", 0},
		{"NoSchedule", taint.NoSchedule.Set()},
		{"NoSchedule|NoExecute", taint.Hard},
		{"NoExecute|NoSchedule|NoExecute", taint.Hard},
		{"PreferNoSchedule", taint.Soft},
		{"other", taint.OtherEffects},
		{"other|NoExecute|PreferNoSchedule|NoSchedule", taint.AllEffects},
	} {
		if got, err := taint.ParseEffectSet(c.text); got != c.want || err != nil {
			t.Errorf("ParseEffectSet(%q) = %v, %v", c.text, got, err)
		}
	}
	for text, word := range map[string]string{
		"": "", "|": "", "NoSchedule|": "", "none|NoSchedule": "none", "noSchedule": "noSchedule", "NoExecute,NoSchedule": "NoExecute,NoSchedule", "Other": "Other",
	} {
		want := `effects "` + text + `": "` + word + `" is none of NoSchedule, PreferNoSchedule, NoExecute and other, separated by "|", or none alone`
		if got, err := taint.ParseEffectSet(text); got != 0 || message(err) != want {
			t.Errorf("ParseEffectSet(%q) = %v, %v; want %s", text, got, err, want)
		}
	}
}

// Every set is read back from its text; bits that stand for no effect are not
// written.
func TestEverySetIsReadBack(t *testing.T) {
	for n := range 256 {
		s := taint.EffectSet(n)
		text, err := s.MarshalText()
		if err != nil || string(text) != s.String() || string(s.AppendTo([]byte("x"))) != "x"+s.String() {
			t.Errorf("%d is written as %s, %v", n, text, err)
		}
		back := ^s
		if err := back.UnmarshalText(text); err != nil || back != s&taint.AllEffects {
			t.Errorf("%d comes back as %d, %v", n, back, err)
		}
	}
	s := taint.Hard
	if err := s.UnmarshalText([]byte("x")); err == nil || s != taint.Hard {
		t.Errorf("got %v, %v", s, err)
	}
	if got, err := json.Marshal(map[taint.EffectSet]taint.EffectSet{taint.Soft: taint.Hard}); string(got) != `{"PreferNoSchedule":"NoSchedule|NoExecute"}` {
		t.Errorf("in JSON: %s, %v", got, err)
	}
}
