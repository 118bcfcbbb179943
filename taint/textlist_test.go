package taint_test

import (
	"encoding"
	"encoding/json"
	"flag"
	"io"
	"testing"

	"github.com/tolero-dev/tolero/taint"
)

var (
	_ encoding.TextMarshaler   = taint.TextList{}
	_ encoding.TextUnmarshaler = (*taint.TextList)(nil)
	_ encoding.TextMarshaler   = taint.EffectSet(0)
	_ encoding.TextUnmarshaler = (*taint.EffectSet)(nil)
)

func TestTextListAsFlag(t *testing.T) {
	for _, c := range []struct{ given, want, err string }{
		{"", "", ""},
		{"a=1:NoSchedule,b=:NoExecute", "a=1:NoSchedule,b:NoExecute", ""},
		{"a=1:NoSchedule,a=2:NoSchedule", "old:NoSchedule",
			`taints[1], at offset 15: taint "a=2:NoSchedule": another one in the list has the same key and effect`},
		{`"a":NoSchedule`, "old:NoSchedule", `taints[0], at offset 0: taint "\"a\":NoSchedule": key: invalid value "\"a\"": ` + badName},
	} {
		l := taint.TextList(list("old:NoSchedule"))
		if err := l.UnmarshalText([]byte(c.given)); message(err) != c.err || l.String() != c.want {
			t.Errorf("%q is read as %s, %v; want %s, %s", c.given, l, err, c.want, c.err)
		}
	}
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	var taints taint.TextList
	flags.TextVar(&taints, "taints", taint.TextList(list("a:NoSchedule")), "")
	if taints.String() != "a:NoSchedule" {
		t.Errorf("the default is %v", taints)
	}
	if err := flags.Parse([]string{"-taints", "b=1:NoExecute"}); err != nil || taints.String() != "b=1:NoExecute" {
		t.Errorf("got %v, %v", taints, err)
	}
	if err := flags.Parse([]string{"-taints", "b"}); err == nil {
		t.Errorf("got %v", taints)
	}
}

func TestTextListInJSON(t *testing.T) {
	config := struct {
		Taints taint.TextList
		Direct []taint.Taint
	}{taint.TextList(list("a=1:NoSchedule b:NoExecute")), list("a=1:NoSchedule")}
	const want = `{"Taints":"a=1:NoSchedule,b:NoExecute","Direct":[{"key":"a","value":"1","effect":"NoSchedule"}]}`
	got, err := json.Marshal(config)
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
	config.Taints = nil
	if err := json.Unmarshal([]byte(want), &config); err != nil || config.Taints.String() != "a=1:NoSchedule,b:NoExecute" {
		t.Errorf("read as %v, %v", config, err)
	}
	if text, err := taint.TextList(nil).MarshalText(); text == nil || len(text) != 0 || err != nil {
		t.Errorf("no taints are %q, %v", text, err)
	}
}

// What UnmarshalText refuses is not written.
func TestTextListThatIsNotValid(t *testing.T) {
	twice := taint.MustParse("a:NoSchedule")
	for _, list := range []taint.TextList{{twice, twice}, {{Key: "a"}}} {
		if text, err := list.MarshalText(); err == nil {
			t.Errorf("%v is written as %s", list, text)
		}
	}
}
