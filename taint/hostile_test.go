package taint_test

import (
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/tolero-dev/tolero/taint"
)

func TestNilArguments(t *testing.T) {
	if _, found := taint.Find(nil, &taint.Taint{}); found {
		t.Error("Find in nothing")
	}
	if _, found := taint.Find(nil, &taint.Taint{}); found || taint.KeyExists(nil, "") {
		t.Error("something exists in nothing")
	}
	if err := taint.Validate(nil); err != nil {
		t.Error(err)
	}
	if got := taint.FormatList(nil); got != "" {
		t.Errorf("FormatList(nil) = %q", got)
	}
	if got := taint.Difference(nil, nil, nil); got != nil {
		t.Errorf("Difference(nil, nil) = %v", got)
	}
	if got, removed := taint.Remove(nil, nil, taint.Taint{}); got != nil || removed {
		t.Errorf("Remove from nothing = %v, %v", got, removed)
	}
	if c, err := taint.ParseChange(); err != nil || c.Add != nil || c.Remove != nil {
		t.Errorf("ParseChange() = %v, %v", c, err)
	}
	if got, err := (taint.Change{}).Apply(nil, nil, false); got != nil || err != nil {
		t.Errorf("the zero Change of nothing = %v, %v", got, err)
	}
}

// A node has no limit on its number of taints.
func TestManyTaints(t *testing.T) {
	const n = 100_000 // at the square of it, the test would take minutes
	taints := many(n)
	if err := taint.Validate(taints); err != nil {
		t.Fatal(err)
	}
	if err := taint.Validate(append(slices.Clone(taints), taints[n-1])); message(err) == "" ||
		!strings.HasPrefix(message(err), `taints[100000]: duplicate value "key-099999=v:NoSchedule"`) {
		t.Errorf("with a duplicate: %v", err)
	}
	last := taints[n-1]
	if index, found := taint.Find(taints, &last); !found || index != n-1 {
		t.Errorf("the last one is found at %d, %v", index, found)
	}
	without, removed := taint.Remove(nil, taints, last)
	if !removed || len(without) != n-1 {
		t.Errorf("%d taints are left, %v", len(without), removed)
	}
	if got, changed := taint.Upsert(without, nil, last); !changed || !taint.Equal(got, taints) {
		t.Errorf("put back, %d taints differ, %v", len(got), changed)
	}
	if got := taint.Difference(nil, taints, without); len(got) != 1 || got[0] != last {
		t.Errorf("the difference is %v", got)
	}
	if got := taint.Difference(nil, taints, taints); len(got) != 0 {
		t.Errorf("%d taints are left of none", len(got))
	}
	reversed := slices.Clone(taints)
	slices.Reverse(reversed)
	all := taint.Change{Add: taints}
	if got, err := all.Apply(nil, reversed, true); err != nil || !taint.Equal(got, taints) {
		t.Errorf("all put anew, %d taints are there, %v", len(got), err)
	}
	for i := range taints {
		all.Remove = append(all.Remove, taint.Taint{Key: taints[i].Key})
	}
	if got, err := all.Apply(nil, nil, false); err != nil || len(got) != 0 {
		t.Errorf("all removed, %d taints are left, %v", len(got), err)
	}
	change := taint.Change{Remove: []taint.Taint{{Key: last.Key}}}
	if got, err := change.Apply(nil, taints, false); err != nil || !taint.Equal(got, without) {
		t.Errorf("%d taints are left, %v", len(got), err)
	}
}

func TestManyTaintsParse(t *testing.T) {
	taints := many(50_000)
	got, err := taint.ParseList(taint.FormatList(taints))
	if err != nil || !taint.Equal(got, taints) {
		t.Errorf("%d taints come back as %d, %v", len(taints), len(got), err)
	}
	specs := make([]string, 0, 2*len(taints))
	for i := range taints {
		specs = append(specs, taints[i].String(), "x"+taints[i].Key+"-")
	}
	if c, err := taint.ParseChange(specs...); err != nil || len(c.Add) != len(taints) || len(c.Remove) != len(taints) {
		t.Errorf("a change of %d specs: %v", len(specs), err)
	}
}

func TestHugeStrings(t *testing.T) {
	huge := strings.Repeat("a", 1<<20)
	for _, key := range []string{huge, huge + "/a", "a/" + huge, huge + "/" + huge} {
		if taint.CheckKey(key) == nil {
			t.Errorf("a key of %d bytes is valid", len(key))
		}
	}
	if taint.CheckValue(huge) == nil {
		t.Error("a huge value is valid")
	}
	item := taint.Taint{Key: huge, Value: huge, Effect: taint.Effect(huge)}
	if got := item.String(); got != huge+"="+huge+":"+huge {
		t.Errorf("written as %d bytes", len(got))
	}
	if _, err := taint.Parse(item.String()); err == nil {
		t.Error("a huge taint is parsed")
	}
	if item.Effect.Known() || !taint.OtherEffects.Has(item.Effect) {
		t.Error("a huge effect is known")
	}
	for _, separators := range []string{":", "=", ",", "/", "-", "a:NoSchedule,"} {
		text := strings.Repeat(separators, 1<<12)
		if _, err := taint.ParseList(text); err == nil {
			t.Errorf("many %q are parsed", separators)
		}
		if _, err := taint.ParseChange(text); err == nil {
			t.Errorf("many %q are a change", separators)
		}
	}
}

// Strings are bytes: those that are not UTF-8 are compared, kept and written
// like any others.
func TestInvalidUTF8(t *testing.T) {
	a := taint.Taint{Key: "\xff", Value: "\xc0\x80", Effect: "\xfe"}
	b := taint.Taint{Key: "\xfe", Value: "\xc0\x80", Effect: "\xfe"}
	if a.Matches(&b) || a.Equal(&b) || !a.Equal(&a) {
		t.Errorf("%q and %q are confused", a, b)
	}
	if got := a.String(); got != `"\xff"="\xc0\x80":"\xfe"` {
		t.Errorf("written as %q", got)
	}
	if _, err := taint.Parse(a.String()); err == nil {
		t.Error("an invalid key is parsed")
	}
	want := `taints[0].key: invalid value "\xff": ` + badName + `; taints[0].value: invalid value "\xc0\x80": ` + form +
		`; taints[0].effect: unsupported value "\xfe": ` + needEffect
	if got := message(taint.Validate([]taint.Taint{a})); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The documentation promises the memory of the text, so that parsing a list
// costs one allocation.
func TestParseSharesTheMemoryOfTheText(t *testing.T) {
	text := strings.Clone("key=value:NoSchedule")
	got := taint.MustParse(text)
	if unsafe.StringData(got.Key) != unsafe.StringData(text) || unsafe.StringData(got.Value) != unsafe.StringData(text[4:]) {
		t.Error("key or value is a copy")
	}
}
