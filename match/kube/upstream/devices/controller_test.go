package devices

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/devicetainteviction"
	"k8s.io/kubernetes/pkg/controller/tainteviction"

	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/match/device/evict"
	"github.com/tolero-dev/tolero/match/kube/resource"
)

// both is upstream's controller and evict.Queue in a synctest bubble, told the same
// at the same time. Pods that are evicted are gone. The queue knows pods by their
// UIDs.
type both struct {
	t      *testing.T
	client *fake.Clientset
	start  time.Time
	queue  evict.Queue[types.UID]

	objects  map[string]bool      // that exist, by kind and name
	pods     map[string]types.UID // by name, of those that exist
	placed   map[types.UID]bool   // pods that have a node, which they keep
	uids     int
	ours     []string // evictions by evict.Queue
	told     int      // its decisions
	compared int      // conditions

	mu         sync.Mutex
	theirs     []string                    // evictions by the controller
	conditions map[string]metav1.Condition // by name of the rule, as it was written last
	reasons    map[types.UID]string        // why the controller evicted a pod, in its words
	causes     map[types.UID]string        // why the queue did
}

// reasonSink is a sink for the log of the controller, which is where it says why it
// evicts a pod.
type reasonSink struct {
	of  *both
	pod types.UID
}

func (s reasonSink) Init(logr.RuntimeInfo)        {}
func (s reasonSink) Enabled(level int) bool       { return level <= 2 }
func (s reasonSink) Error(error, string, ...any)  {}
func (s reasonSink) WithName(string) logr.LogSink { return s }

func (s reasonSink) WithValues(values ...any) logr.LogSink {
	for i := 0; i+1 < len(values); i += 2 {
		if pod, ok := values[i+1].(tainteviction.NamespacedObject); ok && values[i] == "pod" {
			s.pod = pod.UID
		}
	}
	return s
}

func (s reasonSink) Info(_ int, message string, values ...any) {
	if message != "Evicted pod by deleting it" {
		return
	}
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	for i := 0; i+1 < len(values); i += 2 {
		if values[i] == "reason" {
			s.of.reasons[s.pod] = withoutUIDs(fmt.Sprint(values[i+1]))
		}
	}
}

// withoutUIDs drops the empty namespaces before the names of rules and slices, and the
// UIDs after them.
func withoutUIDs(reason string) string { return objectName.ReplaceAllString(reason, "$1 $2") }

var objectName = regexp.MustCompile(`(DeviceTaintRule|ResourceSlice) /([^ ,:]*)(?::[^ ,]*)?`)

// runBoth runs a script in a bubble, and then an hour more, which is more than the
// times of any script.
func runBoth(t *testing.T, script func(*both)) (b *both) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewSimpleClientset()
		b = &both{t: t, client: client, start: time.Now(), objects: map[string]bool{}, pods: map[string]types.UID{}, placed: map[types.UID]bool{}, conditions: map[string]metav1.Condition{},
			reasons: map[types.UID]string{}, causes: map[types.UID]string{}}
		b.client.PrependReactor("patch", "pods", func(clienttesting.Action) (bool, runtime.Object, error) { return true, &v1.Pod{}, nil })
		b.client.PrependReactor("*", "events", func(clienttesting.Action) (bool, runtime.Object, error) { return true, &v1.Event{}, nil })
		b.client.PrependReactor("patch", "devicetaintrules", b.recordCondition)
		b.client.PrependReactor("delete", "pods", b.recordDeletion)
		ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.New(reasonSink{of: b})))
		factory := informers.NewSharedInformerFactory(b.client, 0)
		resources := factory.Resource().V1()
		controller := devicetainteviction.New(b.client, factory.Core().V1().Pods(), resources.ResourceClaims(), resources.ResourceSlices(),
			resources.DeviceTaintRules(), resources.DeviceClasses(), "device-taint-eviction")
		factory.Start(ctx.Done())
		factory.WaitForCacheSync(ctx.Done())
		var running sync.WaitGroup
		running.Go(func() {
			if err := controller.Run(ctx, 1); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		script(b)
		b.sleep(time.Hour)
		cancel()
		running.Wait()
		factory.Shutdown()
	})
	slices.Sort(b.ours)
	slices.Sort(b.theirs)
	return b
}

func eviction(at time.Duration, uid types.UID) string {
	return fmt.Sprintf("%15d ns %s", at.Nanoseconds(), uid)
}

// at is n seconds after the start.
func (b *both) at(n float64) time.Time { return b.start.Add(time.Duration(n * float64(time.Second))) }

