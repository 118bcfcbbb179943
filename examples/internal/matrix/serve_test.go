package matrix

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/golden"
)

// served starts the program on this machine, and returns the address of its page and a
// function that ends it and returns its error.
func served(t *testing.T) (address string, end func() error) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	r, w := io.Pipe()
	ended := make(chan error, 1)
	c := Serve
	c.Run = func(p *command.Program, args []string) error { return serve(ctx, p, args) }
	var stderr bytes.Buffer
	go func() {
		var err error
		if status := c.Do(&command.Program{Stdout: w, Stderr: &stderr}, []string{"-f", "testdata/cluster.json"}); status != 0 {
			err = fmt.Errorf("status %d: %s", status, &stderr)
		}
		ended <- err
	}()
	line, err := bufio.NewReader(r).ReadString('\n')
	if address = strings.TrimSpace(line); err != nil || !strings.HasPrefix(address, "http://127.0.0.1:") {
		t.Fatalf("%q, %v", line, err)
	}
	return address, func() error {
		stop()
		select {
		case err := <-ended:
			return err
		case <-time.After(2 * endTime):
			return errors.New("it does not end")
		}
	}
}

// hasten makes the time limits of the server a fifth of what they are, until the test ends.
func hasten(t *testing.T) {
	limits := []*time.Duration{&headerTime, &readTime, &endTime}
	for _, d := range limits {
		*d /= 5
	}
	t.Cleanup(func() {
		for _, d := range limits {
			*d *= 5
		}
	})
}

// TestServe serves a page on this machine, asks it, and ends it while a connection is
// open.
func TestServe(t *testing.T) {
	hasten(t)
	address, end := served(t)
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil || response.StatusCode != 200 || !bytes.Contains(body, []byte(`data-live="true"`)) {
		t.Errorf("status %d, %v, %.100s", response.StatusCode, err, body)
	}
	response, err = http.Post(address+"ask/plan", "application/json", strings.NewReader(`{"plan":"kubectl cordon worker-1"}`))
	if err != nil {
		t.Fatal(err)
	}
	body, _ = io.ReadAll(response.Body)
	response.Body.Close()
	if !bytes.Contains(body, []byte(`<strong>1</strong> nodes affected`)) {
		t.Errorf("%s", body)
	}
	idle, err := net.Dial("tcp", strings.Split(address, "/")[2])
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	if err := end(); err != nil {
		t.Error(err)
	}
	if _, err := http.Get(address); err == nil {
		t.Error("it still answers")
	}
}

