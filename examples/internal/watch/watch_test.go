package watch

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/golden"
)

// session is tolero watch with a kubectl that says what the test writes.
type session struct {
	*testing.T
	folder string
	opened map[string]int
	lines  chan string
	stderr bytes.Buffer
	status chan int
	stop   func()
}

// release ends what still waits for somebody to write, which would outlive the test.
func (s *session) release() {
	pipes, _ := filepath.Glob(filepath.Join(s.folder, "*[0-9]"))
	for _, name := range pipes {
		if f, err := os.OpenFile(name, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
			f.Close()
		}
	}
}

// begin runs tolero watch. The n-th kubectl for each kind reads its own pipe until it is closed.
func begin(t *testing.T) *session {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("there is no shell")
	}
	s := &session{T: t, folder: t.TempDir(), opened: make(map[string]int), lines: make(chan string, 100), status: make(chan int, 1)}
	for _, kind := range kinds {
		for n := range 5 {
			if err := exec.Command("mkfifo", filepath.Join(s.folder, fmt.Sprint(kind, n+1))).Run(); err != nil {
				t.Skip(err)
			}
		}
	}
	t.Cleanup(s.release)
	script := `#!/bin/sh
cd ` + s.folder + `
n=1
while ! mkdir taken$2$n 2>/dev/null; do n=$((n+1)); done
cat $2$n
[ ! -e cause ] || { cat cause >&2; exit 1; }
`
	if err := os.WriteFile(filepath.Join(s.folder, "kubectl"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", s.folder+":/usr/bin:/bin")
	settle, most = 700*time.Millisecond, time.Minute // on a machine that is busy
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	t.Cleanup(stop)
	out, in := io.Pipe()
	go func() {
		for scanner := bufio.NewScanner(out); scanner.Scan(); {
			s.lines <- scanner.Text()
		}
		close(s.lines)
	}()
	go func() {
		c := Command
		c.Run = func(p *command.Program, args []string) error { return watch(ctx, p, args) }
		p := &command.Program{Stdout: in, Stderr: &s.stderr, Now: func() time.Time { return time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC) }}
		s.status <- c.Do(p, []string{"-width", "0"})
		in.Close()
	}()
	return s
}

// open lets the kubectl for a kind run, and returns what makes it speak.
func (s *session) open(kind string) *os.File {
	s.Helper()
	s.opened[kind]++
	file, err := os.OpenFile(filepath.Join(s.folder, fmt.Sprint(kind, s.opened[kind])), os.O_WRONLY, 0) // when kubectl runs
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { file.Close() }) // and not when it is garbage
	return file
}

// want fails the test unless these lines come next; what follows "taints ", why pods are pending,
// is tested elsewhere.
func (s *session) want(lines ...string) {
	s.Helper()
	for _, line := range lines {
		select {
		case got := <-s.lines:
			if exact, _, cut := strings.Cut(line, "taints "); got != "09:00:00 "+line && !(cut && strings.HasPrefix(got, "09:00:00 "+exact+"taints ")) {
				s.Fatalf("got  %s\nwant %s", got, line)
			}
		case <-time.After(time.Minute):
			s.Fatalf("no line; want %s", line)
		}
	}
}

func node(name, taints string) string {
	return fmt.Sprintf(`{"kind": "Node", "apiVersion": "v1", "metadata": {"name": %q}, "spec": {"taints": [%s]}}`, name, taints)
}

func pod(name, node, more string) string {
	return fmt.Sprintf(`{"kind": "Pod", "apiVersion": "v1", "metadata": {"name": %q, "namespace": "shop"}, "spec": {"nodeName": %q%s}}`, name, node, more)
}

func event(kind, object string) string {
	return fmt.Sprintf("{\n    \"type\": %q,\n    \"object\": %s\n}\n", kind, object)
}

const (
	gpu   = `{"key": "gpu", "effect": "NoSchedule"}`
	drain = `{"key": "drain", "effect": "NoExecute", "timeAdded": "2026-03-02T08:59:00Z"}`
	stays = `, "tolerations": [{"key": "drain", "tolerationSeconds": 300, "operator": "Exists"}]`
)

