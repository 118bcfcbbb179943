package taint_test

import (
	"testing"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/taint"
	"pgregory.net/rapid"
)

func TestString(t *testing.T) {
	tests := []struct {
		taint taint.Taint
		want  string
	}{
		{taint.Taint{}, `""`},
		{taint.Taint{Key: "k"}, "k"},
		{taint.Taint{Key: "k", Value: "v"}, "k=v:"},
		{taint.Taint{Key: "k", Effect: taint.NoSchedule}, "k:NoSchedule"},
		{taint.Taint{Key: "k", Value: "v", Effect: taint.NoExecute}, "k=v:NoExecute"},
		{taint.Taint{Key: "a/k", Value: "v", Effect: "Odd", TimeAdded: instant(0)}, "a/k=v:Odd"},
		{taint.Taint{Value: "v"}, `""=v:`},
		{taint.Taint{Effect: taint.NoSchedule}, `"":NoSchedule`},
		{taint.Taint{Key: "a b", Value: "=", Effect: "\n"}, `"a b"="=":"\n"`},
	}
	for _, tt := range tests {
		if got := tt.taint.String(); got != tt.want {
			t.Errorf("String of %+v = %q, want %q", tt.taint, got, tt.want)
		}
		if got := string(taint.AppendList([]byte("taint "), []taint.Taint{tt.taint})); got != "taint "+tt.want {
			t.Errorf("AppendList of %+v = %q, want %q after it", tt.taint, got, tt.want)
		}
	}
}

func TestK1Parse(t *testing.T) {
	tests := []struct {
		text string
		want taint.Taint
	}{
		{"k=v:NoSchedule", taint.Taint{Key: "k", Value: "v", Effect: taint.NoSchedule}},
		{"k:NoExecute", taint.Taint{Key: "k", Effect: taint.NoExecute}},
		{"k=:PreferNoSchedule", taint.Taint{Key: "k", Effect: taint.PreferNoSchedule}},
		{"example.com/k=a.b_c-1:NoSchedule", taint.Taint{Key: "example.com/k", Value: "a.b_c-1", Effect: taint.NoSchedule}},
	}
	for _, tt := range tests {
		if got, err := taint.Parse(tt.text); err != nil || got != tt.want {
			t.Errorf("Parse(%q) = %+v, %v", tt.text, got, err)
		}
		if got := taint.MustParse(tt.text); got != tt.want {
			t.Errorf("MustParse(%q) = %+v", tt.text, got)
		}
	}
}

// parseErrors is what Parse says of texts that are no taints (rules K1, K2).
var parseErrors = []struct{ text, err string }{
	{"", `taint "": key: invalid value "": ` + noName + `; effect: required value: must be NoSchedule, PreferNoSchedule or NoExecute`},
	{"k", `taint "k": effect: required value: must be NoSchedule, PreferNoSchedule or NoExecute`},
	{"k:", `taint "k:": effect: required value: must be NoSchedule, PreferNoSchedule or NoExecute`},
	{"k=v:", `taint "k=v:": effect: required value: must be NoSchedule, PreferNoSchedule or NoExecute`},
	{"k=v", `taint "k=v": a value must be followed by ":" and an effect`},
	{"k=", `taint "k=": a value must be followed by ":" and an effect`},
	{"=", `taint "=": a value must be followed by ":" and an effect`},
	{"k:NoSchedule:NoExecute", `taint "k:NoSchedule:NoExecute": more than one ":"`},
	{"k::NoSchedule", `taint "k::NoSchedule": more than one ":"`},
	{"k=a=b:NoSchedule", `taint "k=a=b:NoSchedule": more than one "="`},
	{"k==:NoSchedule", `taint "k==:NoSchedule": more than one "="`},
	{"k=v:Noschedule", `taint "k=v:Noschedule": effect: unsupported value "Noschedule": must be NoSchedule, PreferNoSchedule or NoExecute (is NoSchedule meant? Case matters)`},
	{"k:No=Schedule", `taint "k:No=Schedule": effect: unsupported value "No=Schedule": must be NoSchedule, PreferNoSchedule or NoExecute`},
	{"k:NoSchedule-", `taint "k:NoSchedule-": effect: unsupported value "NoSchedule-": must be NoSchedule, PreferNoSchedule or NoExecute`},
	{":NoSchedule", `taint ":NoSchedule": key: invalid value "": ` + noName},
	{"=v:NoSchedule", `taint "=v:NoSchedule": key: invalid value "": ` + noName},
	{"a//b:NoSchedule", `taint "a//b:NoSchedule": key: invalid value "a//b": ` + manySlashes},
	{"k=v/w:NoSchedule", `taint "k=v/w:NoSchedule": value: invalid value "v/w": ` + form},
	{"/=-:x", `taint "/=-:x": key: invalid value "/": ` + noPrefix + `; ` + noName +
		`; value: invalid value "-": ` + form + `; effect: unsupported value "x": must be NoSchedule, PreferNoSchedule or NoExecute`},
	{"k:NoSchedule\xff", `taint "k:NoSchedule\xff": effect: unsupported value "NoSchedule\xff": must be NoSchedule, PreferNoSchedule or NoExecute`},
}

