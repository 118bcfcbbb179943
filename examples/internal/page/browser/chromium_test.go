package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// program is the path of tolero, built once.
var program string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "tolero-browser-")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "tolero")
	build := exec.Command("go", "build", "-o", program, "./examples/tolero")
	build.Dir = filepath.Join("..", "..", "..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		os.Stderr.Write(out)
		os.Exit(1)
	}
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// chromium returns the browser to test with, and skips the test if there is none.
func chromium(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("CHROMIUM"); path != "" {
		return path
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "headless-shell"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("SKIPPED: no Chromium is installed, so the page is not tested in a browser; set CHROMIUM to its path")
	return ""
}

// page is a page in a browser, and all that went wrong in it.
type page struct {
	*testing.T
	ctx  context.Context
	base string // what the page may ask for

	mu     sync.Mutex
	faults []string
}

// open starts a browser and opens a page. Anything in its console and any request to
// another place than base fails the test when it ends.
func open(t *testing.T, url, base string, options ...chromedp.ExecAllocatorOption) *page {
	t.Helper()
	options = append(append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium(t)), chromedp.NoSandbox, chromedp.WindowSize(1400, 1000)), options...)
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	p := &page{T: t, ctx: ctx, base: base}
	if err := chromedp.Listen(ctx, p.listen); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, fault := range p.faults {
			t.Error(fault)
		}
	})
	call(p, network.Enable, network.EnableParams{})
	call(p, log.Enable, cdp.Empty{})
	p.run(chromedp.Navigate(url))
	p.ready()
	return p
}

func (p *page) listen(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		p.faults = append(p.faults, "console: "+string(e.Type))
	case *runtime.EventExceptionThrown:
		p.faults = append(p.faults, "exception: "+fmt.Sprintf("%+v", e.ExceptionDetails.Exception))
	case *log.EventEntryAdded:
		p.faults = append(p.faults, "log: "+e.Entry.Text+" "+e.Entry.URL)
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, p.base) && !strings.HasPrefix(e.Request.URL, "data:") {
			p.faults = append(p.faults, "request: "+e.Request.URL)
		}
	}
}

// action is something that is done to the page.
type action = chromedp.Action[chromedp.Void]

func (p *page) run(actions ...action) {
	p.Helper()
	ctx, stop := context.WithTimeout(p.ctx, time.Minute)
	defer stop()
	if err := chromedp.Do(ctx, actions...); err != nil {
		p.Fatal(err)
	}
}

// get returns the result of an action.
func get[T any](p *page, a chromedp.Action[T]) T {
	p.Helper()
	ctx, stop := context.WithTimeout(p.ctx, time.Minute)
	defer stop()
	v, err := chromedp.Run(ctx, a)
	if err != nil {
		p.Fatal(err)
	}
	return v
}

// call runs a command of the protocol.
func call[P, R any](p *page, command cdp.Command[P, R], params P) R {
	p.Helper()
	result, err := chromedp.Call(p.ctx, command, params)
	if err != nil {
		p.Fatal(err)
	}
	return result
}

func (p *page) ready() {
	p.Helper()
	p.run(chromedp.WaitReady(`html[data-ready="true"]`))
}

// eval returns the value of an expression in the page.
func eval[T any](p *page, expression string) T {
	p.Helper()
	return get(p, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// text returns the text of an element as it is shown.
func (p *page) text(selector string) string {
	p.Helper()
	return eval[string](p, `document.querySelector(`+quote(selector)+`).innerText`)
}

// step does something and waits until the page is painted again and the condition is
// true. It reports how long that took.
func (p *page) step(name, condition string, actions ...action) {
	p.Helper()
	start := time.Now()
	p.run(actions...)
	p.wait(condition)
	eval[bool](p, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
	p.Logf("%-28s %4d ms", name, time.Since(start).Milliseconds())
}

func quote(text string) string {
	return "`" + strings.NewReplacer("\\", "\\\\", "`", "\\`", "$", "\\$").Replace(text) + "`"
}

// wait waits until the condition is true.
func (p *page) wait(condition string) {
	p.Helper()
	for deadline := time.Now().Add(10 * time.Second); !eval[bool](p, "!!("+condition+")"); {
		if time.Now().After(deadline) {
			p.Fatalf("never true: %s; address %s; shown: %.500s", condition, eval[string](p, "location.hash"), p.text(".shown"))
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// shot keeps a screenshot where SHOTS asks for it.
func (p *page) shot(name string) {
	p.Helper()
	p.keep(name, get(p, chromedp.CaptureScreenshot()))
}

func (p *page) keep(name string, content []byte) {
	p.Helper()
	if dir := os.Getenv("SHOTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			p.Fatal(err)
		}
	}
}

// written keeps a dump in a file.
func written(t *testing.T, dump []byte) (name string) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "dump.json")
	if err := os.WriteFile(name, dump, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// report runs tolero matrix on a dump and returns the URL of its page.
func report(t *testing.T, in string, args ...string) string {
	t.Helper()
	chromium(t)
	out := filepath.Join(t.TempDir(), "report.html")
	start := time.Now()
	cmd := exec.Command(program, append([]string{"matrix", "-f", in, "-html", out}, args...)...)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	info, err := os.Stat(out)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%-28s %4d ms, %d bytes", "tolero matrix -html", time.Since(start).Milliseconds(), info.Size())
	return "file://" + out
}
