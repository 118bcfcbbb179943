package browser

import (
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/explain"
)

// shown is the numbers of what is shown: rows, all rows, pods, columns, all columns, nodes.
const shown = `[...document.querySelector("#counts").innerText.matchAll(/\d[\d,]*/g)].map((m) => Number(m[0].replace(/,/g, "")))`

// TestInteractions drives everything that the page offers, with few lists and with many.
func TestInteractions(t *testing.T) {
	for _, n := range []int{100, 1500} {
		t.Run(fmt.Sprint(n, " lists"), func(t *testing.T) {
			if testing.Short() && n > 100 {
				t.Skip("large")
			}
			address := report(t, dump(t, n))
			p := open(t, address, "file:")
			p.wait(`performance.getEntriesByName("first-contentful-paint").length && performance.getEntriesByName("ready").length`)
			t.Logf("%-28s %4.0f ms", "first paint", eval[float64](p, `performance.getEntriesByName("first-contentful-paint")[0].startTime`))
			t.Logf("%-28s %4.0f ms", "ready", eval[float64](p, `performance.getEntriesByName("ready")[0].startTime`))
			p.Run("search", func(t *testing.T) { p.with(t).search() })
			p.Run("order and filters", func(t *testing.T) { p.with(t).choices() })
			p.Run("colours", func(t *testing.T) { p.with(t).colours(n) })
			p.Run("mouse", func(t *testing.T) { p.with(t).mouse() })
			p.Run("keyboard", func(t *testing.T) { p.with(t).keyboard() })
			p.Run("zoom", func(t *testing.T) { p.with(t).zoom() })
			p.Run("views", func(t *testing.T) { p.with(t).views() })
			p.Run("address", func(t *testing.T) { p.with(t).address(address) })
			p.Run("explanations", func(t *testing.T) { p.with(t).explanations(n == 100) })
			p.Run("pictures", func(t *testing.T) { p.with(t).pictures(fmt.Sprint(n)) })
		})
	}
}

// with returns the page for a part of a test.
func (p *page) with(t *testing.T) *page { return &page{T: t, ctx: p.ctx, base: p.base} }

func (p *page) search() {
	p.step("search a taint", shown+`[1] > 0 && `+shown+`[3] < `+shown+`[4] && location.hash.includes("q=team-3")`, chromedp.SendKeys("#control-q", "team-3"))
	p.step("search a node", shown+`[3] === 1`, typed("q", "node-00012"))
	p.step("search nothing", shown+`[0] === 0 && `+shown+`[3] === 0`, typed("q", "no such thing"))
	p.step("reset", shown+`[0] === `+shown+`[1] && location.hash === ""`, chromedp.Click("#reset"))
}

// typed puts a value into a control as a person would.
func typed(name, value string) action {
	return chromedp.Evaluate[chromedp.Void](`(() => { const c = document.querySelector("#control-` + name + `"); c.value = ` + quote(value) + `; c.dispatchEvent(new Event("input", { bubbles: true })); })()`)
}

func (p *page) choices() {
	for _, order := range []string{"pods", "nodes", "name", "clustered"} {
		p.step("order "+order, `document.querySelector("#control-sort").value === "`+order+`"`, typed("sort", order))
	}
	for _, choice := range []struct{ name, value, fewer string }{
		{"ns", "ns-1", shown + `[2] < ` + shown + `[1] * 3`}, {"owner", "ReplicaSet/app-3", shown + `[0] < ` + shown + `[1]`},
		{"pool", "pool-4", shown + `[3] < ` + shown + `[4]`}, {"effect", "NoExecute", shown + `[3] < ` + shown + `[4]`},
	} {
		p.step("filter "+choice.name, choice.fewer+` && location.hash.includes("`+choice.name+`=")`, typed(choice.name, choice.value))
		p.step("no filter "+choice.name, shown+`[0] === `+shown+`[1] && `+shown+`[3] === `+shown+`[4]`, typed(choice.name, ""))
	}
}

