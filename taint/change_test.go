package taint_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/taint"
	"pgregory.net/rapid"
)

func TestK1ParseChange(t *testing.T) {
	tests := []struct{ specs, add, remove string }{
		{"", "", ""},
		{"k=v:NoSchedule", "k=v:NoSchedule", ""},
		{"k:NoExecute", "k:NoExecute", ""},
		{"k=:PreferNoSchedule", "k:PreferNoSchedule", ""},
		{"k-", "", "k-"},
		{"k:NoSchedule-", "", "k:NoSchedule-"},
		{"k=v:NoSchedule-", "", "k:NoSchedule-"},
		{"k=:NoSchedule-", "", "k:NoSchedule-"},
		{"example.com/k-", "", "example.com/k-"},
		{"b=1:NoExecute a- c:NoSchedule d:NoExecute-", "b=1:NoExecute c:NoSchedule", "a- d:NoExecute-"},
		{"k=1:NoExecute k=2:NoSchedule", "k=1:NoExecute k=2:NoSchedule", ""},
		{"k:NoSchedule k:NoExecute-", "k:NoSchedule", "k:NoExecute-"},
		{"k- k-", "", "k- k-"},
		{"k- k:NoSchedule-", "", "k- k:NoSchedule-"},
	}
	for _, tt := range tests {
		c, err := taint.ParseChange(strings.Fields(tt.specs)...)
		var remove []string
		for _, r := range c.Remove {
			remove = append(remove, r.String()+"-")
		}
		if err != nil || text(c.Add) != tt.add || strings.Join(remove, " ") != tt.remove {
			t.Errorf("ParseChange(%s) = %+v, %v", tt.specs, c, err)
		}
	}
}

func TestK1K2ParseChangeRefuses(t *testing.T) {
	const noEffect = "effect: required value: must be NoSchedule, PreferNoSchedule or NoExecute"
	tests := []struct{ specs, err string }{
		{"k", `taint change "k": ` + noEffect},
		{"k:", `taint change "k:": ` + noEffect},
		{"k=v", `taint change "k=v": a value must be followed by ":" and an effect`},
		{"k=v-", `taint change "k=v-": a value must be followed by ":" and an effect`},
		{"k=-", `taint change "k=-": a value must be followed by ":" and an effect`},
		{"k:-", `taint change "k:-": ` + noEffect},
		{"k=v:-", `taint change "k=v:-": ` + noEffect},
		{"-", `taint change "-": key: invalid value "": ` + noName},
		{":NoSchedule-", `taint change ":NoSchedule-": key: invalid value "": ` + noName},
		{"k--", `taint change "k--": key: invalid value "k-": ` + badName},
		{"k:Evict", `taint change "k:Evict": effect: unsupported value "Evict": must be NoSchedule, PreferNoSchedule or NoExecute`},
		{"k:Evict-", `taint change "k:Evict-": effect: unsupported value "Evict": must be NoSchedule, PreferNoSchedule or NoExecute`},
		{"k=@:NoSchedule", `taint change "k=@:NoSchedule": value: invalid value "@": ` + form},
		{"k=@:NoSchedule-", `taint change "k=@:NoSchedule-": value: invalid value "@": ` + form},
		{"a:NoSchedule:NoExecute", `taint change "a:NoSchedule:NoExecute": more than one ":"`},
		{"k=a=b:NoSchedule-", `taint change "k=a=b:NoSchedule-": more than one "="`},
		{"k=1:NoSchedule a- k=2:NoSchedule", `taint change "k=2:NoSchedule": another addition has the same key and effect`},
		{"k:NoSchedule k:NoSchedule", `taint change "k:NoSchedule": another addition has the same key and effect`},
		{"k=v:NoSchedule k:NoSchedule-", `taint change "k:NoSchedule-": the same command adds "k=v:NoSchedule"`},
		{"k:NoExecute- k=v:NoExecute", `taint change "k:NoExecute-": the same command adds "k=v:NoExecute"`},
		{"k- a:NoSchedule k=v:NoExecute", `taint change "k-": the same command adds "k=v:NoExecute"`},
		{"k=v:NoExecute k=x:NoExecute-", `taint change "k=x:NoExecute-": the same command adds "k=v:NoExecute"`}, // as it was given
		{"a:NoSchedule b:NoSchedule b- a-", `taint change "b-": the same command adds "b:NoSchedule"`},
		{"k=a:NoSchedule k=b:NoExecute k-", `taint change "k-": the same command adds "k=a:NoSchedule"`}, // the first of them
		{"good:NoSchedule bad another=bad", `taint change "bad": ` + noEffect},
	}
	for _, tt := range tests {
		c, err := taint.ParseChange(strings.Fields(tt.specs)...)
		if message(err) != tt.err || c.Add != nil || c.Remove != nil {
			t.Errorf("ParseChange(%s) = %+v, %v\nwant an empty one and %s", tt.specs, c, err, tt.err)
		}
	}
	if _, err := taint.ParseChange(""); message(err) != `taint change "": key: invalid value "": `+noName+"; "+noEffect {
		t.Errorf(`ParseChange("") = %v`, err)
	}
}

