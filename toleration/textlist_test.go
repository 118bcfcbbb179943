package toleration_test

import (
	"encoding"
	"encoding/json"
	"flag"
	"io"
	"testing"

	"github.com/tolero-dev/tolero/toleration"
)

var (
	_ encoding.TextMarshaler   = toleration.TextList{}
	_ encoding.TextUnmarshaler = (*toleration.TextList)(nil)
)

func TestTextListAsFlag(t *testing.T) {
	for _, c := range []struct{ given, want, err string }{
		{"", "", ""},
		{"a=1:NoSchedule,*@5,b", "old", `tolerations[1], at offset 15: toleration "*@5": effect: invalid value "": must be NoExecute when tolerationSeconds is set`},
		{"a=1:NoSchedule,*:NoExecute@5,a=1:NoSchedule", "a=1:NoSchedule,*:NoExecute@5,a=1:NoSchedule", ""},
	} {
		l := toleration.TextList(mustParseList(t, "old"))
		if err := l.UnmarshalText([]byte(c.given)); message(err) != c.err || l.String() != c.want {
			t.Errorf("%q is read as %s, %v; want %s, %s", c.given, l, err, c.want, c.err)
		}
	}
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	var tolerations toleration.TextList
	flags.TextVar(&tolerations, "tolerations", toleration.TextList(mustParseList(t, "a")), "")
	if tolerations.String() != "a" {
		t.Errorf("the default is %v", tolerations)
	}
	if err := flags.Parse([]string{"-tolerations", "b=1:NoExecute,c"}); err != nil || tolerations.String() != "b=1:NoExecute,c" {
		t.Errorf("got %v, %v", tolerations, err)
	}
	if err := flags.Parse([]string{"-tolerations", "*="}); err == nil {
		t.Errorf("got %v", tolerations)
	}
}

func TestTextListInJSON(t *testing.T) {
	config := struct {
		Tolerations toleration.TextList
		Direct      []toleration.Toleration
	}{toleration.TextList(mustParseList(t, "a=1:NoSchedule,*")), mustParseList(t, "a=1")}
	const want = `{"Tolerations":"a=1:NoSchedule,*","Direct":[{"key":"a","value":"1"}]}`
	got, err := json.Marshal(config)
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
	config.Tolerations = nil
	if err := json.Unmarshal([]byte(want), &config); err != nil || config.Tolerations.String() != "a=1:NoSchedule,*" {
		t.Errorf("read as %v, %v", config, err)
	}
	if text, err := toleration.TextList(nil).MarshalText(); text == nil || len(text) != 0 || err != nil {
		t.Errorf("no tolerations are %q, %v", text, err)
	}
}

// What UnmarshalText refuses is not written.
func TestTextListThatIsNotValid(t *testing.T) {
	for _, list := range []string{"*==", "a,a=x:Odd", "a@5"} {
		if text, err := toleration.TextList(mustParseList(t, list)).MarshalText(); err == nil {
			t.Errorf("%s is written as %s", list, text)
		}
	}
}
