package browser

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// views are the parts of the page, by their addresses.
var views = []string{"overview", "workloads", "why", "plan", "outage", "findings", "lists"}

func evaluate(script string) action { return chromedp.Evaluate[chromedp.Void](script) }

// view goes to a view by its link.
func (p *page) view(name string) {
	p.Helper()
	p.step(name, `document.querySelector("#`+name+`").classList.contains("shown")`, chromedp.Click(`nav a[href="#`+name+`"]`))
}

// theme chooses a theme by its button.
func (p *page) theme(name string) {
	p.Helper()
	for range 3 {
		if eval[string](p, `document.documentElement.dataset.theme`) != name {
			p.run(chromedp.Click("#theme"))
		}
	}
}

// tolero returns what the program prints.
func tolero(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command(program, args...).Output()
	if len(out) == 0 {
		t.Fatalf("%q: %v", args, err)
	}
	return string(out)
}

// said fails the test if an element does not say all that the program does.
func (p *page) said(t *testing.T, selector, answer string) {
	t.Helper()
	got := strings.Join(strings.Fields(p.text(selector)), " ")
	for line := range strings.Lines(answer) {
		if line = strings.Join(strings.Fields(line), " "); !strings.Contains(got, line) {
			t.Errorf("%s does not say %q:\n%s", selector, line, got)
		}
	}
}

// fits fails the test if a view is wider than the window.
func (p *page) fits(view string) {
	p.Helper()
	if wide := eval[int](p, `document.documentElement.scrollWidth - innerWidth`); wide > 1 {
		p.Errorf("%s is %d pixels wider than the window", view, wide)
	}
}

// inSight is a condition: the beginning of an element is in the window, below the links.
func inSight(selector string) string {
	return fmt.Sprintf(`((r) => r && r.height > 0 && r.top >= 0 && r.top < innerHeight - 40)(document.querySelector(%q)?.getBoundingClientRect())`, selector)
}

// TestStories clicks through the page as a person would, wide and narrow, light and dark, and
// compares what it says with the program.
func TestStories(t *testing.T) {
	address := report(t, pendingFile)
	for _, width := range []int64{1440, 390} {
		for _, theme := range []string{"light", "dark"} {
			t.Run(fmt.Sprint(theme, " ", width), func(t *testing.T) {
				p := open(t, address, "file:")
				p.run(chromedp.EmulateViewport(width, 844))
				p.theme(theme)
				p.shot(fmt.Sprintf("overview-%s-%d.png", theme, width))
				p.fits("overview")
				p.step("a cause", `document.querySelector("#why0:focus") && `+inSight("#why0"), chromedp.Click(`#overview a[href="#why0"]`))
				p.said(t, "#why0", tolero(t, "why", "-f", pendingFile, "shop/taint-missing", "-width", "0"))
				p.shot(fmt.Sprintf("why-%s-%d.png", theme, width))
				p.view("overview")
				p.step("findings", inSight("#findings-error"), chromedp.Click(`#overview a[href="#findings-error"]`))
				p.view("workloads")
				p.shot(fmt.Sprintf("workloads-%s-%d.png", theme, width))
				p.fits("workloads")
				p.step("a cell", inSight("#details article.shown")+` && document.querySelector("#details article.shown .deciding")`, chromedp.Click(`#workloads td.want a`))
				p.said(t, "#details article.shown", "not schedulable: dedicated=gpu:NoSchedule is not tolerated\nadmit 2 of 2 nodes\ndecides\n- {key: dedicated, operator: Equal, value: \"gpu\", effect: NoSchedule}\n")
				p.fits("cell")
				p.shot(fmt.Sprintf("cell-%s-%d.png", theme, width))
				p.step("back to the cell", `document.activeElement.matches("#workloads td.want a")`, chromedp.KeyEvent("\u001b"))
				p.view("outage")
				p.wait(`document.querySelector("#out0 img").naturalWidth > 100`)
				p.said(t, "#out0", tolero(t, "outage", "-f", pendingFile, "-zone", "a", "-width", "0", "-limit", "20"))
				p.fits("outage")
				p.view("lists")
				p.fits("lists")
				p.view("findings")
				p.fits("findings")
			})
		}
	}
}

