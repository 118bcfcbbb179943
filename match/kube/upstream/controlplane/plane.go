package main

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// plane is etcd and an API server on loopback, and a client.
type plane struct {
	dir    string
	gates  string // the feature gates of all programs
	server string
	token  string   // of the one user, new each time; nothing listens but on 127.0.0.1
	flags  []string // more flags of the API server
	client kubernetes.Interface
	etcd   *process
	api    *process
}

func newPlane(ctx context.Context, dir, gates string, flags ...string) (*plane, error) {
	p := &plane{dir: dir, gates: gates, token: rand.Text(), flags: flags}
	if err := p.start(ctx); err != nil {
		p.stop()
		return nil, err
	}
	return p, nil
}

func (p *plane) start(ctx context.Context) (err error) {
	ports, err := freePorts(3)
	if err != nil {
		return err
	}
	data, err := os.MkdirTemp(p.dir, "etcd-")
	if err != nil {
		return err
	}
	clients, peers := local("http", ports[0]), local("http", ports[1])
	p.etcd, err = start(p.dir, "etcd.log", "etcd", "--data-dir="+data, "--unsafe-no-fsync",
		"--listen-client-urls="+clients, "--advertise-client-urls="+clients,
		"--listen-peer-urls="+peers, "--initial-advertise-peer-urls="+peers, "--initial-cluster=default="+peers)
	if err != nil {
		return err
	}
	if err := p.etcd.waitFor(ctx, func() bool { return healthy(clients+"/health", "") }); err != nil {
		return err
	}
	if err := p.startAPI(clients, ports[2]); err != nil {
		return err
	}
	return p.api.waitFor(ctx, func() bool { return healthy(p.server+"/readyz", p.token) && p.hasNamespaces(ctx) })
}

func (p *plane) startAPI(etcd string, port int) (err error) {
	tokens := filepath.Join(p.dir, "tokens.csv")
	if err := os.WriteFile(tokens, []byte(p.token+",admin,1,system:masters\n"), 0o600); err != nil {
		return err
	}
	certs, err := os.MkdirTemp(p.dir, "certs-")
	if err != nil {
		return err
	}
	key, err := newKey(certs)
	if err != nil {
		return err
	}
	p.server = local("https", port)
	config := &rest.Config{Host: p.server, BearerToken: p.token, QPS: -1, TLSClientConfig: rest.TLSClientConfig{Insecure: true}}
	config.ContentType = "application/vnd.kubernetes.protobuf"
	if p.client, err = kubernetes.NewForConfig(config); err != nil {
		return err
	}
	flags := append([]string{"--etcd-servers=" + etcd,
		"--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", fmt.Sprint("--secure-port=", port), "--cert-dir=" + certs,
		"--token-auth-file=" + tokens, "--authorization-mode=AlwaysAllow", "--endpoint-reconciler-type=none",
		"--disable-admission-plugins=ServiceAccount,TaintNodesByCondition", "--service-cluster-ip-range=10.0.0.0/24",
		"--service-account-issuer=https://127.0.0.1", "--service-account-key-file=" + key, "--service-account-signing-key-file=" + key,
		"--feature-gates=" + p.gates}, p.flags...)
	p.api, err = start(p.dir, "kube-apiserver.log", "kube-apiserver", flags...)
	return err
}

// hasNamespaces reports whether the namespaces are there that pods and leases are made in.
func (p *plane) hasNamespaces(ctx context.Context) bool {
	for _, name := range []string{metav1.NamespaceDefault, v1.NamespaceNodeLease} {
		if _, err := p.client.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{}); err != nil {
			return false
		}
	}
	return true
}

func (p *plane) stop() {
	for _, process := range []*process{p.api, p.etcd} {
		if process != nil {
			process.stop()
		}
	}
}

func local(scheme string, port int) string { return fmt.Sprintf("%s://127.0.0.1:%d", scheme, port) }

// freePorts returns ports that nobody listens on at the moment.
func freePorts(n int) (ports []int, err error) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}

// loopback is for servers that sign their own certificates.
var loopback = &http.Client{
	Timeout:   10 * time.Second,
	Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true},
}

func healthy(url, token string) bool {
	_, err := get(url, token)
	return err == nil
}

func get(url, token string) (body []byte, err error) {
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := loopback.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", url, response.Status)
	}
	return io.ReadAll(response.Body)
}