func TestK3K4Apply(t *testing.T) {
	tests := []struct {
		name, specs, node string
		overwrite         bool
		want, err         string
	}{
		{"nothing to nothing", "", "", false, "", ""},
		{"nothing", "", "a:NoSchedule b=1:NoExecute", false, "a:NoSchedule b=1:NoExecute", ""},
		{"nothing, but duplicates on the node are kept once", "", "a=1:NoSchedule b:NoExecute a=2:NoSchedule", false, "a=1:NoSchedule b:NoExecute", ""},
		{"K4 new ones in front", "x:NoSchedule y=1:NoExecute", "a:NoSchedule b:NoExecute", false,
			"x:NoSchedule y=1:NoExecute a:NoSchedule b:NoExecute", ""},
		{"K3 another effect is another taint", "a:NoExecute", "a:NoSchedule", false, "a:NoExecute a:NoSchedule", ""},
		{"K3 refused, same value", "a=1:NoSchedule", "a=1:NoSchedule", false, "",
			`taint "a=1:NoSchedule": already on the node with the same effect`},
		{"K3 refused, another value", "a=2:NoSchedule", "b:NoSchedule a=1:NoSchedule", false, "",
			`taint "a=2:NoSchedule": already on the node with the same effect`},
		{"K3 refused, both", "a:NoSchedule x:NoSchedule b:NoSchedule", "b:NoSchedule a:NoSchedule", false, "",
			"taint \"a:NoSchedule\": already on the node with the same effect\ntaint \"b:NoSchedule\": already on the node with the same effect"},
		{"K3 refused before removals are looked at", "a:NoSchedule x-", "a:NoSchedule", false, "",
			`taint "a:NoSchedule": already on the node with the same effect`},
		{"K3 K4 overwritten ones move to the front", "b=2:NoSchedule", "a:NoSchedule b=1:NoSchedule c:NoSchedule", true,
			"b=2:NoSchedule a:NoSchedule c:NoSchedule", ""},
		{"overwrite what is not there", "b=2:NoSchedule", "a:NoSchedule", true, "b=2:NoSchedule a:NoSchedule", ""},
		{"remove by key", "a-", "a:NoSchedule b:NoSchedule a=1:NoExecute", false, "b:NoSchedule", ""},
		{"remove by key and effect", "a:NoExecute-", "a:NoSchedule b:NoSchedule a=1:NoExecute", false, "a:NoSchedule b:NoSchedule", ""},
		{"K1 the value of a removal is ignored", "a=2:NoExecute-", "a=1:NoExecute", false, "", ""},
		{"K3 removal of nothing", "a-", "", false, "", `taint "a": not found on the node`},
		{"K3 removal of another effect", "a:NoExecute-", "a:NoSchedule", false, "", `taint "a:NoExecute": not found on the node`},
		{"K3 two removals of nothing", "a- b- c:NoExecute-", "b:NoSchedule", false, "",
			"taint \"a\": not found on the node\ntaint \"c:NoExecute\": not found on the node"},
		{"K3 the second removal finds nothing", "a- a-", "a:NoSchedule", false, "", `taint "a": not found on the node`},
		{"K3 overwrite does not excuse removals", "a-", "", true, "", `taint "a": not found on the node`},
		{"all at once", "x:NoSchedule a- b:NoExecute-", "b:NoExecute a:NoSchedule c:NoSchedule b:NoSchedule", false,
			"x:NoSchedule c:NoSchedule b:NoSchedule", ""},
		{"duplicates on the node, kept once", "x:NoSchedule", "a=1:NoSchedule a=2:NoSchedule", false, "x:NoSchedule a=1:NoSchedule", ""},
	}
	for _, tt := range tests {
		c, err := taint.ParseChange(strings.Fields(tt.specs)...)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		got, err := c.Apply(nil, list(tt.node), tt.overwrite)
		if message(err) != tt.err || text(got) != tt.want {
			t.Errorf("%s: got %v, %v\nwant %s, %s", tt.name, got, err, tt.want, tt.err)
		}
	}
}

