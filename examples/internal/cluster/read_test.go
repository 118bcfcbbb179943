package cluster

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/progress"
)

// fake puts a kubectl on the PATH: a shell script, in which $kind is what it is to get.
func fake(t *testing.T, script string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("there is no shell")
	}
	folder := t.TempDir()
	text := "#!/bin/sh\nset -f\nkind=$2\n" + script + "\n"
	if err := os.WriteFile(filepath.Join(folder, "kubectl"), []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+":/usr/bin:/bin")
}

// result is what Read returned, and all it did.
type result struct {
	read, told []string
	unread     []Unread
	err        error
}

func readAll(o *Options, kinds ...string) (r result) {
	r.unread, r.err = o.Read(io.Discard, kinds, func(text string) { r.told = append(r.told, text) }, func(name string, in io.Reader) error {
		text, err := io.ReadAll(in)
		r.read = append(r.read, name+" "+string(text))
		if bytes.Contains(text, []byte("broken")) {
			err = errors.New("broken")
		}
		return err
	})
	return r
}

const list = `echo "{$kind}"`

// Each way in which kubectl can fail, and what is left of the answer.
func TestRead(t *testing.T) {
	const forbidden = `Error from server (Forbidden): pods is forbidden: User "jane" cannot list resource "pods" in API group "" at the cluster scope`
	for name, c := range map[string]struct {
		script string
		o      Options
		read   string // by the kinds nodes, pods and claims
		unread []Unread
		err    string
	}{
		"all is well":     {list, Options{}, "nodes pods claims", nil, ""},
		"one forbidden":   {`[ $kind != pods ] || { echo '` + forbidden + `' >&2; exit 1; }; ` + list, Options{}, "nodes claims", []Unread{{"pods", forbidden + "; -namespace NAME reads one namespace"}}, ""},
		"nodes forbidden": {`[ $kind != nodes ] || { echo 'no, at the cluster scope' >&2; exit 1; }; ` + list, Options{}, "pods claims", []Unread{{"nodes", "no, at the cluster scope"}}, ""},
		"forbidden in a namespace": {`[ $kind != pods ] || { echo 'no, at the cluster scope' >&2; exit 1; }; ` + list, Options{Namespace: "x"}, "nodes claims",
			[]Unread{{"pods", "no, at the cluster scope"}, {"pods", "those of other namespaces than x; nodes may have less free than is told"}}, ""},
		"forbidden, and an empty list": {`[ $kind != claims ] || { echo '{}'; echo no >&2; exit 1; }; ` + list, Options{}, "nodes pods", []Unread{{"claims", "no"}}, ""},
		"a namespace":                  {list, Options{Namespace: "x"}, "nodes pods claims", []Unread{{"pods", "those of other namespaces than x; nodes may have less free than is told"}}, ""},
		"no such kind":                 {`[ $kind != claims ] || { echo "error: the server doesn't have a resource type \"claims\"" >&2; exit 1; }; ` + list, Options{}, "nodes pods", nil, ""},
		"no cluster": {`echo 'E1125 09:00:00.000000 1 memcache.go:265] x' >&2; echo 'The connection was refused' >&2; exit 1`, Options{}, "", nil,
			"kubectl: The connection was refused"},
		"all forbidden":          {`echo no $kind >&2; exit 1`, Options{}, "", nil, "kubectl get nodes: no nodes\nkubectl get pods: no pods\nkubectl get claims: no claims"},
		"forbidden or not there": {`case $kind in claims) echo "error: the server doesn't have a resource type \"claims\"";; *) echo no $kind;; esac >&2; exit 1`, Options{}, "", nil, "kubectl get nodes: no nodes\nkubectl get pods: no pods"},
		"no kind at all":         {`echo "error: the server doesn't have a resource type" >&2; exit 1`, Options{}, "", nil, ""},
		"without a word":         {`exit 3`, Options{}, "", nil, "kubectl: exit status 3"},
		"nothing is printed":     {`[ $kind = nodes ] || ` + list, Options{}, "", nil, "kubectl get nodes printed nothing"},
		"the output is cut":      {`echo broken; echo 'lost connection' >&2; exit 1`, Options{}, "nodes", nil, "lost connection (broken)"},
		"the output is no list":  {`echo broken`, Options{}, "nodes", nil, "broken"},
		"one is killed":          {`[ $kind != pods ] || kill -9 $$; ` + list, Options{}, "nodes claims", []Unread{{"pods", "signal: killed"}}, ""},
		"one is slow":            {`[ $kind != pods ] || exec sleep 20; ` + list, Options{Timeout: time.Second}, "nodes claims", []Unread{{"pods", "no answer for 1s; -timeout sets how long to wait"}}, ""},
		"one begins and stalls":  {`[ $kind != pods ] || { echo broken; exec sleep 20; }; ` + list, Options{Timeout: time.Second}, "nodes pods", nil, "no answer for 1s; -timeout sets how long to wait (broken)"},
		"a plugin prints tokens": {`echo 'token: abc.def, Authorization: Bearer xyz' >&2; echo '{"token": "abc"} eyJhbGciOiJSUzI1NiIs.eyJpc3Mi.c2ln' >&2; exit 1`, Options{}, "", nil, `kubectl: token: (hidden), Authorization: Bearer (hidden); {"token": "(hidden)"} (hidden)`},
	} {
		t.Run(name, func(t *testing.T) {
			fake(t, c.script)
			r := readAll(&c.o, "nodes", "pods", "claims")
			var read []string
			for _, text := range r.read {
				if kind := strings.Fields(text)[2]; !strings.Contains(text, "{}") {
					read = append(read, kind)
				}
			}
			text := ""
			if r.err != nil {
				text = r.err.Error()
			}
			if got := strings.Join(read, " "); got != c.read || !reflect.DeepEqual(r.unread, c.unread) || text != c.err {
				t.Errorf("read %q, unread %q, error %q\nwant %q, %q, %q", got, r.unread, text, c.read, c.unread, c.err)
			}
			for i, kind := range []string{"nodes", "pods", "claims"} {
				if i >= len(r.told) || !strings.HasPrefix(r.told[i], "kubectl get "+kind) {
					t.Errorf("told %q, and not that it runs kubectl get %s", r.told, kind)
				}
			}
		})
	}
}