// What is so already is told first, and then what changes; also what changed while kubectl did
// not run.
func TestWatch(t *testing.T) {
	s := begin(t)
	both := command.Some([]string{"Pod shop/r", "Pod shop/s"})
	nodes, pods := s.open("nodes"), s.open("pods")
	fmt.Fprint(nodes, event("ADDED", node("a", gpu)), event("ADDED", node("b", "")))
	fmt.Fprint(pods, event("ADDED", pod("p", "b", stays)), event("ADDED", pod("q", "b", "")), event("ADDED", pod("done", "b", `}, "status": {"phase": "Succeeded"`)))
	s.want("2 nodes and 2 pods", "tainted: Node a: gpu:NoSchedule")

	fmt.Fprint(nodes, event("MODIFIED", node("b", drain)))
	s.want("tainted: Node b: drain:NoExecute", "to be evicted: Pod shop/q: from b at 08:59:00: drain:NoExecute", "to be evicted: Pod shop/p: from b at 09:04:00: drain:NoExecute")
	fmt.Fprint(pods, event("DELETED", pod("q", "b", "")), event("ADDED", pod("r", "", "")), event("ADDED", pod("s", "", "")))
	s.want("pending: "+both+": taints ", "gone, and was to be evicted: Pod shop/q")
	fmt.Fprint(nodes, event("MODIFIED", node("b", "")))
	s.want("no longer tainted: Node b", "pending: "+both+": taints ", "no longer to be evicted: Pod shop/p")
	fmt.Fprint(pods, event("MODIFIED", pod("r", "b", "")))
	s.want("no longer pending: Pod shop/r")
	fmt.Fprint(nodes, event("MODIFIED", node("a", gpu+`, {"key": "gone", "effect": "NoSchedule"}`)))
	s.want("tainted: Node a: gpu:NoSchedule,gone:NoSchedule") // and that s waits for another reason of the same kind is no news

	pods.Close() // as when the API server has watched for long enough
	fmt.Fprint(nodes, event("DELETED", node("b", "")))
	s.want("pending: Pod shop/s: taints ")
	pods = s.open("pods")
	fmt.Fprint(pods, event("ADDED", pod("p", "b", stays)))
	s.want("gone, and was pending: Pod shop/s")

	s.stop()
	if status := <-s.status; status != command.Success || s.stderr.Len() > 0 {
		t.Errorf("status %d, %s", status, &s.stderr)
	}
	for line := range s.lines {
		t.Errorf("one more line: %s", line)
	}
}

// A kubectl that fails later runs again, and the user hears why; one that fails at once is the
// end.
func TestFailures(t *testing.T) {
	s := begin(t)
	nodes, pods := s.open("nodes"), s.open("pods")
	fmt.Fprint(nodes, event("ADDED", node("a", "")))
	fmt.Fprint(pods, event("ADDED", pod("p", "a", "")))
	s.want("1 node and 1 pod")
	fmt.Fprint(pods, event("ERROR", `{"kind": "Status", "code": 410}`))
	pods = s.open("pods")
	fmt.Fprint(pods, event("ADDED", pod("p", "", "")))
	s.want("pending: Pod shop/p: taints ")
	fmt.Fprint(nodes, "no JSON\n")
	nodes = s.open("nodes")
	fmt.Fprint(nodes, event("ADDED", node("a", gpu)))
	s.want("tainted: Node a: gpu:NoSchedule", "pending: Pod shop/p: taints ")
	cause := filepath.Join(s.folder, "cause")
	if err := os.WriteFile(cause, []byte("the token has expired\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	pods.Close()
	pods = s.open("pods")
	if err := os.Remove(cause); err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(pods, event("ADDED", pod("p", "a", "")))
	s.want("no longer pending: Pod shop/p")
	s.stop()
	const want = "tolero watch: kubectl get pods: the API server has ended the watch; it runs again\n" +
		"tolero watch: kubectl get nodes: invalid character 'o' in literal null (expecting 'u'); it runs again\n" +
		"tolero watch: kubectl get pods: the token has expired; it runs again\n"
	if status := <-s.status; status != command.Success || golden.Unwrapped(s.stderr.String()) != want {
		t.Errorf("status %d, %s", status, &s.stderr)
	}

	s = begin(t)
	if err := os.WriteFile(filepath.Join(s.folder, "cause"), []byte("nodes is forbidden\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.open("nodes").Close()
	if status := <-s.status; status != command.Trouble || s.stderr.String() != "tolero watch: kubectl get nodes: nodes is forbidden\n" {
		t.Errorf("status %d, %s", status, &s.stderr)
	}
}

// The command line has nothing that is for other commands.
func TestUsage(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for line, want := range map[string]string{
		"":        "kubectl is not on the PATH",
		"-f x":    "tolero watch: tolero watch reads the cluster",
		"-o json": "tolero watch: tolero watch reads the cluster",
		"x":       "tolero watch: unexpected argument",
	} {
		var stderr bytes.Buffer
		p := &command.Program{Stdout: io.Discard, Stderr: &stderr, Now: time.Now}
		c := Command
		if status := c.Do(p, strings.Fields(line)); status != command.Trouble || !strings.Contains(stderr.String(), want) {
			t.Errorf("%q: status %d, %s", line, status, &stderr)
		}
	}
}
