package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	registration "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"

	"github.com/tolero-dev/tolero/compile/gen/admission"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
	"github.com/tolero-dev/tolero/toleration/policy"
)

// policies installs policies of compile/gen/admission, one after the other, and compares what becomes of
// pods and Deployments that nobody stores (dry run) with toleration/policy.
func policies(ctx context.Context, dir string, pods int) error {
	p, err := newPlane(ctx, dir, "TaintTolerationComparisonOperators=true")
	if err != nil {
		return err
	}
	defer p.stop()
	const rounds = 10
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	refused := int64(0)
	for i := range rounds {
		n, err := p.policy(ctx, random, i, pods/rounds)
		if err != nil {
			return fmt.Errorf("seed %d, policy %d: %w", seed, i, err)
		}
		refused += n
	}
	fmt.Printf("%d policies, %d pods and as many Deployments, of which %d are refused\n", rounds, pods, refused)
	return p.defaults(ctx, random)
}

// policy installs one policy, and returns how many objects it has refused.
func (p *plane) policy(ctx context.Context, random *rand.Rand, i, pods int) (refused int64, err error) {
	canary := toleration.Toleration{Key: fmt.Sprintf("canary-%d", i), Operator: toleration.OpExists}
	t := trial{plane: p, spec: policy.Spec{Rules: toleration.Rules{Comparisons: true}, Denied: append(randomList(random, i%4), canary)}}
	if i%3 > 0 {
		t.spec.Allowed = admit.DefaultSeconds{}.Append(nil, randomList(random, 16))
	}
	if t.checked, err = policy.New(t.spec); err != nil {
		return 0, err
	}
	name := fmt.Sprintf("policy-%d", i)
	text, err := (&admission.Policy{Name: name, Spec: t.spec}).Validating()
	if err == nil {
		err = install(ctx, p.client, text)
	}
	if err != nil {
		return 0, err
	}
	refusesCanary := func() bool { return p.created(ctx, []toleration.Toleration{canary}, false) != nil }
	if err := waitFor(refusesCanary); err != nil {
		return 0, err
	}
	lists := make(chan []toleration.Toleration)
	var workers sync.WaitGroup
	for range 8 {
		workers.Go(func() {
			for list := range lists {
				t.ask(ctx, list)
			}
		})
	}
	for range pods {
		lists <- randomList(random, random.IntN(3))
	}
	close(lists)
	workers.Wait()
	if err := t.failed.Load(); err != nil {
		return 0, *err
	}
	if err := p.client.AdmissionregistrationV1().ValidatingAdmissionPolicyBindings().Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
		return 0, err
	}
	// It would refuse the canary of the next one, too.
	return t.refused.Load(), waitFor(func() bool { return !refusesCanary() })
}

// waitFor waits until the API server has noticed that a policy has come, or gone.
func waitFor(noticed func() bool) error {
	for deadline := time.Now().Add(30 * time.Second); !noticed(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			return errors.New("the API server does not notice for 30 s")
		}
	}
	return nil
}

// trial is a policy that is installed, and what has come of it.
type trial struct {
	*plane
	spec    policy.Spec
	checked *policy.Policy
	refused atomic.Int64
	failed  atomic.Pointer[error]
}

// ask compares the answers for a pod, which gets the default seconds, and for a Deployment.
func (t *trial) ask(ctx context.Context, list []toleration.Toleration) {
	for _, template := range []bool{false, true} {
		judged := list
		if !template {
			judged = admit.DefaultSeconds{}.Append(nil, list)
		}
		got, want := t.created(ctx, list, template), t.checked.Check(judged)
		if got != nil {
			t.refused.Add(1)
		}
		if (got == nil) != (want == nil) || got != nil && !apierrors.IsForbidden(got) {
			err := fmt.Errorf("%+v with %q (template %v)\nAPI server: %v\npolicy.Check: %v", t.spec, toleration.FormatList(judged), template, got, want)
			t.failed.Store(&err)
		}
	}
}

