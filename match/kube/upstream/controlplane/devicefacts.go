package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/match/device/evict"
	"github.com/tolero-dev/tolero/match/kube/resource"
)

// deviceQueue is evict.Queue of devices, told what the API server has.
type deviceQueue struct {
	evict.Queue[types.UID]
	names map[types.UID]string
	facts []fact
}

// predictDevices returns what package match/device/evict makes of the slices, claims,
// rules and pods that were seen, until a time.
func predictDevices(seen []sighting, end time.Time) []fact {
	q := &deviceQueue{names: make(map[types.UID]string)}
	rules := make(map[string]bool)
	for _, s := range seen {
		q.decided(q.Advance(nil, s.at), time.Time{})
		switch object := s.object.(type) {
		case *v1.Pod:
			q.pod(object, s.deleted, s.at)
		case *resourceapi.ResourceSlice:
			slice := resource.Slice(object)
			if s.deleted {
				q.decided(q.DeleteSlice(nil, s.at, object.Name), s.at)
			} else {
				q.decided(q.SetSlice(nil, s.at, object.Name, &slice), s.at)
			}
		case *resourceapi.ResourceClaim:
			allocations, pods := resource.AppendAllocations(nil, object), resource.AppendReservedFor(nil, object)
			q.decided(q.SetClaim(nil, s.at, resource.ClaimName(object), allocations, pods), s.at)
		case *resourceapi.DeviceTaintRule:
			rule := device.Rule{DeviceSelector: (*device.Selector)(object.Spec.DeviceSelector), Taint: resource.Taint(&object.Spec.Taint)}
			if rules[object.Name] = !s.deleted; s.deleted {
				q.decided(q.DeleteRule(nil, s.at, object.Name), s.at)
			} else {
				q.decided(q.SetRule(nil, s.at, object.Name, &rule), s.at)
			}
		}
	}
	q.decided(q.Advance(nil, end), time.Time{})
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		if rules[name] {
			c, _ := q.Condition(name, func(types.UID) string { return metav1.NamespaceDefault })
			q.facts = append(q.facts, fact{"rule " + name, conditionWords(c.InProgress, c.Reason, c.Message), end})
		}
	}
	return q.facts
}

func conditionWords(inProgress bool, reason, message string) string {
	return fmt.Sprintf("in progress: %t, %s: %s", inProgress, reason, message)
}

// pod tells the queue of a pod, but not of the deletion of pods that it has to predict
// itself.
func (q *deviceQueue) pod(pod *v1.Pod, deleted bool, at time.Time) {
	_, known := q.names[pod.UID]
	switch {
	case !deleted:
		q.names[pod.UID] = pod.Name
		q.decided(q.SetPod(nil, at, pod.UID, pod.Spec.NodeName != "", resource.AppendClaims(nil, pod)), at)
	case known && evictedBy(pod) != byDeviceTaint:
		q.DeletePod(nil, at, pod.UID)
	}
}

// decided notes decisions that follow from what was noticed at a time. What was due before
// it is done then.
func (q *deviceQueue) decided(decisions []evict.Decision[types.UID], at time.Time) {
	for _, d := range decisions {
		switch d.Kind {
		case evict.Evict:
			var causes []string
			for _, c := range d.Causes {
				causes = append(causes, c.String())
			}
			when := d.Due
			if when.Before(at) {
				when = at
			}
			q.facts = append(q.facts, fact{q.names[d.Pod], "evicted: " + strings.Join(causes, ", "), when})
		case evict.Cancel:
			q.facts = append(q.facts, fact{q.names[d.Pod], "cancelled", at})
		}
	}
}

// seenDevices returns the evictions of the device-taint-eviction controller, with the
// reasons that its log gives, what it cancelled, and the conditions that it left in the
// status of rules.
func seenDevices(seen []sighting, log []entry, end time.Time) []fact {
	reasons := make(map[string]string)
	var cancelled, evicted []fact
	for i := range log {
		switch e := &log[i]; {
		case e.text == "Evicted pod by deleting it":
			reasons[nameOf(e.value("pod"))] = withoutUIDs(e.value("reason"))
		case e.text == "Event occurred" && e.value("message") == "Cancelling deletion":
			cancelled = append(cancelled, fact{nameOf(e.value("object")), "cancelled", e.at})
		}
	}
	rules := make(map[string]*resourceapi.DeviceTaintRule)
	for _, s := range seen {
		switch object := s.object.(type) {
		case *v1.Pod:
			if s.deleted && evictedBy(object) == byDeviceTaint {
				evicted = append(evicted, fact{object.Name, "evicted: " + reasons[object.Name], s.at})
			}
		case *resourceapi.DeviceTaintRule:
			if rules[object.Name] = object; s.deleted {
				delete(rules, object.Name)
			}
		}
	}
	facts := merge(evicted, cancelled)
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		for _, c := range rules[name].Status.Conditions {
			facts = append(facts, fact{"rule " + name, conditionWords(c.Status == metav1.ConditionTrue, c.Reason, c.Message), end})
		}
	}
	return facts
}

// withoutUIDs drops the empty namespaces before the names of rules and slices, and the
// UIDs after them.
func withoutUIDs(reason string) string { return objectName.ReplaceAllString(reason, "$1 $2") }

var objectName = regexp.MustCompile(`(DeviceTaintRule|ResourceSlice) /([^ ,:]*)(?::[^ ,]*)?`)
