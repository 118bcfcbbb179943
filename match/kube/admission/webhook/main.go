// Webhook is a webhook for tolerations as a program: it reads a policy, makes a certificate
// for itself, prints the configuration with which a kube-apiserver calls it, and serves.
//
//	go run github.com/tolero-dev/tolero/match/kube/admission/webhook -policy policy.json -name tolero.tolero-system.svc
//
// The policy has one for the cluster and one for each namespace that has its own, as in
// package policy, and what new pods get:
//
//	{"cluster": {"denied": [{"key": "node-role.kubernetes.io/control-plane", "operator": "Exists"}]},
//	 "namespaces": {"ml": {"allowed": [{"key": "nvidia.com/gpu", "operator": "Exists"}]}},
//	 "defaults": {"ml": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}]}}
//
// Where something is allowed, so is what every pod has by the time that it is judged: 300
// seconds of not-ready and unreachable. Gt and Lt count, in the policy and in pods, whether
// or not the cluster's feature gate TaintTolerationComparisonOperators is on, so that nothing
// slips through when it is turned on. Defaults that the API server of a default cluster would
// refuse, or that the policy of their namespace would, are an error, as is a field that is
// unknown or repeated.
//
// It serves at all addresses of port 8443, as a Service needs it. For a test on one machine
// -listen 127.0.0.1:8443 is enough. The printed configuration leaves out the namespace of
// -name, so give the webhook one of its own.
//
// The certificate is made anew with each start, and its key is kept nowhere. Apply what is
// printed after each start, or mount a certificate and use package admission directly.
package main

import (
	"crypto/tls"
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
)

func main() {
	listen := flag.String("listen", ":8443", "the `address` to serve at")
	name := flag.String("name", "tolero.tolero-system.svc", "the DNS `name` of the service by which it is called")
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
	parsed, err := parse(data)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/validate", admission.Validate(func(r *v1.AdmissionRequest, list []toleration.Toleration) error {
		return parsed.policies.Check(r.Namespace, list)
	}))
	mux.Handle("/mutate", admission.Mutate(func(r *v1.AdmissionRequest) admit.Part {
		return admit.Restriction{Defaults: parsed.defaults[r.Namespace], Exact: true, Rules: rules}
	}))
	return mux, nil
}