// colours looks at the pixels: each kind of the legend can be seen, however small cells
// are, and the cells of the rarest kind are not thinned out.
func (p *page) colours(n int) {
	missing := eval[[]string](p, `(() => {
		const d = JSON.parse(document.querySelector("#data").textContent), c = document.querySelector("#canvas");
		const seen = new Set(new Uint32Array(c.getContext("2d").getImageData(0, 0, c.width, c.height).data.buffer).map((v) => v & 0xffffff));
		const colour = (k) => { const v = parseInt(d.kinds[k].light.slice(1), 16); return ((v & 0xff) << 16) | (v & 0xff00) | (v >> 16); };
		return [...new Set(d.verdicts.map((v) => v.kind))].filter((k) => !seen.has(colour(k))).map((k) => d.kinds[k].name); })()`)
	if len(missing) > 0 {
		p.Errorf("kinds that cannot be seen: %q", missing)
	}
	if shared := eval[bool](p, `!document.querySelector("#pooled").hidden`); shared != (n > 400) {
		p.Errorf("cells share a dot: %t", shared)
	}
	if shares := p.text("#legend"); !strings.Contains(shares, "%") {
		p.Errorf("no shares: %s", shares)
	}
}

// at is a point of the canvas, from the corner of the first cell.
func (p *page) at(x, y int) (float64, float64) {
	point := eval[[]float64](p, fmt.Sprintf(`(() => { const c = document.querySelector("#canvas"); c.scrollIntoView({ block: "center" }); const b = c.getBoundingClientRect(); return [b.left + Number(c.dataset.left) + %d, b.top + Number(c.dataset.top) + %d]; })()`, x, y))
	return point[0], point[1]
}

func (p *page) mouse() {
	x, y := p.at(20, 20)
	p.step("point at a cell", `document.querySelector("#readout").innerText.includes(" on ")`, chromedp.MouseEvent("mouseMoved", x, y))
	p.step("click a cell", `location.hash.includes("row=") && location.hash.includes("column=") && document.querySelector("#details .reasons, #details h3")`, chromedp.MouseClickXY(x, y))
	x, y = p.at(-60, 20)
	p.step("click a row", `!location.hash.includes("column=") && document.querySelector("#details").innerText.includes("Namespaces and owners")`, chromedp.MouseClickXY(x, y))
	x, y = p.at(20, -30)
	p.step("click a column", `!location.hash.includes("row=") && document.querySelector("#details").innerText.includes("Node pools")`, chromedp.MouseClickXY(x, y))
	p.step("reset", `location.hash === ""`, chromedp.Click("#reset"))
}

func (p *page) keyboard() {
	spoken := `document.querySelector("#spoken").innerText`
	p.run(chromedp.Focus("#canvas"))
	p.step("arrow", spoken+` !== ""`, chromedp.KeyEvent("\u0303")) // right
	before := p.text("#spoken")
	p.step("arrows", spoken+` !== `+quote(before), chromedp.KeyEvent("\u0301", chromedp.KeyModifiers(chromedp.ModifierShift)))
	p.step("enter", `location.hash.includes("column=") && document.activeElement.id === "details"`, chromedp.KeyEvent("\r"))
	p.step("escape", `document.activeElement.id === "canvas"`, chromedp.KeyEvent("\u001b"))
	p.step("row", `!location.hash.includes("column=")`, chromedp.KeyEvent("r"))
	p.run(chromedp.KeyEvent("\u001b"))
	p.step("column", `!location.hash.includes("row=")`, chromedp.KeyEvent("c"))
	p.run(chromedp.KeyEvent("\u001b"))
	p.step("slash", `document.activeElement.id === "control-q"`, chromedp.KeyEvent("/"))
	p.step("skip link", `document.activeElement.id === "canvas"`, chromedp.Focus("#skip"), chromedp.KeyEvent("\r"))
	p.step("reset", `location.hash === ""`, chromedp.Click("#reset"))
}