// The flags reach kubectl as the user gave them, each as one word, and nothing else does than
// to get objects.
func TestArguments(t *testing.T) {
	fake(t, `printf '<%s>' "$@"`)
	for want, args := range map[string][]string{
		"<--all-namespaces>":    {"-cluster"},
		"<--namespace=shop>":    {"-n", "shop"},
		"<--namespace=--token>": {"-namespace", "--token"},
		"<--context=a b><--kubeconfig=c;reboot><--all-namespaces>": {"--context", "a b", "-kubeconfig=c;reboot"},
	} {
		var o Options
		flags := flag.NewFlagSet("", flag.ContinueOnError)
		o.Flags(flags)
		if err := flags.Parse(args); err != nil || !o.Wanted {
			t.Errorf("%q: %t, %v", args, o.Wanted, err)
		}
		if r := readAll(&o, "nodes"); r.err != nil || !slices.Equal(r.read, []string{"kubectl get nodes <get><nodes><--output=json>" + want}) {
			t.Errorf("%q: %q, %v", args, r.read, r.err)
		}
	}
}

// Without kubectl the user hears what to do.
func TestNoKubectl(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if r := readAll(&Options{}, "nodes", "pods"); r.err == nil || r.err.Error() != "kubectl is not on the PATH: install it, or give what it prints elsewhere with -f" {
		t.Errorf("%+v", r)
	}
}