// recordDeletion notes an eviction, and lets the fake client delete the pod.
func (b *both) recordDeletion(action clienttesting.Action) (handled bool, result runtime.Object, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	uid := *action.(clienttesting.DeleteActionImpl).DeleteOptions.Preconditions.UID
	b.theirs = append(b.theirs, eviction(time.Since(b.start), uid))
	return false, nil, nil
}

// recordCondition notes the condition of a rule, and does not store it.
func (b *both) recordCondition(action clienttesting.Action) (handled bool, result runtime.Object, err error) {
	patch := action.(clienttesting.PatchAction)
	var rule resourceapi.DeviceTaintRule
	if err := json.Unmarshal(patch.GetPatch(), &rule); err != nil {
		return true, nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.conditions[patch.GetName()] = rule.Status.Conditions[0]
	return true, &rule, nil
}

// tell notes what the queue decides, when the controller has decided too. Neither the
// queue nor the script knows a pod that was evicted any more.
func (b *both) tell(decide func(now time.Time) []evict.Decision[types.UID]) (evicted int) {
	synctest.Wait()
	scheduled := map[types.UID]time.Time{}
	for d := range b.queue.Scheduled() {
		scheduled[d.Pod] = d.Due
	}
	decisions := decide(time.Now())
	b.told += len(decisions)
	for _, d := range decisions {
		if d.Kind != evict.Evict {
			continue
		}
		evicted++
		at := d.Due.Sub(b.start)
		if !scheduled[d.Pod].Equal(d.Due) { // it was not known before, and may be past
			at = time.Since(b.start)
		}
		b.ours = append(b.ours, eviction(at, d.Pod))
		var causes []string
		for _, cause := range d.Causes {
			causes = append(causes, cause.String())
		}
		b.causes[d.Pod] = strings.Join(causes, ", ")
		for name, uid := range b.pods {
			if uid == d.Pod {
				delete(b.pods, name)
				delete(b.objects, "pod "+name)
			}
		}
		b.queue.DeletePod(nil, time.Now(), d.Pod)
	}
	return evicted
}

// write creates or updates an object.
func write[T any](b *both, kind, name string, object T, client interface {
	Create(context.Context, T, metav1.CreateOptions) (T, error)
	Update(context.Context, T, metav1.UpdateOptions) (T, error)
}) {
	var err error
	if b.objects[kind+name] {
		_, err = client.Update(context.Background(), object, metav1.UpdateOptions{})
	} else {
		_, err = client.Create(context.Background(), object, metav1.CreateOptions{})
	}
	if err != nil {
		b.t.Fatal(err)
	}
	b.objects[kind+name] = true
}

// remove deletes an object if there is one.
func remove(b *both, kind, name string, client interface {
	Delete(context.Context, string, metav1.DeleteOptions) error
}) {
	if b.objects[kind+name] {
		if err := client.Delete(context.Background(), name, metav1.DeleteOptions{}); err != nil {
			b.t.Fatal(err)
		}
	}
	delete(b.objects, kind+name)
}

func (b *both) setSlice(name string, s device.Slice) {
	write(b, "slice ", name, resourceSlice(name, &s), b.client.ResourceV1().ResourceSlices())
	b.tell(func(now time.Time) []evict.Decision[types.UID] { return b.queue.SetSlice(nil, now, name, &s) })
}

func (b *both) deleteSlice(name string) {
	remove(b, "slice ", name, b.client.ResourceV1().ResourceSlices())
	b.tell(func(now time.Time) []evict.Decision[types.UID] { return b.queue.DeleteSlice(nil, now, name) })
}

// setRule also compares the condition that the controller gives the rule, unless pods
// are evicted at once: the controller counts them, because it writes the status before
// it evicts anybody.
func (b *both) setRule(name string, r device.Rule) {
	delete(b.conditions, name)
	rule := resourceRule(name, &r)
	rule.UID = types.UID(name)
	write(b, "rule ", name, rule, b.client.ResourceV1().DeviceTaintRules())
	if b.tell(func(now time.Time) []evict.Decision[types.UID] { return b.queue.SetRule(nil, now, name, &r) }) > 0 {
		return
	}
	b.mu.Lock()
	theirs, written := b.conditions[name]
	b.mu.Unlock()
	if !written { // the same rule as before
		return
	}
	ours, ok := b.queue.Condition(name, func(types.UID) string { return "default" })
	if !ok || ours.InProgress != (theirs.Status == metav1.ConditionTrue) || ours.Reason != theirs.Reason || ours.Message != theirs.Message {
		b.t.Errorf("rule %s, %+v: the condition is %+v, the controller's is %s, %s, %q", name, r, ours, theirs.Status, theirs.Reason, theirs.Message)
	}
	b.compared++
}

func (b *both) deleteRule(name string) {
	remove(b, "rule ", name, b.client.ResourceV1().DeviceTaintRules())
	b.tell(func(now time.Time) []evict.Decision[types.UID] { return b.queue.DeleteRule(nil, now, name) })
}

// setClaim gives a claim, which is made if need be, devices and reserves it for pods
// by their names: those that exist, and for others the next UID.
func (b *both) setClaim(name string, allocations []device.Allocation, reservedFor []string) {
	claim := &resourceapi.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID(name)}}
	if allocations != nil {
		claim.Status.Allocation = &resourceapi.AllocationResult{}
		for i := range allocations {
			a := &allocations[i]
			claim.Status.Allocation.Devices.Results = append(claim.Status.Allocation.Devices.Results, resourceapi.DeviceRequestAllocationResult{
				Request: a.Request, Driver: a.Driver, Pool: a.Pool, Device: a.Device, Tolerations: resource.AppendV1Tolerations(nil, a.Tolerations),
			})
		}
	}
	var uids []types.UID
	for _, pod := range reservedFor {
		uid, exists := b.pods[pod]
		if !exists {
			uid = b.nextUID(pod)
		}
		uids = append(uids, uid)
		claim.Status.ReservedFor = append(claim.Status.ReservedFor, resourceapi.ResourceClaimConsumerReference{Resource: "pods", Name: pod, UID: uid})
	}
	write(b, "claim ", name, claim, b.client.ResourceV1().ResourceClaims("default"))
	b.tell(func(now time.Time) []evict.Decision[types.UID] {
		return b.queue.SetClaim(nil, now, name, allocations, uids)
	})
}