func (p *page) zoom() {
	p.step("zoom in", `location.hash.includes("zoom=")`, chromedp.Click(`[aria-label="Zoom in"]`))
	for range 16 {
		p.run(chromedp.Click(`[aria-label="Zoom in"]`))
	}
	p.step("zoom most", `location.hash.includes("zoom=36.00") && document.querySelector("#scroller").scrollWidth > document.querySelector("#scroller").clientWidth`, chromedp.Click(`[aria-label="Zoom in"]`))
	p.step("scroll", `document.querySelector("#scroller").scrollTop > 0`, chromedp.Evaluate[chromedp.Void](`document.querySelector("#scroller").scrollBy(400, 400)`))
	p.step("zoom out", `!location.hash.includes("zoom=36.00")`, chromedp.Focus("#canvas"), chromedp.KeyEvent("-"))
	p.step("fit", `!location.hash.includes("zoom=")`, chromedp.KeyEvent("0"))
	x, y := p.at(100, 130)
	p.step("wheel", `location.hash.includes("zoom=")`, chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`document.querySelector("#canvas").dispatchEvent(new WheelEvent("wheel", { bubbles: true, cancelable: true, ctrlKey: true, deltaY: -100, clientX: %f, clientY: %f }))`, x, y)))
	p.step("reset", `location.hash === ""`, chromedp.Click("#reset"))
	p.drag()
	p.pinch()
}

// cellAt tells which cell is at a point: what the page says when one points there.
func (p *page) cellAt(x, y float64) string {
	p.run(chromedp.MouseEvent("mouseMoved", x, y))
	return p.text("#readout")
}

// drag moves the matrix with the mouse, which chooses nothing, and sends the place that it
// is at.
func (p *page) drag() {
	for range 16 {
		p.run(chromedp.Click(`[aria-label="Zoom in"]`))
	}
	x, y := p.at(300, 200)
	before := p.cellAt(x, y)
	const scrolled = `[document.querySelector("#scroller").scrollLeft, document.querySelector("#scroller").scrollTop]`
	from := eval[[]float64](p, scrolled)
	there := fmt.Sprintf(`%s.join() === "%v,%v"`, scrolled, from[0]+144, from[1]+144)
	p.run(chromedp.MouseEvent("mousePressed", x, y, chromedp.ButtonLeft))
	for i := range 5 {
		p.run(chromedp.MouseEvent("mouseMoved", x-float64(i*36), y-float64(i*36), chromedp.ButtonLeft))
	}
	p.step("drag", there, chromedp.MouseEvent("mouseReleased", x-144, y-144, chromedp.ButtonLeft))
	if after := p.cellAt(x-144, y-144); after != before || before == "" {
		p.Errorf("%q was dragged, and %q is there", before, after)
	}
	p.step("the place in the address", fmt.Sprintf(`Math.hypot(...(new URLSearchParams(location.hash.slice(1)).get("at") || "").split(",").map((v, i) => v - [%f, %f][i])) < 0.1 && !location.hash.includes("row=")`, (from[0]+144)/36, (from[1]+144)/36))
	hash := eval[string](p, `location.hash`)
	p.step("elsewhere", scrolled+`.join() === "0,0"`, chromedp.Click("#reset"))
	p.step("the place of the address", fmt.Sprintf(`Math.hypot(%[1]s[0] - %[2]v, %[1]s[1] - %[3]v) < 4`, scrolled, from[0]+144, from[1]+144), chromedp.Evaluate[chromedp.Void](`location.hash = `+quote(hash)))
	p.step("reset", `location.hash === "" && `+scrolled+`.join() === "0,0"`, chromedp.Click("#reset"))
}

