// Webhook is a webhook for tolerations as a program: it reads a policy, makes a certificate
// for itself, prints the configuration with which a kube-apiserver calls it, and serves.
//
//	go run github.com/tolero-dev/tolero/match/kube/admission/webhook -policy policy.json -name tolero.default.svc
//
// The policy has one for the cluster and one for each namespace that has its own, as in
// package policy, and what new pods get:
//
//	{"cluster": {"denied": [{"key": "node-role.kubernetes.io/control-plane", "operator": "Exists"}]},
//	 "namespaces": {"ml": {"allowed": [{"key": "nvidia.com/gpu", "operator": "Exists"}]}},
//	 "defaults": {"ml": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}]}}
//
// The certificate is made anew with each start, and its key is kept nowhere. Apply what is
// printed after each start, or mount a certificate and use package admission directly.
package main

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	v1 "k8s.io/api/admission/v1"

	"github.com/tolero-dev/tolero/match/kube/admission"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
	"github.com/tolero-dev/tolero/toleration/policy"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:8443", "the `address` to serve at")
	name := flag.String("name", "tolero.default.svc", "the DNS `name` of the service by which it is called")
	file := flag.String("policy", "", "a `file` with the policy in JSON")
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("webhook: ")
	handler, err := load(*file)
	if err != nil {
		log.Fatal(err)
	}
	certificate, bundle, err := newCertificate(*name, time.Now())
	if err != nil {
		log.Fatal(err)
	}
	if err := writeConfiguration(os.Stdout, *name, bundle); err != nil {
		log.Fatal(err)
	}
	server := &http.Server{
		Addr: *listen, Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12},
	}
	log.Fatal(server.ListenAndServeTLS("", ""))
}

// load makes the handler of the policy in a file. It is an error that names the file.
func load(file string) (http.Handler, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("-policy: %w", err)
	}
	handler, err := newHandler(data)
	if err != nil {
		return nil, fmt.Errorf("-policy %s: %w", file, err)
	}
	return handler, nil
}

// newHandler makes the handler of a policy.
func newHandler(data []byte) (http.Handler, error) {
	var written struct {
		Cluster    policy.Spec                        `json:"cluster"`
		Namespaces map[string]policy.Spec             `json:"namespaces"`
		Defaults   map[string][]toleration.Toleration `json:"defaults"`
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&written); err != nil {
		return nil, err
	}
	policies := policy.Policies{Namespaces: map[string]*policy.Policy{}}
	var err error
	if policies.Cluster, err = policy.New(written.Cluster); err != nil {
		return nil, fmt.Errorf("cluster.%w", err)
	}
	for name, spec := range written.Namespaces {
		if policies.Namespaces[name], err = policy.New(spec); err != nil {
			return nil, fmt.Errorf("namespaces.%s.%w", name, err)
		}
	}
	for name, list := range written.Defaults {
		if _, err := toleration.NewMeaning(list); err != nil {
			return nil, fmt.Errorf("defaults.%s: %w", name, err)
		}
	}
	mux := http.NewServeMux()
	mux.Handle("/validate", admission.Validate(func(r *v1.AdmissionRequest, list []toleration.Toleration) error {
		return policies.Check(r.Namespace, list)
	}))
	mux.Handle("/mutate", admission.Mutate(func(r *v1.AdmissionRequest) admit.Part {
		return admit.Restriction{Defaults: written.Defaults[r.Namespace], Exact: true}
	}))
	return mux, nil
}
