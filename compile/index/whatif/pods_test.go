package whatif_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/whatif"
)

// Whatever pods come, move and go, a plan finds those that there are.
func TestPodsComeAndGo(t *testing.T) { rapid.Check(t, checkPodsComeAndGo) }

// inClasses returns how many pods are in the classes.
func inClasses(pods *whatif.Pods) int {
	_, n := pods.Classes()
	return n
}

func checkPodsComeAndGo(t *rapid.T) {
	w := drawWorld(t)
	_, pods := w.build()
	byName := map[string]whatif.Pod{}
	for _, p := range w.pods {
		byName[p.Name] = p
	}
	on := append([]string{"", "nowhere"}, w.names...)
	for range rapid.IntRange(0, 30).Draw(t, "changes") {
		name := fmt.Sprint("pod-", rapid.IntRange(0, 25).Draw(t, "pod"))
		if _, known := byName[name]; rapid.Bool().Draw(t, "delete") {
			if pods.Delete(name) != known {
				t.Fatalf("%s: known %t", name, known)
			}
			delete(byName, name)
			continue
		}
		byName[name] = whatif.Pod{Name: name, Node: rapid.SampledFrom(on).Draw(t, "on"), Owner: drawOwner.Draw(t, "owner"), Tolerations: drawTolerations(t)}
		pods.Set(byName[name])
	}
	w.pods = nil
	for i := range 26 {
		if p, known := byName[fmt.Sprint("pod-", i)]; known {
			w.pods = append(w.pods, p)
		}
	}
	if pods.Len() != len(w.pods) || inClasses(pods) != len(w.pods) {
		t.Fatalf("%d pods, %d in classes, want %d", pods.Len(), inClasses(pods), len(w.pods))
	}
	fleet, _ := w.build()
	w.times = nil
	plan := drawPlan(t, w)
	a := w.apply(plan)
	r, err := whatif.Evaluate(fleet, pods, plan, whatif.Options{})
	if (err != nil) != (a == nil) {
		t.Fatal(err)
	}
	if err == nil {
		answerOf(r).compare(t, a.answer(w, 0, epoch))
	}
	for name := range byName {
		pods.Delete(name)
	}
	if nodes, owners := pods.Groups(); pods.Len()+inClasses(pods)+nodes+owners != 0 {
		t.Fatalf("%d nodes and %d owners are left when all pods are gone", nodes, owners)
	}
}

// A node whose name is empty is not the one of the pods that wait.
func TestNodeWithoutName(t *testing.T) {
	var ix index.Index
	ix.Set("", nil)
	var pods whatif.Pods
	pods.Set(whatif.Pod{Name: "waits", Owner: "web"})
	plan, _ := whatif.Parse("taint nodes --all x:NoExecute\ntolerations y web")
	r, err := whatif.Evaluate(ix.Snapshot(), &pods, plan, whatif.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := r.Summary(), (whatif.Summary{Nodes: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
