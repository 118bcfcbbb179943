package browser

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// start is startServer, for a server that ends with the test.
func start(t *testing.T, args ...string) string {
	address, _ := startServer(t, args...)
	return address
}

func startServer(t *testing.T, args ...string) (address string, end func()) {
	t.Helper()
	begin := time.Now()
	cmd := exec.Command(program, append([]string{"serve", ":0"}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := false
	end = func() {
		if ended {
			return
		}
		ended = true
		cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the program ends with %v", err)
		}
	}
	t.Cleanup(end)
	address, err = bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%-28s %4d ms", "tolero serve", time.Since(begin).Milliseconds())
	return strings.TrimSpace(address), end
}

// TestWhatIf tries plans as a person would: by one click, and by typing.
func TestWhatIf(t *testing.T) {
	chromium(t)
	address, end := startServer(t, "-f", poolsFile)
	const answer = `document.querySelector("#answer-plan").innerText`
	for _, width := range []int64{1440, 390} {
		p := open(t, address, address)
		p.run(chromedp.EmulateViewport(width, 900))
		p.view("plan")
		p.step("one click", answer+`.includes("evicted at once") && document.querySelector("#answer-plan .matrix")`,
			evaluate(`document.querySelector("#plan details.tries summary").click()`), evaluate(`document.querySelector("#plan .go").click()`))
		p.wait(`document.querySelector("#answer-plan .tiles").getBoundingClientRect().top < innerHeight`)
		plan := eval[string](p, `document.querySelector("#ask-plan textarea").value`)
		want := tolero(t, "plan", "-f", poolsFile, plan, "-o", "kubectl")
		if got := eval[string](p, `document.querySelector("#script").textContent`); got != want {
			t.Errorf("%d wide: the script is another one than that of tolero plan:\n%s", width, got)
		}
		p.said(t, "#answer-plan", tolero(t, "plan", "-f", poolsFile, plan, "-width", "0", "-limit", "20"))
		p.step("half a plan", `document.querySelector("#answer-plan .errors")`, set("#ask-plan textarea", "kubectl taint nodes general-1"))
		p.step("a plan", answer+`.includes("1 nodes affected") || `+answer+`.includes("nodes affected")`, set("#ask-plan textarea", "kubectl cordon general-1"))
		p.step("stages", `document.querySelectorAll("#answer-plan .stages > li").length > 1`, set("#ask-plan textarea", "kubectl taint nodes --all a:NoExecute"), set("#ask-plan [name=maxNodes]", "2"))
		p.step("a limit that is none", `document.querySelector("#answer-plan .errors")`, set("#ask-plan [name=maxPercent]", "200"))
		p.step("no such limit", `!document.querySelector("#answer-plan .errors")`, set("#ask-plan [name=maxPercent]", ""))
		p.step("hostile words", answer+`.includes("<img")`, set("#ask-plan textarea", `kubectl cordon <img src=x onerror=alert(1)>`))
		p.shot(fmt.Sprint("whatif-", width, ".png"))
		p.fits("plan")
		p.view("why")
		p.step("why", `document.querySelector("#answer-why").innerText.includes("Taints let it go to")`, chromedp.SendKeys("#ask-why [name=pod]", "ml/train-00"), chromedp.SendKeys("#ask-why [name=node]", "\r"))
		p.said(t, "#answer-why", tolero(t, "why", "-f", poolsFile, "ml/train-00", "-width", "0"))
		p.view("outage")
		if script := os.Getenv("AXE"); script != "" {
			p.run(evaluate(axe(t)))
			for _, view := range []string{"plan", "why", "outage"} {
				p.view(view)
				for _, violation := range p.violations() {
					t.Errorf("%s, %d wide: %s", view, width, violation)
				}
			}
		}
	}
	p := open(t, address, address)
	end()
	p.step("the program has ended", answer+`.includes("does not answer")`, set("#ask-plan textarea", "kubectl cordon general-1"))
	p.mu.Lock()
	p.faults = nil // what comes is the browser's complaint that nobody answers
	p.mu.Unlock()
}

// set puts a value into a field as a person would.
func set(selector, value string) action {
	return evaluate(`(() => { const c = document.querySelector("` + selector + `"); c.value = ` + quote(value) + `; c.dispatchEvent(new Event("input", { bubbles: true })); })()`)
}
