package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/devices"
	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/match/device/evict"
	"github.com/tolero-dev/tolero/taint"
)

func (c *cluster) report(w io.Writer) {
	c.reportDevices(w)
	c.reportEvictions(w)
	for i := range c.Rules {
		if r := &c.Rules[i]; r.Spec.Taint.Effect == device.None {
			c.reportPreview(w, r)
		}
	}
}

// reportDevices tells which devices are kept from a request without tolerations.
func (c *cluster) reportDevices(w io.Writer) {
	s := c.fleet.Snapshot()
	var fit index.Fit
	devices.Fit(s, &fit, nil)
	fmt.Fprintf(w, "%d devices, %d free of taints that keep requests away\n", s.Len(), fit.Len())
	names := make(map[string]struct{})
	for _, slice := range c.Slices {
		for _, d := range slice.Spec.Devices {
			names[devices.Name(slice.Spec.ID(d.Name))] = struct{}{}
		}
	}
	for _, name := range sortedKeys(names) {
		id, known := s.ID(name)
		if !known || fit.Has(id) {
			continue
		}
		x, _ := fit.FirstUntolerated(s.Class(id), taint.Hard)
		fmt.Fprintf(w, "  %s  %v\n", name, x)
	}
}

func sortedKeys(names map[string]struct{}) (keys []string) {
	for name := range names {
		keys = append(keys, name)
	}
	slices.Sort(keys)
	return keys
}

// reportEvictions tells which pods are evicted, in the order of their moments.
func (c *cluster) reportEvictions(w io.Writer) {
	decisions := slices.DeleteFunc(slices.Clone(c.due), func(d evict.Decision[string]) bool { return d.Kind != evict.Evict })
	for d := range c.queue.Scheduled() {
		decisions = append(decisions, d)
	}
	fmt.Fprintf(w, "%d pods to be evicted\n", len(decisions))
	c.print(w, decisions)
}

// reportPreview tells what a rule would do if it were switched to NoExecute now.
func (c *cluster) reportPreview(w io.Writer, r *rule) {
	decisions, impact := c.queue.Preview(nil, r.Metadata.Name, &r.Spec, c.now)
	fmt.Fprintf(w, "rule %s with NoExecute: %d published and %d allocated devices, %d pods\n",
		r.Metadata.Name, impact.Published, impact.Allocated, impact.Pods)
	c.print(w, decisions)
}

func (c *cluster) print(w io.Writer, decisions []evict.Decision[string]) {
	name := c.podNames()
	slices.SortFunc(decisions, func(a, b evict.Decision[string]) int {
		return cmp.Or(a.Due.Compare(b.Due), cmp.Compare(name[a.Pod], name[b.Pod]))
	})
	for _, d := range decisions {
		when := "now"
		if after := d.Due.Sub(c.now); after > 0 {
			when = "after " + after.Round(time.Second).String()
		}
		fmt.Fprintf(w, "  %-12s %s  %v\n", when, name[d.Pod], d.Causes)
	}
}

// podNames returns the names of pods by their UIDs.
func (c *cluster) podNames() map[string]string {
	names := make(map[string]string, len(c.Pods))
	for i := range c.Pods {
		names[c.Pods[i].Metadata.UID] = c.Pods[i].Metadata.key()
	}
	return names
}
