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
	"cluster": {"denied": [{"key": "admin", "operator": "Exists"}]},
	"namespaces": {"ml": {"allowed": [{"key": "gpu", "operator": "Exists"}]}, "none": {"allowed": []}},
	"defaults": {"ml": [{"key": "gpu", "operator": "Exists", "effect": "NoSchedule"}]}
}`

// What the API server has added to a pod before it asks.
const given = `{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},
	{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}`

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
	certificate, bundle, err := newCertificate("tolero.tolero-system.svc", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	var configuration bytes.Buffer
	if err := writeConfiguration(&configuration, "tolero.tolero-system.svc", bundle); err != nil {
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
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: "tolero.tolero-system.svc"}}}
	defer client.CloseIdleConnections()

	for _, c := range []struct{ path, namespace, tolerations, want string }{
		{"/validate", "web", `[{"key":"admin","operator":"Exists"}]`, `"allowed":false`},
		{"/validate", "web", `[{"key":"disk","operator":"Exists"}]`, `"allowed":true`},
		{"/validate", "web", `[{"key":"admin","operator":"Gt","value":"1"}]`, `which is denied`},
		{"/validate", "ml", `[{"key":"disk","operator":"Gt","value":"1"}]`, `which is not allowed`},
		{"/validate", "ml", `[{"key":"gpu","operator":"Exists"},` + given + `]`, `"allowed":true`},
		{"/validate", "none", `[` + given + `]`, `"allowed":true`},
		{"/validate", "none", `[` + strings.ReplaceAll(given, "300", "301") + `]`, `not allowed for so long`},
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
		"":                                       "no policy in it",
		" \n":                                    "no policy in it",
		`{`:                                      "the policy: unexpected end of JSON input",
		`{} {}`:                                  "the policy: invalid character '{' after top-level value",
		`null`:                                   "the policy: want an object, got null",
		`[]`:                                     "the policy: want an object, got a list",
		`{"clusters":{}}`:                        `the policy: field "clusters" is unknown`,
		`{"Cluster":{}}`:                         `the policy: field "Cluster" is unknown`,
		`{"cluster":{},"cluster":{}}`:            `the policy: field "cluster" is repeated`,
		`{"cluster":null}`:                       `cluster: want an object, got null`,
		`{"cluster":{"denied":{}}}`:              `cluster.denied: want a list, got an object`,
		`{"cluster":{"denied":null}}`:            `cluster.denied: want a list, got null`,
		`{"cluster":{"deny":[]}}`:                `cluster: field "deny" is unknown`,
		`{"cluster":{"denied":[{"key":"a b"}]}}`: `cluster.denied.tolerations[0].key: `,
		`{"cluster":{"denied":[{"keys":"a"}]}}`:  `cluster.denied.tolerations[0]: field "keys" is unknown or repeated`,
		`{"namespaces":{"ml":null}}`:             `namespaces.ml: want an object, got null`,
		`{"namespaces":{"ml":{"allowed":null}}}`: `namespaces.ml.allowed: want a list, got null`,
		`{"namespaces":{"ML":{}}}`:               `namespaces: "ML" is not the name of a namespace`,
		`{"namespaces":{"":{}}}`:                 `namespaces: "" is not the name of a namespace`,
		`{"namespaces":{"ml":{},"ml":{}}}`:       `namespaces: field "ml" is repeated`,
		`{"namespaces":{"ml":{"allowed":[{"key":"a","operator":"In"}]}}}`: `namespaces.ml.allowed.tolerations[0].operator: `,
		`{"defaults":{"a.b":[]}}`:                                              `defaults: "a.b" is not the name of a namespace`,
		`{"defaults":{"ml":null}}`:                                             `defaults.ml: want a list, got null`,
		`{"defaults":{"ml":[{"keys":"a","operator":"Exists"}]}}`:               `defaults.ml.tolerations[0]: field "keys" is unknown or repeated`,
		`{"defaults":{"ml":[{"operator":"Equal"}]}}`:                           `defaults.ml.tolerations[0].`,
		`{"defaults":{"ml":[{"key":"a","operator":"Gt","value":"1"}]}}`:        `defaults.ml.tolerations[0].operator: `,
		`{"namespaces":{"ml":{"allowed":[]}},"defaults":{"ml":[{"key":"a"}]}}`: `defaults.ml.tolerations[0]: "a=" tolerates a:NoSchedule, which is not allowed`,
		`{"cluster":{"denied":[{"key":"a"}]},"defaults":{"ml":[{"key":"a"}]}}`: `which is denied`,
	} {
		if _, err := newHandler([]byte(text)); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "Go ") {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if _, err := load("none.json"); err == nil || !strings.Contains(err.Error(), "-policy: open none.json") {
		t.Errorf("no file: %v", err)
	}
	for _, name := range []string{"", "tolero", "tolero.default", "a.b.svc.cluster.local", ".b.svc", "a.b}.svc", "a.b\nkind: Pod.svc", "A.b.svc", strings.Repeat("a", 64) + ".b.svc"} {
		if err := writeConfiguration(io.Discard, name, nil); err == nil || !strings.Contains(err.Error(), "want SERVICE.NAMESPACE.svc") {
			t.Errorf("name %q: %v", name, err)
		}
	}
}
