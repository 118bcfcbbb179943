package lint

import (
	"strings"

	"github.com/tolero-dev/tolero/match/lint"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// report is the answer.
type report struct {
	fleet       *lint.Fleet
	title       string
	nodes       int
	pods        int64             // a few workloads may have more than an int of 32 bits counts
	lint.Report                   // without findings below the severity that is asked for
	all         map[lint.ID]int   // counts whatever the severity
	objects     []manifest.Object // that findings are about, or nothing
	places      []string          // of the findings: the file and the object in it, or nothing
	fields      []string          // the paths in the objects
}

func newReport(c *cluster, all lint.Report, o *options) *report {
	r := &report{fleet: &c.Fleet, title: c.title, nodes: len(c.Nodes), Report: all, all: all.Counts}
	for i := range c.Pods {
		r.pods += int64(max(1, c.Pods[i].Count)) // those that are built in have none
	}
	r.Findings, r.Counts = []lint.Finding{}, make(map[lint.ID]int)
	for id, n := range all.Counts {
		if id.Severity() >= o.severity {
			r.Counts[id] = n
		}
	}
	for _, f := range all.Findings {
		if f.Severity >= o.severity {
			r.Findings = append(r.Findings, f)
		}
	}
	r.locate(c)
	return r
}

// count returns how many of the findings are of the severity and above.
func count(counts map[lint.ID]int, least lint.Severity) (n int) {
	for id, count := range counts {
		if id.Severity() >= least {
			n += count
		}
	}
	return n
}

// locate finds the object that each finding is about, and the field in it.
func (r *report) locate(c *cluster) {
	first := make(map[string]int) // by name, of nodes and pods that findings name
	for _, f := range r.Findings {
		first[f.Object] = -1
	}
	for i := range c.nodes {
		if at, wanted := first[c.Nodes[i].Name]; wanted && at < 0 {
			first[c.Nodes[i].Name] = i
		}
	}
	for i := range c.pods {
		if at, wanted := first[c.Pods[i].Name]; wanted && at < 0 {
			first[c.Pods[i].Name] = i
		}
	}
	for _, f := range r.Findings {
		var object manifest.Object
		field := f.Field
		at := first[f.Object]
		switch onNode := strings.HasPrefix(f.Field, "taints"); {
		case c.pools[f.Object] != nil:
			object, field = c.pools[f.Object].Object, poolField(c.pools[f.Object], f.Field)
		case at < 0:
		case onNode:
			object, field = c.nodes[at].Object, fieldOf(f.Field, c.nodes[at].SpecField)
		default:
			object, field = c.pods[at].Object, fieldOf(f.Field, c.pods[at].SpecField)
		}
		place := ""
		if object != (manifest.Object{}) {
			place = placeOf(object)
		}
		r.objects, r.places, r.fields = append(r.objects, object), append(r.places, place), append(r.fields, field)
	}
}

// placeOf returns where an object is, without its name.
func placeOf(o manifest.Object) string {
	return strings.TrimSuffix(o.String(), ": "+o.ID())
}

// fieldOf returns the path of a field such as "tolerations[2].key" in an object.
func fieldOf(field string, path func(i int) string) string {
	i, rest := 0, ""
	_, digits, indexed := strings.Cut(field, "[")
	for n, digit := range digits {
		if digit == ']' {
			rest = digits[n+1:]
			break
		}
		i = 10*i + int(digit-'0')
	}
	whole := path(i) + rest
	if !indexed { // it is about the list
		whole = whole[:strings.LastIndexByte(whole, '[')]
	}
	return whole
}