// TestKeyboard goes through the page by keys alone.
func TestKeyboard(t *testing.T) {
	p := open(t, report(t, pendingFile), "file:")
	p.step("skip", `document.activeElement.matches(".skip")`, chromedp.KeyEvent("\t"))
	p.step("to what is wrong", `document.activeElement.id === "overview"`, chromedp.KeyEvent("\r"))
	p.step("the first line", `document.activeElement.matches("#overview a")`, chromedp.KeyEvent("\t"))
	p.step("its answer", `document.activeElement.id === "why0"`, chromedp.KeyEvent("\r"))
	p.view("workloads")
	p.run(evaluate(`document.querySelector("#workloads td a").focus()`))
	p.step("right", `document.activeElement.closest("td")?.cellIndex === 2`, chromedp.KeyEvent("\u0303"))
	p.step("down", `document.activeElement.closest("tr")?.id === "wr1"`, chromedp.KeyEvent("\u0301"))
	p.step("explain", `document.activeElement.matches("#details article")`, chromedp.KeyEvent("\r"))
	p.step("back", `document.activeElement.closest("tr")?.id === "wr1"`, chromedp.KeyEvent("\u001b"))
	p.step("find", `[...document.querySelectorAll("#m-w tr[id]")].filter((r) => r.offsetParent).length === 1`, chromedp.SendKeys("#workloads .find", "misspelled"))
	p.run(set("#workloads .find", ""))
	p.step("close a namespace", `[...document.querySelectorAll("#m-w tr[id]")].every((r) => !r.offsetParent)`, chromedp.Focus("#m-w .space button"), chromedp.KeyEvent("\r"))
	p.step("copy", `[...document.querySelectorAll(".copier")].some((b) => b.textContent !== "Copy")`, evaluate(`location.hash = "why0"`), evaluate(`document.querySelector("#why0 .copier").click()`))
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

// TestAccessibility asks axe-core about every view, light and dark, wide, narrow and printed.
func TestAccessibility(t *testing.T) {
	script := axe(t)
	p := open(t, report(t, pendingFile), "file:")
	p.run(evaluate(script))
	for _, theme := range []string{"light", "dark"} {
		p.theme(theme)
		for _, view := range append(views, "cell", "print") {
			for _, width := range []int64{1440, 390} {
				p.run(chromedp.EmulateViewport(width, 900))
				media := ""
				switch view {
				case "cell":
					p.view("workloads")
					p.step("cell", `document.querySelector("#details.shown")`, chromedp.Click(`#workloads td.want a`))
				case "print":
					media = "print"
				default:
					p.view(view)
				}
				call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: media})
				for _, violation := range p.violations() {
					t.Errorf("%s, %s, %d wide: %s", view, theme, width, violation)
				}
				call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
			}
		}
	}
}

// violations asks axe-core about the page as it is.
func (p *page) violations() []string {
	p.Helper()
	return eval[[]string](p, `axe.run(document, { resultTypes: ["violations"] }).then((r) => r.violations.map((v) => v.id + ": " + v.help + ": " + v.nodes.map((n) => n.html.slice(0, 300) + " " + n.failureSummary).slice(0, 3).join(" | ")))`)
}

// TestPrint shows that what is printed has every view, and no buttons.
func TestPrint(t *testing.T) {
	p := open(t, report(t, pendingFile), "file:")
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	if missing := eval[[]string](p, `[...document.querySelectorAll(".view, #details article")].filter((v) => !v.checkVisibility()).map((v) => v.id)`); len(missing) > 0 {
		t.Errorf("not printed: %q", missing)
	}
	if n := eval[int](p, `[...document.querySelectorAll("button, nav, input")].filter((v) => v.checkVisibility()).length`); n > 0 {
		t.Errorf("%d controls are printed", n)
	}
	p.keep("print.pdf", get(p, chromedp.PrintToPDF(chromedp.PDFPrintBackground())))
}

// TestNoMotion shows that nothing moves by itself, whatever people prefer.
func TestNoMotion(t *testing.T) {
	p := open(t, report(t, pendingFile), "file:")
	p.view("workloads")
	if n := eval[int](p, `document.getAnimations().length + [...document.querySelectorAll("*")].filter((e) => { const s = getComputedStyle(e); return s.transitionDuration !== "0s" || s.animationName !== "none" || s.scrollBehavior === "smooth"; }).length`); n > 0 {
		t.Errorf("%d elements move", n)
	}
}

// TestHostileNames shows that names that try to be markup are shown as text, and do nothing else.
func TestHostileNames(t *testing.T) {
	names := []string{`</script><script>document.title="hit"</script>`, `"'><img src=x onerror=document.title='hit'>`, "\u202eevil\u202c", "\u05e9\u05dc\u05d5\u05dd", strings.Repeat("long", 2500), "<!--<script>", "{{data}}", "\u2028\u0000\u001b[31m"}
	var items []object
	for _, name := range names {
		items = append(items,
			object{"kind": "Node", "apiVersion": "v1", "metadata": object{"name": name, "labels": object{"karpenter.sh/nodepool": name}}, "spec": object{"taints": []object{{"key": name, "value": name, "effect": "NoSchedule"}}}},
			pod(name, name, name, name, []object{{"key": name, "operator": "Exists"}, {"key": name + "x", "operator": name, "value": name, "effect": "NoExecute"}}))
	}
	p := open(t, report(t, written(t, list(t, items))), "file:")
	p.run(chromedp.EmulateViewport(390, 844))
	for _, view := range views {
		p.view(view)
		p.fits(view)
		for _, id := range eval[[]string](p, `[...document.querySelectorAll(".shown a[href^='#']")].slice(0, 12).map((a) => a.hash)`) {
			p.run(evaluate(`location.hash = ` + quote(id)))
		}
	}
	if title := eval[string](p, `document.title`); title == "hit" {
		t.Error("a name ran as a script")
	}
	if n := eval[int](p, `document.querySelectorAll("img:not([src^='data:']), body script:not([type=module]), iframe, object, embed, [onerror]").length`); n != 0 {
		t.Errorf("%d elements made of names", n)
	}
	if text := p.text("main"); !strings.Contains(text, `<img src=x`) {
		t.Errorf("names are not there as text: %.300s", text)
	}
}
