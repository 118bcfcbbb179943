package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestServe serves a page on this machine, asks it, and ends it while a connection is
// open.
func TestServe(t *testing.T) {
	var stderr bytes.Buffer
	p := &program{stdin: strings.NewReader(""), stderr: &stderr, now: time.Now}
	o, err := parseOptions([]string{"-f", "testdata/cluster.json", "-serve", ":0"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	r, w := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- p.serve(ctx, o, w) }()
	line, err := bufio.NewReader(r).ReadString('\n')
	address := strings.TrimSpace(line)
	if err != nil || !strings.HasPrefix(address, "http://127.0.0.1:") {
		t.Fatalf("%q, %v", line, err)
	}
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil || response.StatusCode != 200 || !bytes.Contains(body, []byte(`"live":"whatif"`)) {
		t.Errorf("status %d, %v, %.100s", response.StatusCode, err, body)
	}
	response, err = http.Post(address+"whatif", "application/json", strings.NewReader(`{"plan":"kubectl cordon worker-1"}`))
	if err != nil {
		t.Fatal(err)
	}
	body, _ = io.ReadAll(response.Body)
	response.Body.Close()
	if !bytes.Contains(body, []byte(`"summary":{"nodes":1,`)) {
		t.Errorf("%s", body)
	}
	idle, err := net.Dial("tcp", strings.Split(address, "/")[2])
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	stop()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(2 * endTime):
		t.Error("it does not end")
	}
	if _, err := http.Get(address); err == nil {
		t.Error("it still answers")
	}
}

func TestLoopback(t *testing.T) {
	for given, want := range map[string]string{":8080": "127.0.0.1:8080", "localhost:0": "localhost:0", "0.0.0.0:80": "0.0.0.0:80", "[::1]:0": "[::1]:0", "x": "x"} {
		if got := loopback(given); got != want {
			t.Errorf("%q: got %q, want %q", given, got, want)
		}
	}
}

// TestServeNowhere shows that an address that cannot be used is an error.
func TestServeNowhere(t *testing.T) {
	r := sweep(t, "", "-serve", "256.0.0.1:1")
	if r.status != 1 || r.stdout != "" || !strings.HasPrefix(r.stderr, "sweep: listen tcp: ") {
		t.Errorf("got %+v", r)
	}
}
