package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

const written = `{
	"cluster": {"denied": [{"key": "gpu", "operator": "Exists"}]},
	"namespaces": {"ml": {"allowed": [{"key": "gpu", "operator": "Exists"}]}, "none": {"allowed": []}},
	"defaults": {"ml": [{"key": "gpu", "operator": "Exists", "effect": "NoSchedule"}]}
}`

// A client that has what the program prints can ask it, and nobody else can pretend to be it.
func TestTheProgramServes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "policy.json")
	if err := os.WriteFile(file, []byte(written), 0o600); err != nil {
		t.Fatal(err)
	}
	handler, err := load(file)
	if err != nil {
		t.Fatal(err)
	}
	certificate, bundle, err := newCertificate("tolero.default.svc", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	var configuration bytes.Buffer
	if err := writeConfiguration(&configuration, "tolero.default.svc", bundle); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(handler)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	server.StartTLS()
	defer server.Close()

	found := regexp.MustCompile(`caBundle: ([A-Za-z0-9+/=]+)`).FindStringSubmatch(configuration.String())
	if found == nil {
		t.Fatalf("no bundle in\n%s", &configuration)
	}
	authority, err := base64.StdEncoding.DecodeString(found[1])
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: "tolero.default.svc"}}}
	defer client.CloseIdleConnections()

	for _, c := range []struct{ path, namespace, tolerations, want string }{
		{"/validate", "web", `[{"key":"gpu","operator":"Exists"}]`, `"allowed":false`},
		{"/validate", "web", `[{"key":"disk","operator":"Exists"}]`, `"allowed":true`},
		{"/validate", "none", `[{"key":"disk","operator":"Exists"}]`, `is not allowed`},
		{"/mutate", "ml", `[]`, `"patchType":"JSONPatch"`},
		{"/mutate", "web", `[]`, `"allowed":true}`},
	} {
		body := `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"1","kind":{"kind":"Pod"},
			"operation":"CREATE","namespace":"` + c.namespace + `","object":{"spec":{"tolerations":` + c.tolerations + `}}}}`
		response, err := client.Post(server.URL+c.path, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if !strings.Contains(string(text), c.want) {
			t.Errorf("%s in %s: %s, want %s", c.path, c.namespace, text, c.want)
		}
	}
	if _, err := http.Get(server.URL); err == nil {
		t.Error("a client that has no bundle believes the server")
	}
}

func TestBadPolicies(t *testing.T) {
	for text, want := range map[string]string{
		``:                                       "EOF",
		`{"clusters":{}}`:                        `unknown field "clusters"`,
		`{"cluster":{"denied":[{"key":"a b"}]}}`: `cluster.denied`,
		`{"namespaces":{"ml":{"allowed":[{"key":"a","operator":"In"}]}}}`: `namespaces.ml.allowed`,
		`{"defaults":{"ml":[{"operator":"Equal"}]}}`:                      `defaults.ml: `,
	} {
		if _, err := newHandler([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if _, err := load("none.json"); err == nil || !strings.Contains(err.Error(), "-policy: open none.json") {
		t.Errorf("no file: %v", err)
	}
	for _, name := range []string{"", "tolero", "tolero.default", "a.b.svc.cluster.local"} {
		if err := writeConfiguration(io.Discard, name, nil); err == nil || !strings.Contains(err.Error(), "want SERVICE.NAMESPACE.svc") {
			t.Errorf("name %q: %v", name, err)
		}
	}
}