// TestAttacks sends what a stranger might: as it is, because clients make it decent. Each
// answer has a status that refuses, and none has the page or the token.
func TestAttacks(t *testing.T) {
	address, end := served(t)
	parts := strings.SplitN(address, "/", 4)
	at, page := parts[2], "/"+parts[3]
	token := strings.Trim(page, "/")
	_, port, _ := net.SplitHostPort(at)
	for _, test := range []struct{ name, request, status string }{
		{"the page", "GET " + page + " HTTP/1.1\r\nHost: " + at, "200"},
		{"localhost", "GET " + page + " HTTP/1.1\r\nHost: localhost:" + port, "200"},
		{"without a port", "GET " + page + " HTTP/1.1\r\nHost: localhost", "200"},
		{"the other loopback", "GET " + page + " HTTP/1.1\r\nHost: [::1]:" + port, "200"},
		{"a name that was made to lead here", "GET " + page + " HTTP/1.1\r\nHost: evil.example:" + port, "421"},
		{"one that begins like an address", "GET " + page + " HTTP/1.1\r\nHost: 127.0.0.1.evil.example", "421"},
		{"one that ends like a name", "GET " + page + " HTTP/1.1\r\nHost: evil.localhost:" + port, "421"},
		{"no name", "GET " + page + " HTTP/1.1\r\nHost:", "421"},
		{"a missing name", "GET " + page + " HTTP/1.1\r\nX: y", "400"},
		{"another in the line", "GET http://evil.example" + page + " HTTP/1.1\r\nHost: " + at, "421"},
		{"no token", "GET / HTTP/1.1\r\nHost: " + at, "404"},
		{"another token", "GET /" + strings.Repeat("A", len(token)) + "/ HTTP/1.1\r\nHost: " + at, "404"},
		{"a long token", "GET /" + strings.Repeat("A", 5000) + "/ HTTP/1.1\r\nHost: " + at, "404"},
		{"the token as a query", "GET /?" + token + " HTTP/1.1\r\nHost: " + at, "404"},
		{"dots", "GET " + page + "../../../etc/passwd HTTP/1.1\r\nHost: " + at, "404"},
		{"dots in disguise", "GET " + page + "%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: " + at, "404"},
		{"a slash in disguise", "GET /x%2F.." + page + " HTTP/1.1\r\nHost: " + at, "404"},
		{"two slashes", "GET /" + page + " HTTP/1.1\r\nHost: " + at, "404"},
		{"a byte zero", "GET " + page + "%00 HTTP/1.1\r\nHost: " + at, "404"},
		{"PUT", "PUT " + page + " HTTP/1.1\r\nContent-Length: 0\r\nHost: " + at, "405"},
		{"DELETE", "DELETE " + page + " HTTP/1.1\r\nHost: " + at, "405"},
		{"a method nobody knows", "STEAL " + page + " HTTP/1.1\r\nHost: " + at, "405"},
		{"a proxy", "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443", "421"},
		{"another protocol", "HELO evil.example", "400"},
		{"a preflight", "OPTIONS " + page + "ask/plan HTTP/1.1\r\nOrigin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\nHost: " + at, "405"},
		{"a form", "POST " + page + "ask/plan HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nHost: " + at + "\r\n\r\n{}", "415"},
		{"two lengths", "POST " + page + "ask/plan HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 3\r\nHost: " + at + "\r\n\r\n{}", "400"},
		{"much to say", "POST " + page + "ask/plan HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\nHost: " + at + "\r\n\r\n" + `{"plan":"` + strings.Repeat("x", 70<<10), "413"},
		{"long headers", "GET " + page + " HTTP/1.1\r\nHost: " + at + "\r\nX: " + strings.Repeat("x", 64<<10), "431"},
	} {
		connection, err := net.Dial("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		connection.SetDeadline(time.Now().Add(2 * readTime))
		io.WriteString(connection, test.request+"\r\n\r\n") // it may hang up before all is said
		line, _ := bufio.NewReader(connection).ReadString('\n')
		connection.Close()
		if !strings.HasPrefix(line, "HTTP/1.1 "+test.status+" ") && !strings.HasPrefix(line, "HTTP/1.0 "+test.status+" ") {
			t.Errorf("%s: got %q, want the status %s", test.name, line, test.status)
		}
		if strings.Contains(line, token) {
			t.Errorf("%s: the answer has the token", test.name)
		}
	}
	if err := end(); err != nil {
		t.Error(err)
	}
}

// TestSlowClients shows that clients who say little are hung up on, and that nobody else
// waits for them.
func TestSlowClients(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the time limits")
	}
	hasten(t)
	address, end := served(t)
	at := strings.Split(address, "/")[2]
	for _, text := range []string{"", "GET / HT", "GET / HTTP/1.1\r\nHost: x\r\n", "POST " + address + "ask/plan HTTP/1.1\r\nHost: " + at + "\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"} {
		t.Run(strings.Fields(text + " nothing")[0], func(t *testing.T) {
			t.Parallel()
			connection, err := net.Dial("tcp", at)
			if err != nil {
				t.Fatal(err)
			}
			defer connection.Close()
			io.WriteString(connection, text)
			connection.SetReadDeadline(time.Now().Add(3 * readTime))
			if _, err := io.Copy(io.Discard, connection); err != nil {
				t.Errorf("the server does not hang up: %v", err)
			}
		})
	}
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	t.Cleanup(func() {
		if err := end(); err != nil {
			t.Error(err)
		}
	})
}

// TestOnlyHere shows that a server for other machines answers to any name.
func TestOnlyHere(t *testing.T) {
	next := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	for at, want := range map[string]int{"127.0.0.1": 421, "::1": 421, "192.0.2.1": 418, "0.0.0.0": 418} {
		w := httptest.NewRecorder()
		onlyHere(next, &net.TCPAddr{IP: net.ParseIP(at)}).ServeHTTP(w, httptest.NewRequest("GET", "http://cluster.example/", nil))
		if w.Code != want {
			t.Errorf("%s: status %d, want %d", at, w.Code, want)
		}
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
	for address, want := range map[string]string{
		"256.0.0.1:1": "tolero serve: listen tcp: ",
		"localhost":   "tolero serve: the address must be such as :8080 or 127.0.0.1:0, not \"localhost\"\n",
	} {
		if status, stdout, stderr := golden.Run(&Serve, "", address); status != 2 || stdout != "" || !strings.HasPrefix(stderr, want) {
			t.Errorf("%s: status %d, %q, %q", address, status, stdout, stderr)
		}
	}
}
