package admission

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	v1 "k8s.io/api/admission/v1"

	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/policy"
)

// ask posts a body to a handler.
func ask(h http.Handler, method, content, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "/", strings.NewReader(body))
	r.Header.Set("Content-Type", content)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// review is a review with a request that has the fields.
func review(fields string) string {
	return `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u-1",` + fields + `}}`
}

// respond returns what a handler responds to a request with the fields.
func respond(t *testing.T, h http.Handler, fields string) *v1.AdmissionResponse {
	t.Helper()
	w := ask(h, http.MethodPost, "application/json; charset=utf-8", review(fields))
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/json" {
		t.Fatalf("%d %s: %s", w.Code, w.Header(), w.Body)
	}
	var answer v1.AdmissionReview
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatal(err)
	}
	if answer.APIVersion != "admission.k8s.io/v1" || answer.Kind != "AdmissionReview" || answer.Request != nil || answer.Response == nil || answer.Response.UID != "u-1" {
		t.Fatalf("not a review with a response: %s", w.Body)
	}
	return answer.Response
}

// noGPUs refuses what tolerates a taint of GPUs, except in namespace ml.
func noGPUs(t testing.TB) http.Handler {
	t.Helper()
	cluster, err := policy.New(policy.Spec{Denied: toleration.MustParseList("gpu")})
	if err != nil {
		t.Fatal(err)
	}
	policies := policy.Policies{Cluster: cluster}
	return Validate(func(r *v1.AdmissionRequest, list []toleration.Toleration) error {
		if r.Namespace == "ml" {
			return nil
		}
		return policies.Check(r.Namespace, list)
	})
}

func TestWhatIsNoReview(t *testing.T) {
	for _, c := range []struct {
		name, method, content, body string
		code                        int
		text                        string
	}{
		{"a get", "GET", "application/json", "", 405, `method "GET": want POST`},
		{"no content type", "POST", "", review(""), 415, `content type "": want application/json`},
		{"YAML", "POST", "application/yaml", review(""), 415, `content type "application/yaml": want application/json`},
		{"nothing", "POST", "application/json", "", 400, "the body: "},
		{"half of it", "POST", "application/json", `{"apiVersion":`, 400, "the body: "},
		{"two", "POST", "application/json", review(`"name":"a"`) + review(`"name":"b"`), 400, "the body: "},
		{"a list", "POST", "application/json", `[]`, 400, "the body: want an object, got a list"},
		{"a uid that is none", "POST", "application/json", strings.Replace(review(`"name":"a"`), `"u-1"`, "1", 1), 400, "request.uid: want a string, got a number"},
		{"a request that is none", "POST", "application/json", `{"request":"x"}`, 400, "request: want an object, got a string"},
		{"a dry run that is none", "POST", "application/json", review(`"dryRun":[]`), 400, "request.dryRun: want true or false, got a list"},
		{"groups that are none", "POST", "application/json", review(`"userInfo":{"groups":{}}`), 400, "request.userInfo.groups: want a list, got an object"},
		{"beta", "POST", "application/json", `{"apiVersion":"admission.k8s.io/v1beta1","kind":"AdmissionReview"}`, 400, `apiVersion "admission.k8s.io/v1beta1": want "admission.k8s.io/v1"`},
		{"another kind", "POST", "application/json", `{"apiVersion":"admission.k8s.io/v1","kind":"Pod"}`, 400, `kind "Pod": want "AdmissionReview"`},
		{"null", "POST", "application/json", `null`, 400, `apiVersion "": want "admission.k8s.io/v1"`},
		{"no request", "POST", "application/json", `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}`, 400, "request: missing"},
		{"no uid", "POST", "application/json", `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{}}`, 400, "request.uid: missing"},
		{"names in another case", "POST", "application/json", strings.Replace(review(`"name":"a"`), `"uid"`, `"UID"`, 1), 400, "request.uid: missing"},
		{"huge", "POST", "application/json", strings.Repeat(" ", maxBytes+1), 413, "the body has more than 8388608 bytes"},
	} {
		w := ask(noGPUs(t), c.method, c.content, c.body)
		if got := strings.TrimSpace(w.Body.String()); w.Code != c.code || !strings.HasPrefix(got, c.text) {
			t.Errorf("%s: %d %q, want %d %q", c.name, w.Code, got, c.code, c.text)
		}
	}
	if w := ask(noGPUs(t), "GET", "", ""); w.Header().Get("Allow") != "POST" {
		t.Errorf("Allow is %q", w.Header().Get("Allow"))
	}
	// A review that is as large as may be is one.
	body := review(`"kind":{"kind":"Pod"},"operation":"CREATE","object":{"spec":{}}`)
	if w := ask(noGPUs(t), "POST", "application/json", body+strings.Repeat(" ", maxBytes-len(body))); w.Code != 200 {
		t.Errorf("the largest review: %d %s", w.Code, w.Body)
	}
}

// A client that sends no more, and one that hangs up, get an answer, and the next is served.
func TestSlowClients(t *testing.T) {
	h := noGPUs(t).(handler)
	h.timeout = 50 * time.Millisecond
	server := httptest.NewServer(h)
	defer server.Close()
	begin := "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
	for what, want := range map[string]string{"stops": "408", "hangs up": "400"} {
		c, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(c, begin)
		if what == "hangs up" {
			if err := c.(*net.TCPConn).CloseWrite(); err != nil {
				t.Fatal(err)
			}
		}
		response, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatalf("a client that %s: %v", what, err)
		}
		text, _ := io.ReadAll(response.Body)
		if !strings.HasPrefix(response.Status, want) {
			t.Errorf("a client that %s: %s: %s", what, response.Status, text)
		}
		c.Close()
	}
	body := review(`"kind":{"kind":"Pod"},"operation":"CREATE","object":{"spec":{}}`)
	for range 2 { // on one connection: its deadline is for one body
		response, err := http.Post(server.URL, "application/json", strings.NewReader(body))
		if err != nil || response.StatusCode != 200 {
			t.Fatalf("after slow clients: %v, %v", response, err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		response.Body.Close()
		time.Sleep(2 * h.timeout)
	}
}

func TestNilFunctions(t *testing.T) {
	for name, make := range map[string]func() http.Handler{
		"admission.Validate: check is nil": func() http.Handler { return Validate(nil) },
		"admission.Mutate: part is nil":    func() http.Handler { return Mutate(nil) },
	} {
		func() {
			defer func() {
				if got := recover(); got != name {
					t.Errorf("panics with %v, want %q", got, name)
				}
			}()
			make()
		}()
	}
}
