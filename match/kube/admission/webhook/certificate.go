package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"strings"
	"time"
)

// newCertificate makes a certificate for name that is its own authority, good for a year
// from now, and returns the authority in PEM as well.
func newCertificate(name string, now time.Time) (tls.Certificate, []byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()),
		DNSNames:     []string{name},
		NotBefore:    now.Add(-time.Hour), // the clocks of others may be behind
		NotAfter:     now.AddDate(1, 0, 0),
		KeyUsage:     x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IsCA:         true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return tls.Certificate{}, nil, fmt.Errorf("a certificate for %q: %w", name, err)
	}
	bundle := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, bundle, nil
}

// The namespaces that are left out are those without which nothing would run, the webhook
// among it: it is not asked about its own pods.
const configuration = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: tolero
webhooks:
- name: validate.tolero.dev
  rules:
  - {apiGroups: [""], apiVersions: ["v1"], resources: [pods, podtemplates, replicationcontrollers], operations: [CREATE, UPDATE]}
  - {apiGroups: [apps], apiVersions: ["*"], resources: [replicasets, deployments, daemonsets, statefulsets], operations: [CREATE, UPDATE]}
  - {apiGroups: [batch], apiVersions: ["*"], resources: [jobs, cronjobs], operations: [CREATE, UPDATE]}
  clientConfig: {service: {name: SERVICE, namespace: NAMESPACE, path: /validate}, caBundle: BUNDLE}
  namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [kube-system, NAMESPACE]}]}
  admissionReviewVersions: [v1]
  sideEffects: None
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata:
  name: tolero
webhooks:
- name: mutate.tolero.dev
  rules:
  - {apiGroups: [""], apiVersions: ["v1"], resources: [pods], operations: [CREATE]}
  clientConfig: {service: {name: SERVICE, namespace: NAMESPACE, path: /mutate}, caBundle: BUNDLE}
  namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [kube-system, NAMESPACE]}]}
  admissionReviewVersions: [v1]
  sideEffects: None
`

// writeConfiguration writes what a cluster is to have so that its kube-apiserver asks.
func writeConfiguration(w io.Writer, name string, bundle []byte) error {
	parts := strings.Split(name, ".")
	if len(parts) != 3 || parts[2] != "svc" || !dnsLabel.MatchString(parts[0]) || !dnsLabel.MatchString(parts[1]) {
		return fmt.Errorf("-name %q: want SERVICE.NAMESPACE.svc, each of at most 63 lower case letters, digits and \"-\"", name)
	}
	_, err := strings.NewReplacer("SERVICE", parts[0], "NAMESPACE", parts[1],
		"BUNDLE", base64.StdEncoding.EncodeToString(bundle)).WriteString(w, configuration)
	return err
}
