package compile_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/toleration"
)

// The program of a list: which tests are left, and which engine was chosen.
func TestProgram(t *testing.T) {
	for _, c := range []struct{ list, want string }{
		{"", `nothing`},
		{"a?In x,b>y,c<05", `nothing`}, // what matches nothing is dropped
		{"*,a=1:NoExecute,b:Other", `everything
			*	any value	NoSchedule|PreferNoSchedule|NoExecute|other`},
		{"a", `scan
			a	any value	NoSchedule|PreferNoSchedule|NoExecute|other`},
		{"gpu:NoSchedule,gpu:NoExecute,dedicated=ml:NoSchedule,dedicated=web,dedicated==ml:NoExecute", `scan
			gpu	any value	NoSchedule|NoExecute
			dedicated	= "ml"	NoSchedule|NoExecute
			dedicated	= "web"	NoSchedule|PreferNoSchedule|NoExecute|other`},
		// What any key or any value covers is left out.
		{"a:NoSchedule,*:NoSchedule,a=1,a:NoExecute,b=2:NoSchedule", `scan
			*	any value	NoSchedule
			a	any value	NoExecute
			a	= "1"	PreferNoSchedule|other`},
		// Of many bounds the widest is left.
		{"n>5:NoSchedule,n>3:NoSchedule,n<1,n<-7:NoExecute,n>9:NoExecute", `scan
			n	> 3	NoSchedule
			n	< 1	NoSchedule
			n	< 1	PreferNoSchedule
			n	> 9	NoExecute
			n	< 1	NoExecute
			n	< 1	other`},
		{"*=x:NoSchedule,*>5:NoExecute", `scan
			*	= "x"	NoSchedule
			*	> 5	NoExecute`},
		{"a:Other,b=1:Another,c", `scan
			c	any value	NoSchedule|PreferNoSchedule|NoExecute|other
			odd	a:Other
			odd	b=1:Another`},
		// The first toleration for a NoExecute taint counts; what comes too late does not.
		{"a:NoExecute@60,a=1:NoExecute@30,b:NoSchedule,*@300,c@200", `everything
			*	any value	NoSchedule|PreferNoSchedule|NoExecute|other
			evicting	a:NoExecute@60
			evicting	*@300`},
		{"a:NoExecute@60,a:NoExecute@300", `scan
			a	any value	NoExecute
			evicting	a:NoExecute@60
			evicting	a:NoExecute@300`}, // the most lenient policy wants it
		{"a:NoExecute,b:NoExecute", `scan
			a	any value	NoExecute
			b	any value	NoExecute`}, // no seconds: no order to keep
		{"a:NoSchedule,b:NoSchedule,c:NoSchedule,d:NoSchedule,e:NoSchedule", `probe hash
			a	any value	NoSchedule
			b	any value	NoSchedule
			c	any value	NoSchedule
			d	any value	NoSchedule
			e	any value	NoSchedule`},
		{"a/x000x:NoSchedule,b/x000x:NoSchedule,c/x000x:NoSchedule,d/x000x:NoSchedule,e/x000x:NoSchedule", `strong hash
			a/x000x	any value	NoSchedule
			b/x000x	any value	NoSchedule
			c/x000x	any value	NoSchedule
			d/x000x	any value	NoSchedule
			e/x000x	any value	NoSchedule`},
	} {
		list, err := toleration.ParseListLenient(c.list)
		if err != nil {
			t.Fatal(err)
		}
		want := strings.ReplaceAll(c.want, "\n\t\t\t", "\n\t") + "\n"
		if diff := cmp.Diff(want, compile.New(list).String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.list, diff)
		}
	}
}
