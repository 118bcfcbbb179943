package manifest

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// ptr returns a pointer to a copy of v.
func ptr[T any](v T) *T { return &v }

// TestPodsOwnTheirLists shows that to change the tolerations of one pod in place, or with
// append(list[:0], ...), leaves a pod with an equal list alone.
func TestPodsOwnTheirLists(t *testing.T) {
	const pod = `{"kind": "Pod", "spec": {"tolerations": [{"key": "a", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 5}, {"key": "b"}]}}`
	pods := read(t, pod+pod).Pods
	list := pods[0].SpecTolerations
	*list[0].TolerationSeconds = 0
	_ = append(list[:0], toleration.Toleration{Key: "new"})
	if got := toleration.FormatList(pods[1].SpecTolerations); got != "a:NoExecute@5,b=" {
		t.Errorf("the other pod has %s", got)
	}
}

// TestWordsAreShared shows that pods share the words that they have in common, even in
// different lists.
func TestWordsAreShared(t *testing.T) {
	var s sharer
	var shared [2][]string
	for i := range shared {
		var w []string
		for word := range strings.FieldsSeq("kind space node phase owner name key value operator effect") {
			w = append(w, strings.Clone(word))
		}
		p := Pod{
			Object: Object{Kind: w[0], Namespace: w[1]}, NodeName: w[2], Phase: w[3], Owner: Owner{Kind: w[4], Name: w[5]},
			SpecTolerations: []toleration.Toleration{{Key: w[6], Value: w[7], Operator: toleration.Operator(w[8]), Effect: taint.Effect(w[9]), TolerationSeconds: ptr(int64(i))}},
		}
		s.pod(&p)
		own := &p.SpecTolerations[0]
		shared[i] = []string{p.Kind, p.Namespace, p.NodeName, p.Phase, p.Owner.Kind, p.Owner.Name, own.Key, own.Value, string(own.Operator), string(own.Effect)}
	}
	for i, word := range shared[0] {
		if word != shared[1][i] || unsafe.StringData(word) != unsafe.StringData(shared[1][i]) {
			t.Errorf("%q is in memory twice", word)
		}
	}
}

// TestManyWords shows that more names than a Loader remembers are read as they are.
func TestManyWords(t *testing.T) {
	var s sharer
	for i := range maxShared + 10 {
		name := fmt.Sprint("k", i)
		p := Pod{NodeName: name, SpecTolerations: []toleration.Toleration{{Key: name}}}
		s.pod(&p)
		if p.NodeName != name || len(p.SpecTolerations) != 1 || p.SpecTolerations[0].Key != name {
			t.Fatalf("got %+v", p)
		}
	}
	if len(s.words) > maxShared {
		t.Errorf("%d words", len(s.words))
	}
}

// TestMemoryOfPods shows that a pod of a large dump takes little memory, however much
// text it is in the dump.
func TestMemoryOfPods(t *testing.T) {
	const n = 4000
	for state, most := range map[bool]int64{
		false: 800,  // bytes: a pod, its name, 240 for its tolerations, and room to grow
		true:  1200, // and its State, in which nothing is its own
	} {
		small, large := heapAfter(t, n, state), heapAfter(t, 4*n, state)
		if each := (int64(large) - int64(small)) / (3 * n); each > most {
			t.Errorf("state %t: %d bytes for each pod, want at most %d", state, each, most)
		}
	}
}

// heapAfter returns how many bytes are in use after n pods of 3 kB were read.
func heapAfter(t *testing.T, n int, state bool) uint64 {
	t.Helper()
	in, out := io.Pipe()
	go func() {
		padding := strings.Repeat("x", 2500)
		for i := range n {
			fmt.Fprintf(out, `{"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "app-%d", "namespace": "shop", "annotations": {"a": "%s"}, "labels": {"app": "cart", "pod-template-hash": "5d4c"}},
				"spec": {"nodeName": "node-%d", "containers": [{"resources": {"requests": {"cpu": "100m", "memory": "64Mi"}, "limits": {"memory": "128Mi"}}}], "tolerations": [{"key": "pool", "operator": "Equal", "value": "p%d", "effect": "NoSchedule"},
				{"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300},
				{"key": "node.kubernetes.io/unreachable", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}]},
				"status": {"phase": "Running", "conditions": [{"type": "PodScheduled", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}`, i, padding, i%500, i%20)
		}
		out.Close()
	}()
	l := Loader{State: state}
	if err := l.Read("", in); err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	if len(l.pods) != n {
		t.Fatalf("%d pods", len(l.pods))
	}
	return stats.HeapAlloc
}
