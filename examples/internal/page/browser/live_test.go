package browser

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// serve runs tolero serve on a dump, and returns the address that it prints and a
// function that ends it.
func serve(t *testing.T, dump []byte) (address string, end func()) {
	t.Helper()
	chromium(t)
	in := filepath.Join(t.TempDir(), "dump.json")
	if err := os.WriteFile(in, dump, 0o600); err != nil {
		t.Fatal(err)
	}
	return startServer(t, "-f", in)
}

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

// running makes a dump of nodes in pools and pods that run on them.
func running(nodes, pods int) []byte {
	var b strings.Builder
	b.WriteString(`{"kind":"List","apiVersion":"v1","items":[`)
	for i := range nodes {
		fmt.Fprintf(&b, `{"kind":"Node","apiVersion":"v1","metadata":{"name":"node-%05d","labels":{"karpenter.sh/nodepool":"pool-%d"}},"spec":{"taints":[{"key":"pool","value":"p%d","effect":"NoSchedule"}]}},`, i, i%20, i%20)
	}
	for i := range pods {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"pod-%06d","namespace":"ns-%d","ownerReferences":[{"kind":"ReplicaSet","name":"app-%d","uid":"u%d","controller":true}]},"spec":{"nodeName":"node-%05d","tolerations":[{"key":"pool","operator":"Equal","value":"p%d","effect":"NoSchedule"},{"key":"slow-%d","operator":"Exists","effect":"NoExecute","tolerationSeconds":%d}]}}`,
			i, i%50, i%250, i%250, i%nodes, i%nodes%20, i%100, 30+i%100)
	}
	b.WriteString("]}")
	return []byte(b.String())
}

const answer = `document.querySelector("#answer").innerText`

// TestWhatIf types plans into the box, for a small cluster and for one of 5,000 nodes
// and 150,000 pods.
func TestWhatIf(t *testing.T) {
	for _, size := range []struct{ nodes, pods int }{{50, 500}, {5000, 150_000}} {
		t.Run(fmt.Sprint(size.nodes, " nodes"), func(t *testing.T) {
			if testing.Short() && size.nodes > 50 {
				t.Skip("large")
			}
			address, end := serve(t, running(size.nodes, size.pods))
			p := open(t, address, address)
			p.wait(`performance.getEntriesByName("ready").length`)
			t.Logf("%-28s %4.0f ms", "ready", eval[float64](p, `performance.getEntriesByName("ready")[0].startTime`))
			each := size.pods / size.nodes
			p.step("view", `document.querySelector("#view-whatif").offsetHeight > 0`, chromedp.Click("#tab-whatif"))
			p.step("a half-typed plan", `document.querySelector("#answer .errors")`, chromedp.SendKeys("#plan", "kubectl taint nodes node-00001"))
			p.step("a plan", answer+fmt.Sprintf(`.includes("1 node is affected, %d pods are evicted")`, each), chromedp.SendKeys("#plan", " maintenance:NoExecute"))
			p.step("who is evicted", answer+`.includes("at once, because of maintenance:NoExecute")`)
			p.step("a line more", answer+`.includes("2 nodes are affected")`, chromedp.SendKeys("#plan", "\rkubectl cordon node-00002"))
			all := "kubectl taint nodes --all slow-7:NoExecute maintenance-\nkubectl taint nodes --tainted pool=p3 gone:NoExecute\ntolerations pool:NoSchedule ReplicaSet ns-1/app-1"
			p.step("a wrong plan", `document.querySelector("#answer .errors")`, set("#plan", all))
			p.step("every node and pod", answer+`.includes("`+number(size.nodes)+` nodes are affected")`, set("#plan", strings.Replace(all, " maintenance-", "", 1)))
			p.step("limits", answer+`.includes("are allowed")`, set("#limit-maxPods", fmt.Sprint(size.pods/5)))
			p.step("stages", `document.querySelectorAll("#answer ol li").length > 1`)
			p.step("copy", `[...document.querySelectorAll("#answer button")].some((b) => b.innerText === "Copied" || b.innerText.includes("below"))`, chromedp.Click(`//button[text()="Copy as kubectl commands"]`))
			p.step("a limit that is none", `document.querySelector("#answer .errors")`, set("#limit-maxPercent", "200"))
			p.step("no such limit", `!document.querySelector("#answer .errors")`, set("#limit-maxPercent", ""))
			p.shot(fmt.Sprint("whatif-", size.nodes, ".png"))
			p.step("a budget", answer+`.includes("of budget \"web\" are evicted, and 0 are allowed")`, set("#budgets", "web=0:ReplicaSet ns-1/app-1\nall=1000000"))
			p.step("a budget that is none", `document.querySelector("#answer .errors")`, set("#budgets", "web"))
			p.step("a limit for each owner", answer+`.includes("pods of \"ReplicaSet ns-0/app-0\" are evicted, and 1 is allowed")`, set("#budgets", ""), set("#limit-maxPods", ""), set("#limit-maxPerOwner", "1"))
			p.step("a share", answer+`.includes("are allowed by the share of running pods")`, set("#limit-maxPerOwner", ""), set("#limit-maxPercent", "5"))
			p.step("limits in the address", `location.hash.includes("maxPercent=5")`)
			p.step("all limits are kept", answer+`.includes("The limit is kept")`, set("#plan", "kubectl cordon node-00003"))
			p.step("no limit", answer+`.includes("None are set")`, set("#limit-maxPercent", ""))
			p.step("hostile words", answer+`.includes("<img")`, set("#plan", `kubectl cordon <img src=x onerror=alert(1)>`))
			p.run(chromedp.Navigate("about:blank"), chromedp.Navigate(address+"#tab=whatif&plan=kubectl+cordon+node-00003"))
			p.ready()
			p.step("a plan in the address", answer+`.includes("1 node is affected")`)
			if script := os.Getenv("AXE"); script != "" && size.nodes == 50 {
				p.run(chromedp.Evaluate[chromedp.Void](axe(t)))
				for _, violation := range p.violations() {
					t.Error(violation)
				}
			}
			end()
			p.mu.Lock()
			p.faults = nil // what comes is the browser's complaint that nobody answers
			p.mu.Unlock()
			p.step("the program has ended", answer+`.includes("does not answer")`, set("#plan", "kubectl cordon node-00004"))
			p.mu.Lock()
			p.faults = nil
			p.mu.Unlock()
		})
	}
}

// set puts a value into a field as a person would.
func set(selector, value string) action {
	return chromedp.Evaluate[chromedp.Void](`(() => { const c = document.querySelector("` + selector + `"); c.value = ` + quote(value) + `; c.dispatchEvent(new Event("input", { bubbles: true })); })()`)
}

func number(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}
