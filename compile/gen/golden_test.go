package gen_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tolero-dev/tolero/compile/gen"
	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/toleration"
)

var update = flag.Bool("update", false, "write the golden files")

// goldens are the telling cases. What they look like is for people to judge;
// that their answers are right is for the tests that run them.
var goldens = []struct {
	file string
	o    gen.Options
	text string
}{
	// A real list: keys that share a test share a case.
	{"daemonset", gen.Options{Package: "agents", Exported: true, Command: "go generate ./agents"},
		"node.kubernetes.io/not-ready:NoExecute,node.kubernetes.io/unreachable:NoExecute,node.kubernetes.io/disk-pressure:NoSchedule," +
			"node.kubernetes.io/memory-pressure:NoSchedule,node.kubernetes.io/pid-pressure:NoSchedule,node.kubernetes.io/unschedulable:NoSchedule"},
	// The same without imports.
	{"standalone", gen.Options{Package: "agents", Functions: true, Standalone: true},
		"node.kubernetes.io/not-ready:NoExecute@300,node.kubernetes.io/unreachable:NoExecute@300,dedicated=gpu"},
	// The order of the list decides the times (rule E2); what comes too late is dropped there only.
	{"order", gen.Options{Package: "agents", Functions: true}, "a=1:NoExecute@30,a:NoExecute@60,b:NoExecute@9223372037,d=x:NoExecute@5,a=x:NoExecute@6,b:NoSchedule,*:NoExecute@0,c:NoExecute@7"},
	// Bounds, values that they cover, and the function that reads integers.
	{"numbers", gen.Options{Package: "agents", Standalone: true, Rules: comparing}, "n>5,n>3:NoSchedule,n<-3:NoExecute@60,n=7,n=4,m<9223372036854775807:NoSchedule"},
	// A whole effect for every key, many values, and two effects.
	{"values", gen.Options{Package: "agents"}, "*:PreferNoSchedule,v=1,v=2,v=3,v=4,v=6,w=1:NoSchedule,w=1:NoExecute"},
	// Keys in pieces of 16 bytes up to 64, one after the other up to four of a length, with the same test and with others.
	{"keys", gen.Options{Package: "agents"}, keysOfLengths("", 1, 1, 1, 1, 1, 17, 17, 17, 17, 64, 65)},
	{"tests", gen.Options{Package: "agents", Standalone: true}, keysOfLengths("=x", 16, 17, 17) + "," + keysOfLengths(":NoExecute", 2, 2, 2, 2, 2, 3, 3, 3, 3)},
	{"key", gen.Options{Package: "agents"}, "dedicated=gpu:NoSchedule"},
	// Answers that do not depend on the node, or not on the whole of a taint, are constant.
	{"everything", gen.Options{Package: "agents", Functions: true}, "a=1:NoSchedule,*"},
	{"most", gen.Options{Package: "agents", Standalone: true}, "*:NoSchedule,*:NoExecute"},
	{"nothing", gen.Options{Package: "agents", Functions: true, Standalone: true}, ""},
}

// keysOfLengths returns tolerations of different keys with the given lengths.
func keysOfLengths(rest string, lengths ...int) string {
	var list []string
	for i, length := range lengths {
		list = append(list, keyOfLength(length, rune('a'+i))+rest)
	}
	return strings.Join(list, ",")
}

func TestGolden(t *testing.T) {
	for _, golden := range goldens {
		list, err := notation.Tolerations(golden.text)
		if err != nil {
			t.Fatal(err)
		}
		lists := []gen.List{{Name: "DaemonSet/node-agent", Source: "DaemonSet kube-system/node-agent", Tolerations: gen.Repaired(list)}}
		for suffix, generate := range map[string]func([]gen.List, gen.Options) ([]byte, error){".go": gen.Generate, "_test.go": gen.GenerateTest} {
			if suffix == "_test.go" && golden.file != "daemonset" && golden.file != "standalone" {
				continue // nothing new in them
			}
			got, err := generate(lists, golden.o)
			if err != nil {
				t.Fatal(err)
			}
			compareFile(t, filepath.Join("testdata", golden.file+suffix+".golden"), got)
		}
	}
}

// compareFile compares text with a file, or writes it there with -update.
func compareFile(t *testing.T, file string, text []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, text) {
		t.Errorf("%s (-want +got):\n%s", file, cmp.Diff(string(want), string(text)))
	}
}

// Every part of the input is in the digest, and nothing but the input.
func TestDigestTellsInputsApart(t *testing.T) {
	list := func(text string) []toleration.Toleration {
		tolerations, err := notation.Tolerations(text)
		if err != nil {
			t.Fatal(err)
		}
		return gen.Repaired(tolerations)
	}
	seen := make(map[string]int)
	for i, input := range []struct {
		o     gen.Options
		lists []gen.List
	}{
		{gen.Options{Package: "p"}, []gen.List{{Name: "a", Tolerations: list("*,a@5")}}},
		{gen.Options{Package: "q"}, []gen.List{{Name: "a", Tolerations: list("*,a@5")}}},
		{gen.Options{Package: "p", Exported: true}, []gen.List{{Name: "a", Tolerations: list("*,a@5")}}},
		{gen.Options{Package: "p", Functions: true}, []gen.List{{Name: "a", Tolerations: list("*,a@5")}}},
		{gen.Options{Package: "p", Standalone: true}, []gen.List{{Name: "a", Tolerations: list("*,a@5")}}},
		{gen.Options{Package: "p"}, []gen.List{{Name: "b", Tolerations: list("*,a@5")}}},
		{gen.Options{Package: "p"}, []gen.List{{Name: "a", Source: "s", Tolerations: list("*,a@5")}}},
		{gen.Options{Package: "p"}, []gen.List{{Name: "a", Tolerations: list("*,a@6")}}},
		{gen.Options{Package: "p"}, []gen.List{{Name: "a", Tolerations: list("*,a")}}},
		{gen.Options{Package: "p"}, []gen.List{{Name: "a", Tolerations: list("a@5,*")}}},
		{gen.Options{Package: "p"}, []gen.List{{Name: "a", Tolerations: list("*,x@5")}}},
		{gen.Options{Package: "p"}, []gen.List{{Name: "a", Tolerations: list("*,y@5")}}},
		{gen.Options{Package: "p"}, []gen.List{{Name: "a", Tolerations: list("*")}, {Name: "b", Tolerations: list("a@5")}}},
	} {
		source, err := gen.Generate(input.lists, input.o)
		if err != nil {
			t.Fatal(err)
		}
		digest := string(bytes.Split(source, []byte("\n"))[2])
		if other, found := seen[digest]; found {
			t.Errorf("inputs %d and %d have the same digest", other, i)
		}
		seen[digest] = i
		input.o.Command = "another"
		again, err := gen.Generate(input.lists, input.o)
		if err != nil || string(bytes.Split(again, []byte("\n"))[2]) != digest {
			t.Errorf("input %d: another command, another digest (%v)", i, err)
		}
	}
}
