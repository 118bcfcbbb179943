package compile_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// The program of a list: what is left of it for a vocabulary.
func TestProgram(t *testing.T) {
	var v compile.Vocabulary
	taints, err := taint.ParseList("gpu=1:NoSchedule,dedicated=ml:NoExecute,dedicated=web:NoSchedule,n=7:NoSchedule,n=9:PreferNoSchedule,word=x:NoSchedule")
	if err != nil {
		t.Fatal(err)
	}
	v.Append(nil, taints)
	for _, c := range []struct{ list, want string }{
		{"", ``},
		{"a,b=1,gpu=2,dedicated=ops,word>5,n?In 7,n>07", ``}, // what matches nothing that nodes have
		{"*,gpu:NoSchedule,dedicated=ml,n>5,*=x", `
			*	any value	NoSchedule|PreferNoSchedule|NoExecute|other`},
		{"gpu:NoSchedule,gpu:NoExecute,dedicated=ml:NoSchedule,dedicated=web,dedicated==ml:NoExecute", `
			dedicated	= "ml"	NoSchedule|NoExecute
			dedicated	= "web"	NoSchedule|PreferNoSchedule|NoExecute
			gpu	any value	NoSchedule|NoExecute`},
		// Of many bounds the widest is left.
		{"n>5:NoSchedule,n>3:NoSchedule,n<1:NoSchedule,n<-7:NoExecute,n>9:NoExecute,n<-8:NoExecute", `
			n	< -7	NoExecute
			n	< 1	NoSchedule
			n	> 3	NoSchedule
			n	> 9	NoExecute`},
		{"gpu:NoSchedule@60", `
			gpu	any value	NoSchedule`}, // seconds that count for nothing
		{"*=x:NoSchedule,*>5:NoExecute", `
			*	= "x"	NoSchedule
			*	> 5	NoExecute`},
		// The first toleration for a NoExecute taint counts; what comes too late does not.
		{"gpu:NoExecute@60,gpu=1:NoExecute@30,*@300,word@200", `
			*	any value	NoSchedule|PreferNoSchedule|NoExecute|other
			gpu	any value	NoExecute
			in order	gpu:NoExecute@60
			in order	*@300`},
	} {
		list, err := toleration.ParseListLenient(c.list)
		if err != nil {
			t.Fatal(err)
		}
		var m compile.Matcher
		m.Compile(&v, list)
		want := "6 taints" + strings.ReplaceAll(c.want, "\n\t\t\t", "\n\t") + "\n"
		if diff := cmp.Diff(want, m.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.list, diff)
		}
	}
	var zero compile.Matcher
	if got := zero.String(); got != "0 taints\n" {
		t.Errorf("the zero Matcher is %q", got)
	}
}
