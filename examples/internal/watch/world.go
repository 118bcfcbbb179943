package watch

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/cluster"
	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/status"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// world is what the cluster has, and what was told of it.
type world struct {
	p       *command.Program
	objects map[string]object // by their IDs
	lists   map[string]*list  // by their kinds
	since   time.Time         // the first event that is not told; zero if there is none
	quiet   *time.Timer       // runs out when it is time to tell
	told    map[string]map[string]string
}

// object is a node or a pod as it was last seen, in a cluster of its own, which is empty if it has
// ended.
type object struct {
	*manifest.Cluster
	kind  string
	round int // of the list
}

// list is what is known of a kind.
type list struct {
	round int  // how often kubectl has begun with all objects
	heard bool // of one of them, in this round
}

func newWorld(p *command.Program) *world {
	w := &world{p: p, objects: make(map[string]object), lists: make(map[string]*list), quiet: time.NewTimer(most), told: make(map[string]map[string]string)}
	for _, kind := range kinds {
		w.lists[kind] = new(list)
	}
	return w
}

// limit is how long events are waited for before they are told: the lists of a large cluster take
// longer than what changes.
func (w *world) limit() time.Duration {
	if len(w.told) == 0 {
		return 4 * most
	}
	return most
}

// take notes an event.
func (w *world) take(e cluster.Event) error {
	l := w.lists[e.Kind]
	if w.since.IsZero() {
		w.since = time.Now()
	}
	w.quiet.Reset(max(0, min(settle, w.limit()-time.Since(w.since))))
	if e.Type == "" {
		l.round, l.heard = l.round+1, false
		if e.Err != nil {
			w.p.Complain(fmt.Errorf("kubectl get %s: %w; it runs again", e.Kind, e.Err))
		}
		return nil
	}
	l.heard = true
	loader := manifest.Loader{Rules: w.p.Rules, Placement: true, Controllers: true, State: true}
	if err := loader.Read("kubectl get "+e.Kind, bytes.NewReader(e.Object)); err != nil {
		return err
	}
	o, id := object{loader.Cluster(), e.Kind, l.round}, ""
	for i := range o.Nodes {
		id = o.Nodes[i].ID()
	}
	for _, pod := range loader.Workloads() { // also one that has ended
		id = pod.ID()
	}
	if w.objects[id] = o; e.Type == "DELETED" {
		delete(w.objects, id)
	}
	return nil
}

// cluster returns the objects that there are.
func (w *world) cluster(now time.Time) *manifest.Cluster {
	c := &manifest.Cluster{Latest: now}
	for _, id := range slices.Sorted(maps.Keys(w.objects)) {
		o := w.objects[id]
		if l := w.lists[o.kind]; l.heard && o.round < l.round { // it went while kubectl did not watch
			delete(w.objects, id)
			continue
		}
		c.Nodes, c.Pods = append(c.Nodes, o.Nodes...), append(c.Pods, o.Pods...)
	}
	return c
}

// tell writes what has changed since it was called last, unless lists are still to come.
func (w *world) tell() error {
	for _, l := range w.lists {
		if !l.heard && time.Since(w.since) < w.limit() {
			w.quiet.Reset(settle)
			return nil
		}
	}
	w.since = time.Time{}
	now := w.p.Now()
	c := w.cluster(now)
	r := status.New(c, w.p.Rules, "")
	out := &command.Writer{Out: &w.p.Out, Width: w.p.Width}
	if len(w.told) == 0 {
		out.Line(0, fmt.Sprintf("%s %s and %s", stamp(now), command.Plural(len(c.Nodes), "node"), command.Plural(len(c.Pods), "pod")))
	}
	var pending, evicted, tainted []fact
	for i := range r.Pending {
		for _, pod := range r.Pending[i].Pods {
			pending = append(pending, fact{pod, r.Pending[i].Kind, r.Pending[i].Text})
		}
	}
	for i := range r.Evictions {
		e := &r.Evictions[i]
		left := time.Duration(e.Seconds * float64(time.Second)).Round(time.Second)
		when := command.When(left, e.Counted)
		if e.Counted && left != 0 {
			when = "at " + stamp(now.Add(left)) // which stays the same
		}
		text := fmt.Sprintf("from %s %s: %s", e.Node, when, e.Taint)
		evicted = append(evicted, fact{e.Pod, text, text})
	}
	for i := range c.Nodes {
		if taints := c.Nodes[i].Taints(); len(taints) > 0 {
			text := taint.FormatList(taints)
			tainted = append(tainted, fact{c.Nodes[i].ID(), text, text})
		}
	}
	w.news(out, now, "tainted", tainted)
	w.news(out, now, "pending", pending)
	w.news(out, now, "to be evicted", evicted)
	_, err := w.p.Out.WriteTo(w.p.Stdout)
	return err
}

func stamp(t time.Time) string { return t.Format(time.TimeOnly) }

// fact is what is so of a pod or a node. It is news if the kind is another one; numbers in the text
// change all the time.
type fact struct{ about, kind, text string }

// news writes the facts that are new, those with the same text in one line, and of which pods and
// nodes nothing is so any more.
func (w *world) news(out *command.Writer, now time.Time, heading string, facts []fact) {
	line := func(heading string, about []string, text string) {
		if len(about) > 0 {
			out.Line(0, stamp(now)+" "+heading+": "+command.Some(about)+text)
		}
	}
	told, are := w.told[heading], make(map[string]string, len(facts))
	fresh := make(map[string][]string)
	var texts []string
	for _, f := range facts {
		if are[f.about] = f.kind; told[f.about] != f.kind {
			if fresh[f.text] == nil {
				texts = append(texts, f.text)
			}
			fresh[f.text] = append(fresh[f.text], f.about)
		}
	}
	for _, text := range texts {
		line(heading, fresh[text], ": "+text)
	}
	var over, gone []string
	for _, about := range slices.Sorted(maps.Keys(told)) {
		if _, still := are[about]; still {
		} else if _, there := w.objects[about]; there {
			over = append(over, about)
		} else {
			gone = append(gone, about)
		}
	}
	line("no longer "+heading, over, "")
	line("gone, and was "+heading, gone, "")
	w.told[heading] = are
}
