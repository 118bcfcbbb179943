package placement

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tolero-dev/tolero/toleration/manifest"
)

// Room is what nodes have free: what is allocatable, less what the pods on them request.
type Room struct {
	free []manifest.ResourceList // by place of the node; nil if that is not known
}

// NewRoom returns what the nodes of a cluster have free.
func NewRoom(c *manifest.Cluster) *Room {
	r := &Room{make([]manifest.ResourceList, len(c.Nodes))}
	at := make(map[string]int, len(c.Nodes))
	for i := range c.Nodes {
		at[c.Nodes[i].Name] = i
		if s := c.Nodes[i].State; s != nil && len(s.Allocatable) > 0 {
			r.free[i] = maps.Clone(s.Allocatable)
		}
	}
	for i := range c.Pods {
		p := &c.Pods[i]
		if node, found := at[p.NodeName]; found && r.free[node] != nil && p.State != nil {
			for name, n := range p.State.Requests {
				r.free[node][name] -= n
			}
			r.free[node]["pods"]--
		}
	}
	return r
}

// Shortage is what nodes lack of one resource.
type Shortage struct {
	Resource string `json:"resource"`
	Nodes    int    `json:"nodes"` // that lack it
	Most     string `json:"most"`  // that any of them has free
	On       string `json:"on"`    // the node that has most
	most     int64
}

// Fit returns how many of the nodes have room for the requests, how many there are of which
// that is known, and what the others lack, most of them first.
func (r *Room) Fit(f *Fleet, groups []Group, requests manifest.ResourceList) (fit, known int, short []Shortage) {
	wanted := maps.Clone(requests)
	if wanted == nil {
		wanted = make(manifest.ResourceList)
	}
	wanted["pods"] = 1
	names := slices.Sorted(maps.Keys(wanted))
	short = make([]Shortage, len(names))
	for _, g := range groups {
		for _, node := range slices.Concat(g.Kinds...) {
			free := r.free[node]
			if free == nil {
				continue
			}
			known++
			fits := true
			for i, name := range names {
				if s := &short[i]; free[name] < wanted[name] {
					fits = false
					if s.Nodes++; s.Nodes == 1 || free[name] > s.most {
						s.most, s.On = free[name], f.Nodes[node].Name
					}
				}
			}
			if fits {
				fit++
			}
		}
	}
	for i := range short {
		short[i].Resource, short[i].Most = names[i], Amount(names[i], max(0, short[i].most))
	}
	short = slices.DeleteFunc(short, func(s Shortage) bool { return s.Nodes == 0 })
	slices.SortStableFunc(short, func(a, b Shortage) int { return b.Nodes - a.Nodes })
	return fit, known, short
}

// Holds reports whether one of the nodes would have room for the requests if it were empty, or
// may have, because the input does not tell what it has.
func (r *Room) Holds(f *Fleet, groups []Group, requests manifest.ResourceList) bool {
	for _, g := range groups {
		for _, node := range slices.Concat(g.Kinds...) {
			if r.free[node] == nil {
				return true
			}
			large := true
			for name, n := range requests {
				large = large && f.Nodes[node].State.Allocatable[name] >= n
			}
			if large {
				return true
			}
		}
	}
	return false
}

// Amount returns an amount of a resource as people write it: "1500m" of cpu, "8Gi" of memory.
func Amount(resource string, n int64) string {
	if resource == "cpu" {
		if n%1000 == 0 {
			return strconv.FormatInt(n/1000, 10)
		}
		return strconv.FormatInt(n, 10) + "m"
	}
	if resource == "memory" || resource == "ephemeral-storage" || strings.HasPrefix(resource, "hugepages-") {
		for _, unit := range []struct {
			name string
			size int64
		}{{"Gi", 1 << 30}, {"Mi", 1 << 20}, {"Ki", 1 << 10}} {
			if n >= unit.size {
				return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/float64(unit.size)), ".0") + unit.name
			}
		}
	}
	return strconv.FormatInt(n, 10)
}

// Amounts returns requests as people write them, by name: those of pods that request from the
// least to the most.
func Amounts(least, most manifest.ResourceList) string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(least)) {
		text := Amount(name, least[name])
		if most[name] != least[name] {
			text += " to " + Amount(name, most[name])
		}
		words = append(words, text+" "+name)
	}
	return strings.Join(words, ", ")
}