func TestK1K2ParseRefuses(t *testing.T) {
	for _, tt := range parseErrors {
		got, err := taint.Parse(tt.text)
		if message(err) != tt.err || got != (taint.Taint{}) {
			t.Errorf("Parse(%q) = %+v, %v\nwant the zero taint and %s", tt.text, got, err, tt.err)
		}
		if panicked := catch(func() { taint.MustParse(tt.text) }); panicked == nil || message(panicked.(error)) != tt.err {
			t.Errorf("MustParse(%q) panics with %v", tt.text, panicked)
		}
	}
}

// catch runs f and returns what it panics with.
func catch(f func()) (panicked any) {
	defer func() { panicked = recover() }()
	f()
	return nil
}

func TestK2ParseReadsValidTaintsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := validTaint.Draw(t, "taint")
		if got, err := taint.Parse(want.String()); err != nil || got != want {
			t.Fatalf("Parse(%q) = %+v, %v", want.String(), got, err)
		}
		explicit := want.Key + "=" + want.Value + ":" + string(want.Effect)
		if got, err := taint.Parse(explicit); err != nil || got != want {
			t.Fatalf("Parse(%q) = %+v, %v", explicit, got, err)
		}
	})
}

func TestA7ParseList(t *testing.T) {
	tests := []struct{ text, want string }{
		{"k=v:NoSchedule", "k=v:NoSchedule"},
		{"k=:NoSchedule", "k:NoSchedule"},
		{"k:NoSchedule", "k:NoSchedule"},
		{"b=1:NoExecute,a=2:NoSchedule", "b=1:NoExecute a=2:NoSchedule"},
		{"k=1:NoExecute,k=2:NoSchedule,k=3:PreferNoSchedule", "k=1:NoExecute k=2:NoSchedule k=3:PreferNoSchedule"},
		{"node.cloudprovider.kubernetes.io/uninitialized=true:NoSchedule", "node.cloudprovider.kubernetes.io/uninitialized=true:NoSchedule"},
	}
	for _, tt := range tests {
		if got, err := taint.ParseList(tt.text); err != nil || text(got) != tt.want {
			t.Errorf("ParseList(%q) = %v, %v, want %s", tt.text, got, err, tt.want)
		}
	}
	if got, err := taint.ParseList(""); got != nil || err != nil {
		t.Errorf(`ParseList("") = %v, %v`, got, err)
	}
}