func (b *both) deleteClaim(name string) {
	remove(b, "claim ", name, b.client.ResourceV1().ResourceClaims("default"))
	b.tell(func(now time.Time) []evict.Decision[types.UID] { return b.queue.DeleteClaim(nil, now, name) })
}

// nextUID is that of the next pod of a name.
func (b *both) nextUID(name string) types.UID { return types.UID(fmt.Sprintf("%s-%d", name, b.uids)) }

// setPod makes a pod, or places one that is there: its claims never change.
func (b *both) setPod(name string, placed bool, claims []string) {
	uid, exists := b.pods[name]
	if !exists {
		uid = b.nextUID(name)
		b.uids++
	}
	b.pods[name] = uid
	pod := &v1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: uid}}
	if placed {
		b.placed[uid] = true
		pod.Spec.NodeName = "n"
	}
	for _, claim := range claims {
		pod.Spec.ResourceClaims = append(pod.Spec.ResourceClaims, v1.PodResourceClaim{Name: "of-" + claim, ResourceClaimName: &claim})
	}
	write(b, "pod ", name, pod, b.client.CoreV1().Pods("default"))
	b.tell(func(now time.Time) []evict.Decision[types.UID] { return b.queue.SetPod(nil, now, uid, placed, claims) })
}

// deletePod goes to the store of the fake client, past recordDeletion.
func (b *both) deletePod(name string) {
	uid, exists := b.pods[name]
	if !exists {
		return
	}
	if err := b.client.Tracker().Delete(v1.SchemeGroupVersion.WithResource("pods"), "default", name); err != nil {
		b.t.Fatal(err)
	}
	delete(b.pods, name)
	delete(b.objects, "pod "+name)
	b.tell(func(now time.Time) []evict.Decision[types.UID] { return b.queue.DeletePod(nil, now, uid) })
}

// sleep lets time pass. Neither waits for the other, and pods that the controller
// evicts meanwhile are gone from it at their time.
func (b *both) sleep(d time.Duration) {
	time.Sleep(d)
	b.tell(func(now time.Time) []evict.Decision[types.UID] { return b.queue.Advance(nil, now) })
}

// compare fails if the evictions differ, or why.
func (b *both) compare(t interface{ Fatalf(string, ...any) }) {
	if !slices.Equal(b.ours, b.theirs) {
		t.Fatalf("the queue evicts\n%s\nthe controller\n%s", strings.Join(b.ours, "\n"), strings.Join(b.theirs, "\n"))
	}
	if !maps.Equal(b.causes, b.reasons) {
		t.Fatalf("the queue evicts because of\n%v\nthe controller because of\n%v", b.causes, b.reasons)
	}
}