// install creates the objects of a document.
func install(ctx context.Context, client kubernetes.Interface, text []byte) error {
	for _, document := range bytes.Split(text, []byte("\n---\n")) {
		var kind metav1.TypeMeta
		if err := yaml.Unmarshal(document, &kind); err != nil {
			return err
		}
		api := client.AdmissionregistrationV1()
		var err error
		switch kind.Kind {
		case "ValidatingAdmissionPolicy":
			err = create(ctx, document, api.ValidatingAdmissionPolicies().Create, new(registration.ValidatingAdmissionPolicy))
		case "ValidatingAdmissionPolicyBinding":
			err = create(ctx, document, api.ValidatingAdmissionPolicyBindings().Create, new(registration.ValidatingAdmissionPolicyBinding))
		case "MutatingAdmissionPolicy":
			err = create(ctx, document, api.MutatingAdmissionPolicies().Create, new(registration.MutatingAdmissionPolicy))
		case "MutatingAdmissionPolicyBinding":
			err = create(ctx, document, api.MutatingAdmissionPolicyBindings().Create, new(registration.MutatingAdmissionPolicyBinding))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func create[T any](ctx context.Context, document []byte, post func(context.Context, T, metav1.CreateOptions) (T, error), into T) error {
	err := yaml.UnmarshalStrict(document, into)
	if err == nil {
		_, err = post(ctx, into, metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict})
	}
	return err
}

var dryRun = metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}

// created returns with what error a pod or a Deployment is refused.
func (p *plane) created(ctx context.Context, list []toleration.Toleration, template bool) error {
	spec := podSpec(list)
	if !template {
		_, err := p.client.CoreV1().Pods(metav1.NamespaceDefault).Create(ctx, &v1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p"}, Spec: spec}, dryRun)
		return err
	}
	labels := map[string]string{"app": "p"}
	_, err := p.client.AppsV1().Deployments(metav1.NamespaceDefault).Create(ctx, &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "p"}, Spec: appsv1.DeploymentSpec{
		Selector: &metav1.LabelSelector{MatchLabels: labels}, Template: v1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: spec}}}, dryRun)
	return err
}

func podSpec(list []toleration.Toleration) v1.PodSpec {
	return v1.PodSpec{Containers: []v1.Container{{Name: "c", Image: "i"}}, Tolerations: kube.AppendV1Tolerations(nil, list)}
}

// stored returns the tolerations with which a pod would be stored.
func (p *plane) stored(ctx context.Context, list []toleration.Toleration) ([]toleration.Toleration, error) {
	pod, err := p.client.CoreV1().Pods(metav1.NamespaceDefault).Create(ctx, &v1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p"}, Spec: podSpec(list)}, dryRun)
	if err != nil {
		return nil, err
	}
	return kube.AppendTolerations(nil, pod.Spec.Tolerations), nil
}

// defaults compares what pods get from a mutating policy.
func (p *plane) defaults(ctx context.Context, random *rand.Rand) error {
	seconds := int64(30)
	short := admit.DefaultSeconds{NotReady: &seconds}
	added := toleration.Toleration{Key: "added", Operator: toleration.OpExists, Effect: taint.NoSchedule}
	text, err := (&admission.Defaults{Name: "defaults", NotReady: &seconds, Tolerations: []toleration.Toleration{added}}).Mutating()
	if err == nil {
		err = install(ctx, p.client, text)
	}
	if err != nil {
		return err
	}
	if err := waitFor(func() bool { got, err := p.stored(ctx, nil); return err != nil || len(got) == 3 }); err != nil {
		return err
	}
	const pods = 500
	for range pods {
		list := randomList(random, random.IntN(4))
		got, err := p.stored(ctx, list)
		if err != nil {
			return err
		}
		if want := append(short.Append(nil, list), added); !toleration.Equal(got, want) {
			return fmt.Errorf("defaults for %q: got %q, want %q", toleration.FormatList(list), toleration.FormatList(got), toleration.FormatList(want))
		}
	}
	fmt.Printf("%d pods with defaults\n", pods)
	return nil
}

// randomList returns a valid list.
func randomList(random *rand.Rand, length int) (list []toleration.Toleration) {
	for len(list) < length {
		n := []int64{0, 60, 300, 301}[random.IntN(4)]
		t := toleration.Toleration{
			Key:      pick(random, "a", "b", "example.com/c", ""),
			Operator: pick(random, "", toleration.OpEqual, toleration.OpExists, toleration.OpGt, toleration.OpLt),
			Value:    pick(random, "", "x", "1", "5", "9223372036854775807"),
			Effect:   pick(random, "", taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute, taint.NoExecute),
		}
		if random.IntN(2) == 0 {
			t.TolerationSeconds = &n
		}
		if (toleration.Rules{Comparisons: true}).Validate([]toleration.Toleration{t}) == nil {
			list = append(list, t)
		}
	}
	return slices.Clip(list)
}

func pick[T any](random *rand.Rand, from ...T) T { return from[random.IntN(len(from))] }