// pinch zooms with two fingers, and keeps what is between them there.
func (p *page) pinch() {
	p.step("a size by the address", `document.querySelector("#scroller").scrollWidth > document.querySelector("#scroller").clientWidth`, chromedp.Evaluate[chromedp.Void](`location.hash = "#zoom=20.00"`))
	x, y := p.at(301, 201)
	before := p.cellAt(x, y)
	zoom := `Number(new URLSearchParams(location.hash.slice(1)).get("zoom"))`
	was := eval[float64](p, zoom)
	touch := func(kind string, apart float64) action {
		return chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`(() => { const target = document.querySelector("#canvas"); const finger = (i) => new Touch({ identifier: i, target, clientX: %f + (i - 0.5) * %f, clientY: %f });
			target.dispatchEvent(new TouchEvent("%s", { bubbles: true, cancelable: true, touches: "%[4]s" === "touchend" ? [] : [finger(0), finger(1)] })); })()`, x, apart, y, kind))
	}
	p.step("pinch", fmt.Sprintf(`Math.abs(%s / %f - 1.5) < 0.02`, zoom, was), touch("touchstart", 100), touch("touchmove", 120), touch("touchmove", 150), touch("touchend", 0))
	if after := p.cellAt(x, y); after != before || before == "" {
		p.Errorf("%q was between the fingers, and %q is there", before, after)
	}
	p.step("reset", `location.hash === ""`, chromedp.Click("#reset"))
}

func (p *page) views() {
	seen := func(name string) string { return `document.querySelector("#view-` + name + `").offsetHeight > 0` }
	p.step("table", seen("table")+` && !(`+seen("matrix")+`)`, chromedp.Click("#tab-table"))
	p.step("table, next rows", `document.querySelector("#view-table [role=status]").innerText.includes("lists 26 to")`, chromedp.Click(`//button[text()="↓ rows"]`))
	p.step("table, next columns", `document.querySelector("#view-table [role=status]").innerText.includes("lists 9 to")`, chromedp.Click(`//button[text()="→ columns"]`))
	p.step("the table's place in the address", `location.hash.includes("table=25%2C8")`)
	p.step("table, a cell", `location.hash.includes("row=") && location.hash.includes("column=")`, chromedp.Click(`#view-table td button`))
	p.step("tab by arrow", seen("findings"), chromedp.Focus("#tab-table"), chromedp.KeyEvent("\u0303"))
	p.step("a finding", `/(row|column)=\d/.test(location.hash)`, chromedp.Click(`#view-findings td button`))
	p.step("silence", seen("silence")+` && document.querySelectorAll("#view-silence .pool").length === 9`, chromedp.Click("#tab-silence"))
	p.step("matrix", seen("matrix"), chromedp.Click("#tab-matrix"))
	p.step("reset", `location.hash === ""`, chromedp.Click("#reset"))
	for _, theme := range []string{"light", "dark"} {
		p.step("theme "+theme, `document.documentElement.dataset.theme === "`+theme+`"`, chromedp.Click("#theme"))
	}
	p.step("theme of the system", `!document.documentElement.dataset.theme`, chromedp.Click("#theme"))
	p.step("copy link", `document.querySelector("#link").innerText !== "Copy link"`, chromedp.Click("#link"))
}

// address opens views by their address, and changes the address of an open page.
func (p *page) address(address string) {
	hash := "#" + url.Values{"sort": {"name"}, "effect": {"NoExecute"}, "row": {"3"}, "column": {"5"}, "theme": {"dark"}}.Encode()
	p.run(chromedp.Navigate("about:blank"), chromedp.Navigate(address+hash))
	p.ready()
	p.step("a view by its address", `document.querySelector("#control-sort").value === "name" && document.querySelector("#control-effect").value === "NoExecute" && document.documentElement.dataset.theme === "dark" && document.querySelector("#details h3")`)
	first := p.text("#details")
	p.step("another address", `document.querySelector("#details").innerText !== `+quote(first), chromedp.Evaluate[chromedp.Void](`location.hash = "#row=4&column=7"`))
	p.step("an address that means nothing", `document.querySelector("#details").innerText.includes("Choose a cell")`, chromedp.Evaluate[chromedp.Void](`location.hash = "#row=-1&column=x&zoom=NaN&tab=zzz&sort=%00&unknown=1&row=99999999999"`))
	p.step("none", `location.hash === ""`, chromedp.Evaluate[chromedp.Void](`location.hash = ""`))
}

