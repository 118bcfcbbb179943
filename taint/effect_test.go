package taint_test

import (
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/taint"
)

// unknownEffects are effects like any other string (rule M5).
var unknownEffects = []taint.Effect{"", "Evict", "noSchedule", "NOSCHEDULE", "NoSchedule ", " NoExecute", "NoScheduleX", "PreferNoSchedul"}

func TestM5EffectKnown(t *testing.T) {
	for _, e := range effects {
		if !e.Known() {
			t.Errorf("%q.Known() = false", e)
		}
	}
	for _, e := range unknownEffects {
		if e.Known() {
			t.Errorf("%q.Known() = true", e)
		}
	}
}

func TestM5EffectNames(t *testing.T) {
	if taint.NoSchedule != "NoSchedule" || taint.PreferNoSchedule != "PreferNoSchedule" || taint.NoExecute != "NoExecute" {
		t.Errorf("effects are %q, %q, %q", taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute)
	}
}

func TestM5EffectSetHas(t *testing.T) {
	const none taint.EffectSet = 0
	tests := []struct {
		name                          string
		set                           taint.EffectSet
		schedule, prefer, exec, other bool
	}{
		{"empty", none, false, false, false, false},
		{"F2 hard", taint.Hard, true, false, true, false},
		{"F2 soft", taint.Soft, false, true, false, false},
		{"evicting", taint.Evicting, false, false, true, false},
		{"other", taint.OtherEffects, false, false, false, true},
		{"all", taint.AllEffects, true, true, true, true},
		{"hard and soft", taint.Hard | taint.Soft, true, true, true, false},
		{"hard but not evicting", taint.Hard &^ taint.Evicting, true, false, false, false},
		{"of nothing", taint.EffectSet(0), false, false, false, false},
		{"of one", taint.Soft, false, true, false, false},
		{"of two", taint.NoExecute.Set() | taint.NoSchedule.Set(), true, false, true, false},
		{"of an unknown one", taint.Effect("Evict").Set(), false, false, false, true},
		{"of the empty one", taint.Effect("").Set() | taint.NoExecute.Set(), false, false, true, true},
	}
	for _, tt := range tests {
		want := map[taint.Effect]bool{taint.NoSchedule: tt.schedule, taint.PreferNoSchedule: tt.prefer, taint.NoExecute: tt.exec}
		for _, e := range unknownEffects {
			want[e] = tt.other
		}
		for e, has := range want {
			if got := tt.set.Has(e); got != has {
				t.Errorf("%s: Has(%q) = %v, want %v", tt.name, e, got, has)
			}
		}
	}
}

func TestEffectSetKnownAndString(t *testing.T) {
	tests := []struct {
		set   taint.EffectSet
		known []taint.Effect
		text  string
	}{
		{0, nil, "none"},
		{taint.Hard, []taint.Effect{taint.NoSchedule, taint.NoExecute}, "NoSchedule|NoExecute"},
		{taint.Soft, []taint.Effect{taint.PreferNoSchedule}, "PreferNoSchedule"},
		{taint.Evicting, []taint.Effect{taint.NoExecute}, "NoExecute"},
		{taint.OtherEffects, nil, "other"},
		{taint.Soft | taint.OtherEffects, []taint.Effect{taint.PreferNoSchedule}, "PreferNoSchedule|other"},
		{taint.AllEffects, effects, "NoSchedule|PreferNoSchedule|NoExecute|other"},
		{taint.Evicting | taint.Soft, []taint.Effect{taint.PreferNoSchedule, taint.NoExecute}, "PreferNoSchedule|NoExecute"},
	}
	for _, tt := range tests {
		for _, e := range effects {
			if got := tt.set.Has(e); got != slices.Contains(tt.known, e) {
				t.Errorf("%#x has %q: %v", uint8(tt.set), e, got)
			}
		}
		if got := tt.set.String(); got != tt.text {
			t.Errorf("String of %#x = %q, want %q", uint8(tt.set), got, tt.text)
		}
	}
}
