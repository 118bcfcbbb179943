package device_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/taint"
)

// verbs is the verbs on one of the two kinds of lists, so that both are tested alike.
type verbs[T any] struct {
	draw           func(*rapid.T) T
	matches, equal func(a, b *T) bool
	key            func(*T) string
	find           func([]T, *T) (int, bool)
	exists         func([]T, *T) bool
	keyExists      func([]T, string) bool
	equalLists     func(a, b []T) bool
	equalUnordered func(a, b []T) bool
	clone          func([]T) []T
	upsert         func(dst, list []T, x T) ([]T, bool)
	remove         func(dst, list []T, x *T) ([]T, bool)
	removeKey      func(dst, list []T, key string) ([]T, bool)
	difference     func(dst, a, b []T) []T
	replaces       func(old, x T) T // what Upsert puts in the place of old
	sharesNothing  func(a, b *T) bool
}

var taintVerbs = verbs[device.Taint]{
	draw:    drawTaint,
	matches: (*device.Taint).Matches, equal: (*device.Taint).Equal, key: func(t *device.Taint) string { return t.Key },
	find: device.FindTaint, exists: device.TaintExists, keyExists: device.TaintKeyExists,
	equalLists: device.EqualTaints, equalUnordered: device.EqualTaintsUnordered, clone: device.CloneTaints,
	upsert: device.UpsertTaint, remove: device.RemoveTaint, removeKey: device.RemoveTaintKey, difference: device.TaintDifference,
	replaces: func(old, x device.Taint) device.Taint {
		if x.TimeAdded == nil {
			x.TimeAdded = old.TimeAdded
		}
		return x
	},
	sharesNothing: func(a, b *device.Taint) bool { return a.TimeAdded == nil || a.TimeAdded != b.TimeAdded },
}

var tolerationVerbs = verbs[device.Toleration]{
	draw:    drawToleration,
	matches: (*device.Toleration).Matches, equal: (*device.Toleration).Equal, key: func(t *device.Toleration) string { return t.Key },
	find: device.FindToleration, exists: device.TolerationExists, keyExists: device.TolerationKeyExists,
	equalLists: device.EqualTolerations, equalUnordered: device.EqualTolerationsUnordered, clone: device.CloneTolerations,
	upsert: device.UpsertToleration, remove: device.RemoveToleration, removeKey: device.RemoveTolerationKey, difference: device.TolerationDifference,
	replaces: func(_, x device.Toleration) device.Toleration { return x },
	sharesNothing: func(a, b *device.Toleration) bool {
		return a.TolerationSeconds == nil || a.TolerationSeconds != b.TolerationSeconds
	},
}

func TestListVerbs(t *testing.T) {
	t.Run("taints", func(t *testing.T) { rapid.Check(t, taintVerbs.check) })
	t.Run("tolerations", func(t *testing.T) { rapid.Check(t, tolerationVerbs.check) })
}

func FuzzListVerbs(f *testing.F) {
	target.Fuzz(f, target.Rapid(func(t *rapid.T) { taintVerbs.check(t); tolerationVerbs.check(t) }))
}

// check compares every verb with a slow reading of its documents, on short lists and on
// ones that are long enough for hash tables.
func (v *verbs[T]) check(t *rapid.T) {
	length := rapid.SampledFrom([]int{0, 0, 20}).Draw(t, "least")
	lists := rapid.SliceOfN(rapid.Custom(v.draw), length, 3+2*length)
	a, b, x := lists.Draw(t, "a"), lists.Draw(t, "b"), v.draw(t)
	matches := func(y T) bool { return v.matches(&y, &x) }
	hasKey := func(y T) bool { return v.key(&y) == v.key(&x) }
	first := slices.IndexFunc(a, matches)
	if i, found := v.find(a, &x); found != (first >= 0) || i != max(first, 0) || v.exists(a, &x) != found || v.keyExists(a, v.key(&x)) != slices.ContainsFunc(a, hasKey) {
		t.Fatalf("%v in %v: at %d, %t", x, a, i, found)
	}
	v.checkSame(t, "remove", a, &x, slices.DeleteFunc(slices.Clone(a), matches), func(dst, list []T, x *T) ([]T, bool) { return v.remove(dst, list, x) })
	v.checkSame(t, "remove the key", a, &x, slices.DeleteFunc(slices.Clone(a), hasKey), func(dst, list []T, x *T) ([]T, bool) { return v.removeKey(dst, list, v.key(x)) })
	updated := slices.DeleteFunc(slices.Clone(a), matches)
	if first >= 0 {
		updated = slices.Insert(updated, first, v.replaces(a[first], x))
	} else {
		updated = append(updated, x)
	}
	v.checkSame(t, "upsert", a, &x, updated, func(dst, list []T, x *T) ([]T, bool) { return v.upsert(dst, list, *x) })
	var missing []T
	for _, y := range a {
		if !slices.ContainsFunc(b, func(z T) bool { return v.matches(&y, &z) }) {
			missing = append(missing, y)
		}
	}
	if got := v.difference(nil, a, b); !v.equalLists(got, missing) {
		t.Fatalf("%v without %v: %v, want %v", a, b, got, missing)
	}
	v.checkEqual(t, a, b)
}