// explanations compares what the page says about cells with package explain. With many
// lists it has the change of fewest fields for the first of them, and says so.
func (p *page) explanations(all bool) {
	if said := strings.Contains(p.text("#notes"), "The change of fewest fields is shown for"); said == all {
		p.Errorf("the note says that some are left out: %t", said)
	}
	type list struct {
		Rows, Columns int
	}
	n := eval[list](p, `(() => { const d = JSON.parse(document.querySelector("#data").textContent); return { Rows: d.rows.length, Columns: d.columns.length }; })()`)
	for i := range 60 {
		row, column := i*7919%n.Rows, i*104729%n.Columns
		words := eval[[][]string](p, fmt.Sprintf(`(() => { const d = JSON.parse(document.querySelector("#data").textContent);
			return [d.rows[%d].tolerations.map((t) => d.tolerations[t]), d.columns[%d].taints.map((t) => d.taints[t].text)]; })()`, row, column))
		p.run(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`location.hash = "#row=%d&column=%d"`, row, column)))
		q := &explain.Query{}
		for _, word := range words[0] {
			q.Tolerations = append(q.Tolerations, must(notation.Toleration(word)))
		}
		for _, word := range words[1] {
			q.Taints = append(q.Taints, must(notation.Taint(word)))
		}
		p.explained(q, all)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func (p *page) explained(q *explain.Query, all bool) {
	e := q.Explain()
	verdict := quote(match.Decide(q.Taints, q.Tolerations, q.Rules).Sentence(q.Taints))
	p.wait(`document.querySelector("#details .verdict")?.innerText === ` + verdict)
	text := p.text("#details")
	var want []string
	for i := range e.Reasons {
		want = append(want, e.Reasons[i].String())
	}
	repairs := []explain.Repair{q.Add(explain.ToSchedule), q.Edit(explain.ToSchedule), q.Add(explain.ToStay), q.Edit(explain.ToStay)}
	if all {
		repairs = append(repairs, q.Correct(explain.ToSchedule), q.Correct(explain.ToStay))
	}
	for _, r := range repairs {
		if !r.Empty() {
			want = append(want, strings.Split(r.String(), "\n")...)
		}
	}
	if e.Eviction.OrderDecides() {
		want = append(want, e.Eviction.String())
	}
	for _, line := range want {
		if !strings.Contains(text, line) {
			p.Errorf("%v on %v: the page does not say %q:\n%s", q.Tolerations, q.Taints, line, text)
		}
	}
}

// pictures keeps screenshots: light, dark, narrow and printed.
func (p *page) pictures(name string) {
	p.run(chromedp.Evaluate[chromedp.Void](`location.hash = "#theme=light&row=3&column=9"`))
	p.shot(name + "-light.png")
	p.run(chromedp.Evaluate[chromedp.Void](`location.hash = "#theme=dark&row=3&column=9&zoom=18"`))
	p.shot(name + "-dark.png")
	for _, tab := range []string{"table", "findings", "silence"} {
		p.run(chromedp.Evaluate[chromedp.Void](`location.hash = "#theme=light&tab=` + tab + `"`))
		p.shot(name + "-" + tab + ".png")
	}
	p.run(chromedp.Evaluate[chromedp.Void](`location.hash = "#theme=dark&row=3&column=9&zoom=28"`))
	p.keep(name+".pdf", get(p, chromedp.PrintToPDF(chromedp.PDFPrintBackground())))
	p.wait(`document.documentElement.dataset.theme === "dark" && document.querySelector("#scroller").style.width === ""`)
	p.run(chromedp.Evaluate[chromedp.Void](`location.hash = "#theme=light&row=3&column=9"`), chromedp.EmulateViewport(390, 844))
	p.shot(name + "-narrow.png")
	wide := eval[bool](p, `document.documentElement.scrollWidth > document.documentElement.clientWidth + 1`)
	if wide {
		p.Error("the page is wider than a narrow window")
	}
}