// All kinds are asked for at the same time: each waits here until all others run.
func TestParallel(t *testing.T) {
	folder := t.TempDir()
	fake(t, `touch `+folder+`/$kind; while ! [ -e `+folder+`/a -a -e `+folder+`/b -a -e `+folder+`/c ]; do sleep 0.01; done; `+list)
	if r := readAll(&Options{Timeout: time.Minute}, "a", "b", "c"); r.err != nil || len(r.read) != 3 || r.unread != nil {
		t.Errorf("%+v", r)
	}
}

// What kubectl prints goes on as it comes: far more than anybody holds, and its reader gets the
// beginning while kubectl still prints.
func TestStream(t *testing.T) {
	gate := filepath.Join(t.TempDir(), "gate")
	fake(t, `echo begin; while ! [ -e `+gate+` ]; do sleep 0.01; done; echo end`)
	_, err := new(Options).Read(io.Discard, []string{"nodes"}, func(string) {}, func(_ string, in io.Reader) error {
		p := make([]byte, 5)
		if _, err := io.ReadFull(in, p); err != nil || string(p) != "begin" {
			return fmt.Errorf("%q, %w", p, err)
		}
		if err := os.WriteFile(gate, nil, 0o600); err != nil {
			return err
		}
		rest, err := io.ReadAll(in)
		if string(rest) != "\nend\n" {
			t.Errorf("the rest is %q", rest)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// A terminal shows which kind is read, one after the other.
func TestProgress(t *testing.T) {
	fake(t, list)
	var labels []string
	progress.Observe = func(label string) { labels = append(labels, label) }
	defer func() { progress.Observe = nil }()
	if r := readAll(&Options{}, "nodes", "pods"); r.err != nil || !slices.Equal(labels, []string{"kubectl get nodes", "kubectl get pods"}) {
		t.Errorf("%q, %v", labels, r.err)
	}
}

// A kubectl of whose output nobody wants the rest is ended, and the reason is told.
func TestRest(t *testing.T) {
	fake(t, `exec yes`)
	broken := errors.New("broken")
	if _, err := new(Options).Read(io.Discard, []string{"nodes", "pods"}, func(string) {}, func(string, io.Reader) error { return broken }); err != broken {
		t.Errorf("%v", err)
	}
}

// A watch goes on after a kubectl that had nothing to say, and after one that fails later.
func TestWatch(t *testing.T) {
	defer func(short time.Duration) { shortest = short }(shortest)
	shortest = time.Millisecond
	fake(t, `cd `+t.TempDir()+`
case $(ls) in
"") touch 1;;
1) touch 2; echo later >&2; exit 1;;
*) echo '{"type": "ADDED", "object": {}}'; exec sleep 20;;
esac`)
	ctx, stop := context.WithCancel(context.Background())
	var got []string
	err := new(Options).Watch(ctx, "nodes", func(e Event) {
		if got = append(got, fmt.Sprintf("%s %s %v", e.Kind, e.Type, e.Err)); e.Type != "" {
			stop()
		}
	})
	if want := []string{"nodes  <nil>", "nodes  <nil>", "nodes  later", "nodes ADDED <nil>"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
}

// Whatever kubectl has started and left with its output open does not keep the program.
func TestLeftOver(t *testing.T) {
	folder := t.TempDir()
	fake(t, `cd `+folder+`; (n=0; while ! [ -e gate ] && [ $n -lt 300 ]; do sleep 0.1; n=$((n+1)); done; [ -e gate ] || touch late) & exit 1`)
	r := readAll(&Options{Timeout: time.Second}, "nodes")
	if err := os.WriteFile(filepath.Join(folder, "gate"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, late := os.Stat(filepath.Join(folder, "late")); late == nil || r.err == nil {
		t.Errorf("%+v, %v", r, late)
	}
}

// Of what kubectl says the end is kept.
func TestTail(t *testing.T) {
	var said tail
	for range 1000 {
		_, _ = said.Write([]byte("0123456789"))
	}
	_, _ = said.Write([]byte("\nthe end"))
	if text := said.message(); len(text) > mostSaid+2 || !strings.HasSuffix(text, "9; the end") {
		t.Errorf("%d bytes, %.20s", len(text), text)
	}
}
