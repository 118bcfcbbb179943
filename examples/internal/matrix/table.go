package matrix

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tolero-dev/tolero/examples/internal/command"
)

// table writes the report for people, in lines of at most width characters.
type table struct {
	out   *bytes.Buffer
	width int // 0: no limit
}

// columns are the numbers of a row; headings and numbers are right-aligned.
var columns = []string{"PODS", "FREE", "AVOID", "REFUSED", "EVICT NOW", "LATER"}

const legend = `Nodes by what they mean to the pods of a toleration list. Refused: by the first taint, in the
order of the node, that is not tolerated. Evict: a pod that runs there would be evicted.`

func (r *report) text(w *command.Writer) {
	t := &table{w.Out, w.Width}
	f := r.fleet
	t.paragraph(heading(r.title) + ": " + f.size())
	for _, note := range r.notes {
		t.paragraph(note)
	}
	t.line("")
	t.paragraph(legend)
	t.line("")
	t.rows(r.rows)
	t.line("")
	t.paragraph(command.Notation)
	t.devices(r.devices)
	t.totals(r)
}

// line writes a line, which is cut off where it is too long.
func (t *table) line(format string, args ...any) {
	text := command.Printable(fmt.Sprintf(format, args...))
	t.out.WriteString(strings.TrimRight(shorten(text, t.width), " "))
	t.out.WriteByte('\n')
}

// paragraph writes text in as many lines as it takes.
func (t *table) paragraph(text string) {
	const readable = 96 // characters, however wide the table is
	words := strings.Fields(text)
	for line := range wrap(words, " ", min(readable, t.room(0))) {
		t.line("%s", line)
	}
}

// rows writes the numbers and the reasons for each toleration list.
func (t *table) rows(rows []row) {
	cells := make([][]string, len(rows))
	widths := make([]int, len(columns))
	for i, name := range columns {
		widths[i] = len(name)
	}
	for i := range rows {
		r := &rows[i]
		for j, n := range []int64{r.pods, r.free, r.avoid, r.refused, r.evictNow, r.later()} {
			cells[i] = append(cells[i], command.Thousands(n))
			widths[j] = max(widths[j], len(cells[i][j]))
		}
	}
	head := align(columns, widths)
	t.line("%s   TOLERATIONS", head)
	for i := range rows {
		room := t.room(len(head) + len("   "))
		t.line("%s   %s", align(cells[i], widths), fit(rows[i].words(), room))
		t.details(&rows[i], widths[0])
	}
}

// words returns the tolerations one by one.
func (r *podClass) words() []string {
	if len(r.tolerations) == 0 {
		return []string{"(none)"}
	}
	words := make([]string, len(r.tolerations))
	for i := range r.tolerations {
		words[i] = r.tolerations[i].String()
	}
	return words
}

// details writes who has a toleration list, and the reasons for the numbers.
func (t *table) details(r *row, indent int) {
	t.detail(indent, "pods", []string{r.who()})
	t.detail(indent, "refused", r.refusals())
	t.detail(indent, "evict", r.evictions())
}

// who returns the name of one object, and how many pods there are besides.
func (c *podClass) who() string {
	who := several(c.name, c.named)
	if c.pods > c.named {
		who += fmt.Sprintf(" and %s more", command.Thousands(c.pods-c.named))
	}
	return who
}

// several returns the name of an object, with the number of pods that it stands
// for if that is not one.
func several(name string, pods int64) string {
	if pods == 1 {
		return name
	}
	return fmt.Sprintf("%s (%s pods)", name, command.Thousands(pods))
}

// detail writes items after a name, in as many lines as they take.
func (t *table) detail(indent int, name string, items []string) {
	for line := range wrap(items, ", ", t.room(indent+len("  refused  "))) {
		t.line("%*s  %-7s  %s", indent, "", name, line)
		name = ""
	}
}

// refusals returns the reasons one by one.
func (r *row) refusals() []string {
	var items []string
	for _, reason := range r.reasons {
		items = append(items, reason.String())
	}
	if r.others.taints > 0 {
		items = append(items, fmt.Sprintf("%s by %s", command.Thousands(r.others.nodes), command.Plural(r.others.taints, "other taint")))
	}
	return items
}

// String returns a reason with the taint as a scheduler writes it.
func (r reason) String() string {
	return fmt.Sprintf("%s {%s: %s}", command.Thousands(r.nodes), r.key, r.value)
}

// room is how much of a line is left after the first used characters.
func (t *table) room(used int) int {
	if t.width == 0 {
		return 1 << 30
	}
	return max(0, t.width-used)
}

func length(text string) int { return utf8.RuneCountInString(text) }
