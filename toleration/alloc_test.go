package toleration_test

import (
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/toleration"
)

// Given room, the operations on lists do not allocate.
func TestListsDoNotAllocate(t *testing.T) {
	list := mustParseList(t, "a==1:NoSchedule,b:NoExecute@300,*:PreferNoSchedule")
	reversed := slices.Clone(list)
	slices.Reverse(reversed)
	replaced, added := mustParse("b:NoExecute@5"), mustParse("c")
	room := make([]toleration.Toleration, 0, 8)
	for name, do := range map[string]func() bool{
		"Equal":         func() bool { return !toleration.Equal(list, reversed) },
		"Upsert, new":   func() bool { got, _ := toleration.Upsert(room, list, added); return len(got) == 4 },
		"Upsert, there": func() bool { got, _ := toleration.Upsert(room, list, replaced); return len(got) == 3 },
		"Remove":        func() bool { got, _ := toleration.Remove(room, list, replaced); return len(got) == 2 },
	} {
		if !do() {
			t.Errorf("%s fails", name)
		}
		if allocs := testing.AllocsPerRun(100, func() { do() }); allocs != 0 {
			t.Errorf("%s allocates %v times", name, allocs)
		}
	}
}

// ParseList allocates the list, once and no larger than needed.
func TestParseListAllocatesOnce(t *testing.T) {
	const text = "a==1:NoSchedule,example.com/b:NoExecute,*:PreferNoSchedule"
	if n := testing.AllocsPerRun(100, func() { _, _ = toleration.ParseList(text) }); n != 1 {
		t.Errorf("ParseList allocates %v times", n)
	}
	if got, err := toleration.ParseList(text); err != nil || cap(got) != 3 {
		t.Errorf("room for %d tolerations, %v", cap(got), err)
	}
}
