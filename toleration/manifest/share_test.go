package manifest

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/tolero-dev/tolero/toleration"
)

// TestEqualListsAreOne shows that pods with equal lists share one, that lists which differ
// in anything do not, and that to append to one leaves the others alone.
func TestEqualListsAreOne(t *testing.T) {
	pod := func(name, tolerations string) string {
		return `{"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "` + name + `"}, "spec": {"nodeName": "n", "tolerations": ` + tolerations + `}}`
	}
	lists := []string{
		`[{"key": "a", "operator": "Exists"}]`, `[{"key": "a", "operator": "Exists", "effect": "NoExecute"}]`, `[{"key": "a"}]`,
		`[{"key": "a", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 0}]`, `[{"key": "a", "operator": "Exists"}, {"key": "b"}]`,
		`[{"key": "a, b", "operator": "Exists"}]`, `[{"key": "a", "value": "Exists"}]`,
	}
	var text strings.Builder
	for i := range 3 * len(lists) {
		text.WriteString(pod(fmt.Sprint(i), lists[i%len(lists)]))
	}
	var l Loader
	if err := l.Read("", strings.NewReader(text.String())); err != nil {
		t.Fatal(err)
	}
	pods := l.Cluster().Pods
	for i := range pods {
		for j := range pods {
			same := &pods[i].SpecTolerations[0] == &pods[j].SpecTolerations[0]
			if same != (i%len(lists) == j%len(lists)) {
				t.Errorf("pods %d and %d: shared: %t", i, j, same)
			}
		}
	}
	longer := append(pods[0].SpecTolerations, toleration.Toleration{Key: "new"})
	if longer[1].Key != "new" || len(pods[len(lists)].SpecTolerations) != 1 || slices.ContainsFunc(pods[4].SpecTolerations, func(t toleration.Toleration) bool { return t.Key == "new" }) {
		t.Error("an appended toleration is in other lists")
	}
}

// TestWordsAreShared shows that pods share the words that they have in common, even in
// different lists.
func TestWordsAreShared(t *testing.T) {
	var s sharer
	var shared [2][]string
	for i := range shared {
		var w []string
		for word := range strings.FieldsSeq("kind space node phase owner name key value") {
			w = append(w, strings.Clone(word))
		}
		p := Pod{
			Object: Object{Kind: w[0], Namespace: w[1]}, NodeName: w[2], Phase: w[3], Owner: Owner{Kind: w[4], Name: w[5]},
			SpecTolerations: []toleration.Toleration{{Key: w[6], Value: w[7], TolerationSeconds: new(int64(i))}},
		}
		s.pod(&p)
		own := &p.SpecTolerations[0]
		shared[i] = []string{p.Kind, p.Namespace, p.NodeName, p.Phase, p.Owner.Kind, p.Owner.Name, own.Key, own.Value}
	}
	for i, word := range shared[0] {
		if word != shared[1][i] || unsafe.StringData(word) != unsafe.StringData(shared[1][i]) {
			t.Errorf("%q is in memory twice", word)
		}
	}
}

// TestSharedListsAreCopies shows that a remembered list is a copy of the one that was read,
// and has no room to grow.
func TestSharedListsAreCopies(t *testing.T) {
	var s sharer
	read := make([]toleration.Toleration, 1, 10)
	list := s.list(read)
	read[0].Key = "next"
	if list[0].Key != "" || cap(list) != len(list) {
		t.Errorf("got %v with a capacity of %d", list, cap(list))
	}
}

// TestManyListsAndWords shows that more lists and names than a Loader remembers are
// read as they are.
func TestManyListsAndWords(t *testing.T) {
	var s sharer
	for i := range maxShared + 10 {
		name := fmt.Sprint("k", i)
		p := Pod{NodeName: name, SpecTolerations: []toleration.Toleration{{Key: name}}}
		s.pod(&p)
		if p.NodeName != name || len(p.SpecTolerations) != 1 || p.SpecTolerations[0].Key != name {
			t.Fatalf("got %+v", p)
		}
	}
	if len(s.words) > maxShared || len(s.lists) > maxShared {
		t.Errorf("%d words and %d lists", len(s.words), len(s.lists))
	}
}

// TestMemoryOfPods shows that a pod of a large dump takes little memory, however much
// text it is in the dump.
func TestMemoryOfPods(t *testing.T) {
	const n, most = 4000, 600 // bytes: a pod, its name, and room to grow
	small, large := heapAfter(t, n), heapAfter(t, 4*n)
	if each := (int64(large) - int64(small)) / (3 * n); each > most {
		t.Errorf("%d bytes for each pod, want at most %d", each, most)
	}
}

// heapAfter returns how many bytes are in use after n pods of 3 kB were read.
func heapAfter(t *testing.T, n int) uint64 {
	t.Helper()
	in, out := io.Pipe()
	go func() {
		padding := strings.Repeat("x", 2500)
		for i := range n {
			fmt.Fprintf(out, `{"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "app-%d", "namespace": "shop", "annotations": {"a": "%s"}},
				"spec": {"nodeName": "node-%d", "tolerations": [{"key": "pool", "operator": "Equal", "value": "p%d", "effect": "NoSchedule"},
				{"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300},
				{"key": "node.kubernetes.io/unreachable", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}]},
				"status": {"phase": "Running"}}`, i, padding, i%500, i%20)
		}
		out.Close()
	}()
	var l Loader
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