func TestK3ApplyErrors(t *testing.T) {
	taken := taint.Change{Add: list("a:NoSchedule")}
	if _, err := taken.Apply(nil, list("a:NoSchedule"), false); !errors.Is(err, taint.ErrExists) || errors.Is(err, taint.ErrNotFound) {
		t.Errorf("adding what is there: %v", err)
	}
	absent := taint.Change{Remove: []taint.Taint{{Key: "a"}}}
	if _, err := absent.Apply(nil, nil, false); !errors.Is(err, taint.ErrNotFound) || errors.Is(err, taint.ErrExists) {
		t.Errorf("removing what is not there: %v", err)
	}
}

// Apply does not check a Change made by hand.
func TestK4ApplyByHand(t *testing.T) {
	c := taint.Change{Add: list("a=1:NoSchedule a=2:NoSchedule"), Remove: []taint.Taint{{Effect: "Odd"}, {}}}
	got, err := c.Apply(nil, list(":Odd a:NoSchedule =v:NoExecute b"), true)
	if err != nil || text(got) != "a=1:NoSchedule a=2:NoSchedule b" {
		t.Errorf("got %v, %v", got, err)
	}
}

// dst keeps what it holds, and after a failure it is what it was.
func TestApplyAppends(t *testing.T) {
	prefix := list("p=1:NoSchedule a:NoSchedule p=1:NoSchedule")
	c := taint.Change{Add: list("x:NoSchedule"), Remove: []taint.Taint{{Key: "a"}}}
	for _, room := range []int{0, 1, 10} {
		got, err := c.Apply(roomy(prefix, room), list("a:NoSchedule b:NoSchedule"), false)
		if err != nil || text(got) != text(prefix)+" x:NoSchedule b:NoSchedule" {
			t.Errorf("room for %d: got %v, %v", room, got, err)
		}
		dst := roomy(prefix, room)
		for _, node := range []string{"b:NoSchedule", "a:NoSchedule x:NoSchedule"} { // nothing to remove; nothing to add
			got, err := c.Apply(dst, list(node), false)
			if err == nil || text(got) != text(prefix) || &got[0] != &dst[0] || cap(got) != cap(dst) {
				t.Errorf("room for %d, node %s: got %v, %v", room, node, got, err)
			}
		}
	}
	if got, err := c.Apply(nil, nil, false); got != nil || err == nil {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestK3K4ApplyAgainstModel(t *testing.T) {
	smallTaintsToAdd := rapid.OneOf(rapid.SliceOfN(smallTaint, 0, 3), rapid.SliceOfN(smallTaint, 15, 20))
	rapid.Check(t, func(t *rapid.T) {
		c := taint.Change{Add: smallTaintsToAdd.Draw(t, "add")}
		remove := smallTaintsToAdd.Draw(t, "remove")
		for _, r := range remove {
			c.Remove = append(c.Remove, taint.Taint{Key: r.Key, Effect: r.Effect})
		}
		node := smallList.Draw(t, "node")
		overwrite := rapid.Bool().Draw(t, "overwrite")
		checkApply(t, c, remove, node, overwrite)
	})
}

// checkApply compares Apply with the model; remove is c.Remove as taints.
func checkApply(t rapid.TB, c taint.Change, remove, node []taint.Taint, overwrite bool) {
	add, before := slices.Clone(c.Add), slices.Clone(node)
	got, err := c.Apply(nil, node, overwrite)
	want, exist, missing := modelApply(add, remove, before, overwrite)
	if faults := len(strings.Split(message(err), "\n")); err != nil && faults != exist+missing {
		t.Fatalf("%d faults, want %d: %v", faults, exist+missing, err)
	}
	if errors.Is(err, taint.ErrExists) != (exist > 0) || errors.Is(err, taint.ErrNotFound) != (missing > 0) {
		t.Fatalf("%+v on %v: %v, want %d taints in the way and %d missing", c, node, err, exist, missing)
	}
	if err == nil && !slices.Equal(got, want) {
		t.Fatalf("%+v on %v: got %v, want %v", c, node, got, want)
	}
	if err != nil && got != nil {
		t.Fatalf("%+v on %v: fails with %v and yet gives %v", c, node, err, got)
	}
	if !slices.Equal(c.Add, add) || !slices.Equal(node, before) {
		t.Fatalf("an argument changed: %v, %v", c.Add, node)
	}
}

// Long commands are parsed and applied through hash tables; the model does
// neither.
func TestK1K2K3K4LongChanges(t *testing.T) {
	removals := []string{"a-", "a:NoSchedule-", "b:NoExecute-", "b-", "c:PreferNoSchedule-"}
	rapid.Check(t, func(t *rapid.T) {
		var specs []string
		for _, item := range many(rapid.IntRange(0, 30).Draw(t, "additions")) {
			specs = append(specs, item.String())
		}
		specs = append(specs, rapid.SliceOfN(rapid.SampledFrom(removals), 0, 30).Draw(t, "removals")...)
		specs = append(specs, rapid.SliceOfN(rapid.SampledFrom([]string{"a:NoSchedule", "c=1:NoExecute", "key-000003:NoSchedule"}), 0, 2).Draw(t, "more")...)
		specs = rapid.Permutation(specs).Draw(t, "specs")
		c, err := taint.ParseChange(specs...)
		add, remove, ok := modelParse(specs)
		if (err == nil) != ok || !slices.Equal(c.Add, add) {
			t.Fatalf("ParseChange(%q) = %+v, %v; want %v, %v", specs, c, err, add, ok)
		}
		checkApply(t, c, remove, smallList.Draw(t, "node"), rapid.Bool().Draw(t, "overwrite"))
	})
}

// A conflict is reported for the first removal that has one, and names the
// first taint that it would remove, in short commands and long ones.
func TestK2FirstConflict(t *testing.T) {
	for _, n := range []int{0, 30} {
		specs := []string{"x=1:NoExecute", "x=2:NoSchedule", "y:NoSchedule"}
		for _, item := range many(n) {
			specs = append(specs, "z"+item.Key+"-")
		}
		specs = append(specs, "x:NoSchedule-", "x=v:NoExecute-", "y-", "x-")
		_, err := taint.ParseChange(specs...)
		if want := `taint change "x:NoSchedule-": the same command adds "x=2:NoSchedule"`; message(err) != want {
			t.Errorf("with %d other removals: %v", n, err)
		}
	}
}
