package manifest

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// everything has each field that is read, in every kind of object.
const everything = `{"kind":"List","apiVersion":"v1","items":[
{"apiVersion":"v1","kind":"Node","metadata":{"name":"n"},"spec":{"unschedulable":true,"taints":[{"key":"a","value":"b","effect":"NoExecute","timeAdded":"2026-03-02T10:00:00Z","x":{"y":[1]}}]}},
{"kind":"Pod","metadata":{"name":"p","namespace":"d","uid":"1","labels":{},"ownerReferences":[{"kind":"Job","name":"j","uid":"2","controller":true,"x":1}]},
 "spec":{"nodeName":"n","tolerations":[{"key":"a","operator":"Equal","value":"b","effect":"NoExecute","tolerationSeconds":5},7,null,{"key":{"a":[{}]}}]},"status":{"phase":"Running","x":[]}},
{"kind":"CronJob","spec":{"jobTemplate":{"spec":{"parallelism":3,"template":{"spec":{}},"jobTemplate":{}}}}},
{"kind":"Deployment","spec":{"replicas":2,"template":{"metadata":{},"spec":{"nodeName":["x"]}}}},
{"kind":"PodTemplate","template":{"spec":{}}},
{"kind":"List","items":null}]}`

// A text that is cut off anywhere is an error, never a smaller cluster without one.
func TestCutAnywhere(t *testing.T) {
	var whole Loader
	if err := whole.Read("f", strings.NewReader(everything)); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{everything, `[{"key":"a","operator":"Exists","tolerationSeconds":7,"x":[{}]},{"key":1}]`} {
		for i := 1; i < len(text); i++ {
			l := Loader{Bare: true}
			if err := l.Read("f", strings.NewReader(text[:i])); err == nil || !strings.HasPrefix(err.Error(), "f: document 1, line ") {
				t.Errorf("%q: error %v", text[:i], err)
			}
		}
	}
}

// A character that JSON has nowhere is an error anywhere except within a string.
func TestSpoiledAnywhere(t *testing.T) {
	inString := false
	for i := 1; i < len(everything); i++ {
		if everything[i-1] == '"' {
			inString = !inString
		}
		if inString {
			continue
		}
		var l Loader
		if err := l.Read("f", strings.NewReader(everything[:i]+"\x01"+everything[i:])); err == nil {
			t.Errorf("no error after %q", everything[max(0, i-20):i])
		}
	}
}

// An error of the reader in the middle of YAML is passed on.
func TestReaderBreaksInYAML(t *testing.T) {
	broken := errors.New("broken")
	text := strings.Repeat(nodeYAML+"---\n", 2000)
	for _, n := range []int{100_000, 110_001, len(text)} {
		var l Loader
		err := l.Read("f", io.MultiReader(strings.NewReader(text[:n]), &failing{strings.NewReader(""), broken}))
		if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "f: ") {
			t.Errorf("after %d bytes: %v", n, err)
		}
	}
}

// Errors keep their causes, in JSON and in YAML.
func TestCauses(t *testing.T) {
	for _, text := range []string{"{}", "replicas: 3\n", "kind: Node\n---\n7\n"} {
		var l Loader
		if err := l.Read("f", strings.NewReader(text)); !errors.Is(err, errNotObject) {
			t.Errorf("%q: %v", text, err)
		}
	}
	var l Loader
	if err := l.Read("f", strings.NewReader(`{"kind":"Pod","spec":{"tolerations":[{"key":1}]}}`)); err != nil {
		t.Fatal(err)
	}
	fault := &l.Cluster().Faults[0]
	if !errors.Is(fault, fault.Err) {
		t.Error("a fault hides its cause")
	}
}

// The end of a document that has not begun is no document.
func TestEndWithoutBeginning(t *testing.T) {
	c := read(t, "# comment\n...\n...\n"+podYAML+"...\n...\n")
	if got := summary(c); len(got) != 1 || got[0] != "1 Pod d/p: [a] on n" {
		t.Errorf("got %q", got)
	}
}

// A new Loader has read nothing, and neither has one whose sources were all wrong.
func TestNothingRead(t *testing.T) {
	var l Loader
	for range 2 {
		if c := l.Cluster(); len(c.Nodes)+len(c.Pods)+len(c.Faults)+len(c.Others)+c.Absent+c.Finished != 0 || len(l.Workloads()) != 0 {
			t.Errorf("got %+v, %v", c, l.Workloads())
		}
		if err := l.Read("", strings.NewReader("")); !errors.Is(err, ErrEmpty) {
			t.Error(err)
		}
	}
}

// A Loader goes on after an error with what it has.
func TestReadAfterError(t *testing.T) {
	var l Loader
	if err := l.Read("a", strings.NewReader(nodeJSON+"{")); err == nil {
		t.Error("no error")
	}
	if err := l.Read("b", strings.NewReader(podYAML)); err != nil {
		t.Error(err)
	}
	if c := l.Cluster(); len(c.Nodes) != 1 || len(c.Pods) != 1 {
		t.Errorf("got %+v", c)
	}
}