// axe is the path of axe-core, and the test is skipped without it.
func axe(t *testing.T) string {
	t.Helper()
	path := os.Getenv("AXE")
	if path == "" {
		t.Skip("SKIPPED: AXE is not the path of axe-core's axe.min.js, so accessibility is not checked")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestAccessibility asks axe-core about every view, light and dark, wide and narrow.
func TestAccessibility(t *testing.T) {
	script := axe(t)
	p := open(t, report(t, dump(t, 40)), "file:")
	p.run(chromedp.Evaluate[chromedp.Void](script))
	for _, theme := range []string{"light", "dark"} {
		for _, tab := range []string{"matrix", "table", "findings", "silence"} {
			for _, width := range []int64{1400, 390} {
				p.run(chromedp.EmulateViewport(width, 900), chromedp.Evaluate[chromedp.Void](`location.hash = "#theme=`+theme+`&tab=`+tab+`&row=2&column=3"`))
				p.wait(`document.documentElement.dataset.theme === "` + theme + `"`)
				for _, violation := range p.violations() {
					t.Errorf("%s, %s, %d wide: %s", tab, theme, width, violation)
				}
			}
		}
	}
}

// violations asks axe-core about the page as it is.
func (p *page) violations() []string {
	p.Helper()
	return eval[[]string](p, `axe.run(document, { resultTypes: ["violations"] }).then((r) => r.violations.map((v) => v.id + ": " + v.help + ": " + v.nodes.map((n) => n.html + " " + n.failureSummary).slice(0, 3).join(" | ")))`)
}

// TestHostileNames shows that names that try to be markup are shown as text, and do
// nothing else.
func TestHostileNames(t *testing.T) {
	long := strings.Repeat("long", 2500)
	names := []string{`</script><script>document.title="hit"</script>`, `"'><img src=x onerror=document.title='hit'>`, "\u202eevil\u202c", "\u05e9\u05dc\u05d5\u05dd", long, "<!--<script>", "{{data}}", "__proto__", "\u2028\u0000\u001b[31m"}
	var items []object
	for _, name := range names {
		items = append(items,
			object{"kind": "Node", "apiVersion": "v1", "metadata": object{"name": name, "labels": object{"karpenter.sh/nodepool": name}}, "spec": object{"taints": []object{{"key": name, "value": name, "effect": "NoSchedule"}}}},
			pod(name, name, name, name, []object{{"key": name, "operator": "Exists"}, {"key": name + "x", "operator": name, "value": name, "effect": "NoExecute"}}))
	}
	p := open(t, report(t, list(t, items)), "file:")
	for i := range names {
		for _, hash := range []string{fmt.Sprintf("#row=%d", i), fmt.Sprintf("#column=%d", i), fmt.Sprintf("#row=%d&column=%d", i, (i+1)%len(names)), fmt.Sprintf("#row=%d&tab=table&zoom=20", i), "#tab=findings", "#tab=silence"} {
			// What was typed before comes into the address a little later, perhaps over this one.
			p.wait(`location.hash === "` + hash + `" || (location.hash = "` + hash + `", false)`)
			eval[bool](p, `new Promise((done) => requestAnimationFrame(() => done(true)))`)
		}
		p.run(typed("ns", names[i]), typed("owner", "ReplicaSet/"+names[i]), typed("pool", names[i]), typed("q", names[i]))
	}
	p.run(chromedp.Evaluate[chromedp.Void](`location.hash = "#row=0"`))
	if title := eval[string](p, `document.title`); title == "hit" {
		t.Error("a name ran as a script")
	}
	if n := eval[int](p, `document.querySelectorAll("img, body script:not(#data):not([type=module]), iframe, object, embed, [onerror]").length`); n != 0 {
		t.Errorf("%d elements made of names", n)
	}
	all := eval[string](p, `JSON.stringify([...document.querySelectorAll("#control-ns option")].map((o) => o.value))`)
	if !strings.Contains(all, `</script><script>`) || !strings.Contains(all, long) {
		t.Errorf("names are not there as text: %.300s", all)
	}
	p.shot("hostile.png")
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	p.shot("hostile-print.png")
}