func TestA7ParseListRefuses(t *testing.T) {
	tests := []struct{ text, err string }{
		{",", `taints[0], at offset 0: taint "": key: invalid value "": ` + noName + `; effect: required value: must be NoSchedule, PreferNoSchedule or NoExecute`},
		{"k:NoSchedule,", `taints[1], at offset 13: taint "": key: invalid value "": ` + noName + `; effect: required value: must be NoSchedule, PreferNoSchedule or NoExecute`},
		{"k:NoSchedule, a:NoSchedule", `taints[1], at offset 13: taint " a:NoSchedule": key: invalid value " a": ` + badName},
		{"k=v:NoSchedule,k=w:NoSchedule", `taints[1], at offset 15: taint "k=w:NoSchedule": another one in the list has the same key and effect`},
		{"k:NoSchedule,a:NoSchedule,k:NoSchedule", `taints[2], at offset 26: taint "k:NoSchedule": another one in the list has the same key and effect`},
		{"a:NoSchedule,k-", `taints[1], at offset 13: taint "k-": key: invalid value "k-": ` + badName + `; effect: required value: must be NoSchedule, PreferNoSchedule or NoExecute`},
		{"a:NoSchedule,k:NoSchedule-", `taints[1], at offset 13: taint "k:NoSchedule-": effect: unsupported value "NoSchedule-": must be NoSchedule, PreferNoSchedule or NoExecute`},
		{"k=v", `taints[0], at offset 0: taint "k=v": a value must be followed by ":" and an effect`},
	}
	for _, tt := range tests {
		if got, err := taint.ParseList(tt.text); message(err) != tt.err || got != nil {
			t.Errorf("ParseList(%q) = %v, %v\nwant nil, %s", tt.text, got, err, tt.err)
		}
	}
}

func TestA7FormatList(t *testing.T) {
	tests := []struct{ taints, want string }{
		{"", ""},
		{"k=v:NoSchedule", "k=v:NoSchedule"},
		{"k:NoSchedule", "k:NoSchedule"},
		{"b:NoExecute a=1:NoSchedule c=2:Odd", "b:NoExecute,a=1:NoSchedule,c=2:Odd"},
		{"k", "k"},
		{"k,=v:Odd a", `"k,"=v:Odd,a`},
	}
	for _, tt := range tests {
		if got := taint.FormatList(list(tt.taints)); got != tt.want {
			t.Errorf("FormatList(%s) = %q, want %q", tt.taints, got, tt.want)
		}
		if got := string(taint.AppendList([]byte("x"), list(tt.taints))); got != "x"+tt.want {
			t.Errorf("AppendList(x, %s) = %q, want %q after it", tt.taints, got, tt.want)
		}
	}
}

func TestA7F3ParseListReadsListsBackInOrder(t *testing.T) {
	distinct := rapid.SliceOfNDistinct(validTaint, 0, 6, identity)
	rapid.Check(t, func(t *rapid.T) {
		want := distinct.Draw(t, "taints")
		got, err := taint.ParseList(taint.FormatList(want))
		if err != nil || !taint.Equal(got, want) {
			t.Fatalf("%v comes back as %v, %v", want, got, err)
		}
	})
}

// What String prints can be read, whatever the words are; Parse reads it exactly if the taint
// is valid.
func FuzzTextRoundTrip(f *testing.F) {
	f.Add("dedicated", "gpu", "NoSchedule") // a valid taint
	f.Add("", "", "")                       // the zero Taint
	f.Add("k", "v", "")                     // no effect
	f.Add("a:b", "c=d", "e,f")              // separators inside
	f.Add(`"`, "\xff", "`")                 // quotes, and not UTF-8
	target.Fuzz(f, func(t *testing.T, key, value, effect string) {
		want := taint.Taint{Key: key, Value: value, Effect: taint.Effect(effect)}
		text := want.String()
		if got, err := notation.Taint(text); err != nil || got != want {
			t.Fatalf("Taint(%q) = %+q, %v, want %+q", text, got, err, want)
		}
		if got, err := taint.Parse(text); (err == nil) != isTaint(want) || err == nil && got != want {
			t.Fatalf("Parse(%q) = %+q, %v", text, got, err)
		}
	})
}
