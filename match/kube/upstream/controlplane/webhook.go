package main

import (
	"context"
	"encoding/pem"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync/atomic"

	admissionv1 "k8s.io/api/admission/v1"
	registration "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tolero-dev/tolero/match/kube/admission"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
	"github.com/tolero-dev/tolero/toleration/policy"
)

// webhook has the API server call match/kube/admission over TLS, and compares what becomes of pods and
// Deployments that nobody stores (dry run) with toleration/policy and toleration/admit.
func webhook(ctx context.Context, dir string, pods int) error {
	p, err := newPlane(ctx, dir, "TaintTolerationComparisonOperators=true")
	if err != nil {
		return err
	}
	defer p.stop()
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	rules := toleration.Rules{Comparisons: true}
	added := toleration.Toleration{Key: "added", Operator: toleration.OpExists, Effect: taint.NoSchedule}
	defaults := admit.Restriction{Defaults: []toleration.Toleration{added}, Exact: true, Rules: rules}
	t := trial{plane: p, spec: policy.Spec{Rules: rules, Denied: append(randomList(random, 4), toleration.Toleration{Key: "canary", Operator: toleration.OpExists})}}
	if t.checked, err = policy.New(t.spec); err != nil {
		return err
	}
	var calls atomic.Int64
	mux := http.NewServeMux()
	mux.Handle("/validate", admission.Validate(func(_ *admissionv1.AdmissionRequest, list []toleration.Toleration) error {
		calls.Add(1)
		return t.checked.Check(list)
	}))
	mux.Handle("/mutate", admission.Mutate(func(*admissionv1.AdmissionRequest) admit.Part { return defaults }))
	server := httptest.NewTLSServer(mux)
	defer server.Close()
	if err := p.call(ctx, server); err != nil {
		return err
	}
	refusesCanary := func() bool {
		return p.created(ctx, []toleration.Toleration{{Key: "canary", Operator: toleration.OpExists}}, false) != nil
	}
	if err := waitFor(refusesCanary); err != nil {
		return err
	}
	for range pods {
		t.ask(ctx, randomList(random, random.IntN(3)))
	}
	if err := t.failed.Load(); err != nil {
		return fmt.Errorf("seed %d: %w", seed, *err)
	}
	if n := calls.Load(); n < int64(pods) {
		return fmt.Errorf("the API server called the webhook %d times for %d pods", n, pods)
	}
	fmt.Printf("%d pods and as many Deployments, of which a webhook refused %d\n", pods, t.refused.Load())
	return p.completed(ctx, random, defaults, t.checked)
}

// call configures the API server to ask the server about pods and Deployments.
func (p *plane) call(ctx context.Context, server *httptest.Server) error {
	bundle := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	client := func(path string) registration.WebhookClientConfig {
		url := server.URL + path
		return registration.WebhookClientConfig{URL: &url, CABundle: bundle}
	}
	none := registration.SideEffectClassNone
	rules := []registration.RuleWithOperations{
		{Operations: []registration.OperationType{registration.Create, registration.Update}, Rule: registration.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"pods"}}},
		{Operations: []registration.OperationType{registration.Create, registration.Update}, Rule: registration.Rule{APIGroups: []string{"apps"}, APIVersions: []string{"*"}, Resources: []string{"deployments"}}},
	}
	api := p.client.AdmissionregistrationV1()
	_, err := api.MutatingWebhookConfigurations().Create(ctx, &registration.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: "tolero"},
		Webhooks: []registration.MutatingWebhook{{Name: "mutate.tolero.dev", ClientConfig: client("/mutate"), Rules: rules, SideEffects: &none, AdmissionReviewVersions: []string{"v1"}}}}, metav1.CreateOptions{})
	if err == nil {
		_, err = api.ValidatingWebhookConfigurations().Create(ctx, &registration.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: "tolero"},
			Webhooks: []registration.ValidatingWebhook{{Name: "validate.tolero.dev", ClientConfig: client("/validate"), Rules: rules, SideEffects: &none, AdmissionReviewVersions: []string{"v1"}}}}, metav1.CreateOptions{})
	}
	return err
}

// completed compares what pods get from the webhook, besides the default seconds.
func (p *plane) completed(ctx context.Context, random *rand.Rand, defaults admit.Restriction, checked *policy.Policy) error {
	const pods = 500
	compared := 0
	for range pods {
		list := randomList(random, random.IntN(4))
		want := admit.Chain{admit.DefaultSeconds{}, defaults}.Append(nil, list)
		if checked.Check(want) != nil {
			continue
		}
		got, err := p.stored(ctx, list)
		if err != nil {
			return err
		}
		if !toleration.Equal(got, want) {
			return fmt.Errorf("a pod with %q: got %q, want %q", toleration.FormatList(list), toleration.FormatList(got), toleration.FormatList(want))
		}
		compared++
	}
	fmt.Printf("%d pods completed by a webhook\n", compared)
	return nil
}
