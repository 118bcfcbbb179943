package taint_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/tolero-dev/tolero/taint"
)

// What runs in a scheduler's inner loop does not allocate, given room.
func TestAllocations(t *testing.T) {
	taints := list("b=1:NoSchedule example.com/a=2:NoExecute c:PreferNoSchedule")
	taints[1].TimeAdded = instant(0)
	reversed := slices.Clone(taints)
	slices.Reverse(reversed)
	same := slices.Clone(taints)
	added, replaced := list("d=1:NoSchedule")[0], list("b=2:NoSchedule")[0]
	set := taint.Hard
	change := taint.Change{Add: list("x:NoSchedule"), Remove: []taint.Taint{{Key: "b"}}}
	room, bytes := make([]taint.Taint, 0, 16), make([]byte, 0, 256)
	var most []taint.Taint // as many taints and removals as are said to cost no memory
	var clear taint.Change
	for i := range 16 {
		key := "k" + strconv.Itoa(i)
		most = append(most, taint.Taint{Key: key, Effect: taint.NoSchedule})
		clear.Remove = append(clear.Remove, taint.Taint{Key: key})
	}

	tests := []struct {
		name string
		do   func() bool
	}{
		{"Find", func() bool { _, found := taint.Find(taints, &taints[2]); return found }},
		{"KeyExists", func() bool { return taint.KeyExists(taints, "c") }},
		{"EffectSet.Has", func() bool { return set.Has(taints[1].Effect) }},
		{"AppendList", func() bool { return len(taint.AppendList(bytes, taints)) > 0 }},
		{"Upsert, new", func() bool { got, _ := taint.Upsert(room, taints, added); return len(got) == 4 }},
		{"Upsert, there", func() bool { got, _ := taint.Upsert(room, taints, replaced); return len(got) == 3 }},
		{"Upsert, in place", func() bool { got, _ := taint.Upsert(same[:0], same, replaced); return len(got) == 3 }},
		{"Remove", func() bool { got, _ := taint.Remove(room, taints, replaced); return len(got) == 2 }},
		{"RemoveKey", func() bool { got, _ := taint.RemoveKey(room, taints, "b"); return len(got) == 2 }},
		{"Difference", func() bool { return len(taint.Difference(room, taints, reversed)) == 0 }},
		{"Apply", func() bool { got, err := change.Apply(room, taints, false); return err == nil && len(got) == 3 }},
		{"Apply, many", func() bool { got, err := clear.Apply(room, most, false); return err == nil && len(got) == 0 }},
		{"Merge", func() bool { return len(taint.Merge(room, taints, reversed)) == 3 }},
		{"WithCordon", func() bool { return len(taint.WithCordon(room, taints, true)) == 4 }},
		{"Validate", func() bool { return taint.Validate(taints) == nil }},
		{"Equal", func() bool { return !taint.Equal(taints, reversed) }},
		{"CheckKey", func() bool { return taint.CheckKey(taints[1].Key) == nil }},
		{"CheckValue", func() bool { return taint.CheckValue(taints[1].Value) == nil }},
		{"Parse", func() bool { _, err := taint.Parse("example.com/a=b:NoSchedule"); return err == nil }},
	}
	for _, tt := range tests {
		if !tt.do() {
			t.Errorf("%s does not do what is measured", tt.name)
		}
		if n := testing.AllocsPerRun(100, func() { tt.do() }); n != 0 {
			t.Errorf("%s allocates %v times", tt.name, n)
		}
	}
}

// ParseList allocates the list, once and no larger than needed.
func TestA7ParseListAllocatesOnce(t *testing.T) {
	const text = "a=1:NoSchedule,example.com/b=:NoExecute,c:PreferNoSchedule"
	if n := testing.AllocsPerRun(100, func() { _, _ = taint.ParseList(text) }); n != 1 {
		t.Errorf("ParseList allocates %v times", n)
	}
	if got, err := taint.ParseList(text); err != nil || cap(got) != 3 {
		t.Errorf("room for %d taints, %v", cap(got), err)
	}
}