// checkSame compares a changed list, whether it changed, and the same in place with x in
// the list.
func (v *verbs[T]) checkSame(t *rapid.T, what string, list []T, x *T, want []T, do func(dst, list []T, x *T) ([]T, bool)) {
	before := v.clone(list)
	got, changed := do(nil, list, x)
	if !v.equalLists(got, want) || changed == v.equalLists(want, list) || !v.equalLists(before, list) {
		t.Fatalf("%s %v in %v: %v, %t, want %v", what, *x, list, got, changed, want)
	}
	own := x
	if i, found := v.find(before, x); found && v.equal(&before[i], x) {
		own = &before[i]
	}
	if got, again := do(before[:0], before, own); !v.equalLists(got, want) || again != changed {
		t.Fatalf("%s %v in place: %v, %t, want %v", what, *x, got, again, want)
	}
}

// checkEqual compares lists with others, with shuffled ones, and with their copies.
func (v *verbs[T]) checkEqual(t *rapid.T, a, b []T) {
	count := func(list []T, x T) (n int) {
		for i := range list {
			if v.equal(&list[i], &x) {
				n++
			}
		}
		return n
	}
	same := len(a) == len(b) && !slices.ContainsFunc(a, func(x T) bool { return count(a, x) != count(b, x) })
	if got := v.equalUnordered(a, b); got != same {
		t.Fatalf("%v and %v are equal in any order: %t", a, b, got)
	}
	shuffled := slices.Clone(rapid.Permutation(a).Draw(t, "shuffled"))
	if !v.equalUnordered(a, shuffled) {
		t.Fatalf("%v is not equal to %v in any order", a, shuffled)
	}
	if len(a) > 0 {
		shuffled[0] = v.draw(t)
		if got := v.equalUnordered(a, shuffled); got != (count(a, shuffled[0]) == count(shuffled, shuffled[0])) {
			t.Fatalf("%v and %v are equal in any order: %t", a, shuffled, got)
		}
	}
	copied := v.clone(a)
	if !v.equalLists(copied, a) || (copied == nil) != (a == nil) || v.equalLists(a, b) != slices.EqualFunc(a, b, func(x, y T) bool { return v.equal(&x, &y) }) {
		t.Fatalf("%v is copied as %v", a, copied)
	}
	for i := range a {
		if !v.sharesNothing(&a[i], &copied[i]) {
			t.Fatalf("%v shares something with its copy", a[i])
		}
	}
}

// D11: a driver that sets a taint again keeps its time, unless it gives another one.
func TestD11Upsert(t *testing.T) {
	published := []device.Taint{evicting("a", 100), evicting("b", 50)}
	update := device.Taint{Key: "a", Value: "worse", Effect: device.NoExecute}
	list, changed := device.UpsertTaint(nil, published, update)
	if !changed || list[0].Value != "worse" || !list[0].TimeAdded.Equal(at(100)) {
		t.Errorf("%t, %+v", changed, list)
	}
	if again, changed := device.UpsertTaint(nil, list, update); changed || !device.EqualTaints(again, list) {
		t.Errorf("once more: %+v", again)
	}
	update.TimeAdded = added(7)
	if list, changed = device.UpsertTaint(list[:0], list, update); !changed || !list[0].TimeAdded.Equal(at(7)) {
		t.Errorf("another time: %+v", list)
	}
	if list, _ = device.UpsertTaint(nil, published, device.Taint{Key: "a", Effect: device.NoSchedule, TimeAdded: &taint.Time{}}); len(list) != 3 || !list[2].TimeAdded.IsZero() {
		t.Errorf("another effect: %+v", list)
	}
	zero := device.Taint{Key: "b", Effect: device.NoExecute, TimeAdded: &taint.Time{Time: time.Time{}}}
	if list, changed = device.UpsertTaint(nil, published, zero); changed {
		t.Errorf("the zero time is none: %+v", list)
	}
}

// Lists as text, in flags and in JSON.
func TestTextLists(t *testing.T) {
	var taints device.TaintList
	var tolerations device.TolerationList
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.TextVar(&taints, "taints", device.TaintList{}, "")
	flags.TextVar(&tolerations, "tolerations", device.TolerationList{}, "")
	if err := flags.Parse([]string{"-taints", "a:None,b=x:NoExecute", "-tolerations", "a:None,*:NoExecute@30"}); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(taints, " ", tolerations); got != "a:None,b=x:NoExecute a:None,*:NoExecute@30" {
		t.Error(got)
	}
	text, err := json.Marshal([]any{taints, tolerations, device.TaintList{}})
	if want := `["a:None,b=x:NoExecute","a:None,*:NoExecute@30",""]`; err != nil || string(text) != want {
		t.Errorf("%s, %v, want %s", text, err, want)
	}
	if err := flags.Parse([]string{"-taints", "a:PreferNoSchedule"}); err == nil || !strings.Contains(err.Error(), "taint.effect") || len(taints) != 2 {
		t.Errorf("%v, %v", err, taints)
	}
	if err := tolerations.UnmarshalText([]byte("a>5")); err == nil || len(tolerations) != 2 {
		t.Errorf("%v, %v", err, tolerations)
	}
	if err := tolerations.UnmarshalText(nil); err != nil || len(tolerations) != 0 {
		t.Errorf("%v, %v", err, tolerations)
	}
}
