package matrix

import (
	"fmt"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/command"
)

const deviceLegend = `Devices by what they mean to the requests of a toleration list. Left: as far as taints go.
Refused: by the first taint that is not tolerated. Not evaluated: device classes, selectors in
CEL, constraints, capacity, what is allocated already, and for which nodes a device is. So a
request gets none of the devices that are refused, and perhaps not all that are left.`

// devices writes what the taints of devices mean, or nothing if there is nothing.
func (t *table) devices(r *deviceReport) {
	if r == nil {
		return
	}
	t.line("")
	t.paragraph(fmt.Sprintf("Device taints: %s, %s, %s with %s.", command.Plural(r.devices, "device"),
		command.Plural(r.rules, "rule"), command.Plural(r.requests, "request"), command.Plural(r.lists, "toleration list")))
	if len(r.classes) > 0 {
		t.paragraph(deviceLegend)
		t.line("")
		t.deviceClasses(r)
	}
	t.line("")
	t.line("Evicted because of device taints: %s.", none(len(r.evicted), "pod"))
	t.deviceEvictions(r.evicted, maxDeviceLines, r.now)
	for i := range r.previews {
		if i == maxDeviceLines {
			t.line("%s of effect None not shown.", command.Plural(len(r.previews)-i, "rule"))
			break
		}
		p := &r.previews[i]
		t.paragraph(fmt.Sprintf("Rule %s, with NoExecute in place of None, would evict %s, with %s published and %s allocated.",
			p.name, none(len(p.evicted), "pod"), command.Plural(p.impact.Published, "device"), command.Thousands(p.impact.Allocated)))
		t.deviceEvictions(p.evicted, maxPreviewLines, r.now)
	}
}

// none is like count, with a word for zero.
func none(n int, what string) string {
	if n == 0 {
		return "no " + what
	}
	return command.Plural(n, what)
}

// deviceClasses writes the numbers, the devices and the reasons for each toleration
// list.
func (t *table) deviceClasses(r *deviceReport) {
	heads := []string{"REQUESTS", "LEFT", "REFUSED"}
	cells := make([][]string, len(r.classes))
	widths := make([]int, len(heads))
	for i, head := range heads {
		widths[i] = len(head)
	}
	for i := range r.classes {
		c := &r.classes[i]
		for j, n := range []int{len(c.requests), c.left, r.devices - c.left} {
			cells[i] = append(cells[i], command.Thousands(n))
			widths[j] = max(widths[j], len(cells[i][j]))
		}
	}
	head := align(heads, widths)
	t.line("%s   TOLERATIONS", head)
	for i := range r.classes {
		c := &r.classes[i]
		words := tolerationWords(c.tolerations)
		if len(words) == 0 {
			words = []string{"(none)"}
		}
		t.line("%s   %s", align(cells[i], widths), fit(words, t.room(len(head)+len("   "))))
		t.detail(widths[0], "claims", firstOf(c.requests, len(c.requests)))
		t.detail(widths[0], "left", firstOf(c.names, c.left))
		t.detail(widths[0], "refused", c.refusals(r.devices-c.left))
	}
	if more := r.lists - len(r.classes); more > 0 {
		t.line("%s not shown.", command.Plural(more, "toleration list"))
	}
}

// firstOf returns the first of the names, and how many of all there are besides.
func firstOf(names []string, all int) []string {
	items := append([]string(nil), names[:min(len(names), maxDeviceNames)]...)
	if more := all - len(items); more > 0 {
		items = append(items, command.Thousands(more)+" more")
	}
	return items
}

// refusals returns the taints that forbid devices to the class, those that forbid most
// of them first.
func (c *deviceClass) refusals(refused int) (items []string) {
	for i, reason := range c.reasons {
		if i == maxDeviceNames {
			others := command.Plural(len(c.reasons)-i, "other taint")
			return append(items, command.Thousands(refused)+" by "+others)
		}
		items = append(items, command.Thousands(reason.Nodes)+" "+reason.Taint.String())
		refused -= reason.Nodes
	}
	return items
}

// deviceEvictions writes limit pods at most, when they are evicted and because of what.
func (t *table) deviceEvictions(list []deviceEviction, limit int, now time.Time) {
	shown := list[:min(len(list), limit)]
	whens := make([]string, len(shown))
	widths := [2]int{}
	for i := range shown {
		whens[i] = "now"
		if after := shown[i].due.Sub(now); after > 0 {
			whens[i] = "after " + command.Duration(after.Round(time.Second))
		}
		widths[0] = max(widths[0], length(whens[i]))
		widths[1] = max(widths[1], length(shown[i].pod))
	}
	for i := range shown {
		var causes []string
		for _, cause := range shown[i].causes {
			causes = append(causes, cause.String())
		}
		t.line("  %-*s  %-*s  %s", widths[0], whens[i], widths[1], shown[i].pod,
			fit(causes, t.room(widths[0]+widths[1]+len("      "))))
	}
	if more := len(list) - len(shown); more > 0 {
		t.line("  %s more", command.Plural(more, "pod"))
	}
}
