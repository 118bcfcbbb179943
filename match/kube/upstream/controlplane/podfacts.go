package main

import (
	"fmt"
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/evict"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/toleration"
)

const byNodeTaint, byDeviceTaint = "DeletionByTaintManager", "DeletionByDeviceTaintManager"

// nodeQueue is evict.Queue, told what the API server has of nodes and pods.
type nodeQueue struct {
	*evict.Queue[string]
	gone  map[string]bool // pods that it evicted; no other has the name of one
	facts []fact
}

// predictPods returns what package match/evict makes of the nodes and pods that were
// seen, until a time.
func predictPods(seen []sighting, end time.Time) []fact {
	q := &nodeQueue{Queue: evict.New[string](match.FirstMatch, toleration.Rules{}), gone: make(map[string]bool)}
	for _, s := range seen {
		q.decided(q.Advance(nil, s.at), s.at, nil)
		waiting := make(map[string]bool)
		for d := range q.Scheduled() {
			waiting[d.Pod] = true
		}
		switch object := s.object.(type) {
		case *v1.Node:
			if s.deleted {
				q.decided(q.DeleteNode(nil, s.at, object.Name), s.at, waiting)
			} else {
				q.decided(kube.SetNode(q.Queue, nil, s.at, object), s.at, waiting)
			}
		case *v1.Pod:
			switch {
			case q.gone[object.Name]:
			case !s.deleted:
				q.decided(kube.SetPod(q.Queue, nil, s.at, object.Name, object), s.at, waiting)
			case evictedBy(object) != byNodeTaint: // what it evicts is its own to predict
				q.decided(q.DeletePod(nil, s.at, object.Name), s.at, waiting)
			}
		}
	}
	q.decided(q.Advance(nil, end), end, nil)
	return q.facts
}

// decided notes decisions. A pod that is evicted is gone. One that was waiting for its
// eviction and is evicted at once is cancelled first by Kubernetes (rule E5).
func (q *nodeQueue) decided(decisions []evict.Decision[string], at time.Time, waiting map[string]bool) {
	for _, d := range decisions {
		switch d.Reason {
		case evict.Untolerated:
			if waiting[d.Pod] {
				q.facts = append(q.facts, fact{d.Pod, "cancelled", at})
			}
			q.facts = append(q.facts, fact{d.Pod, "evicted, not tolerated", d.Due})
		case evict.TimeUp:
			q.facts = append(q.facts, fact{d.Pod, fmt.Sprintf("evicted, %d s are up", *d.Toleration.TolerationSeconds), d.Due})
		default:
			q.facts = append(q.facts, fact{d.Pod, "cancelled", at})
			continue
		}
		q.gone[d.Pod] = true
		q.DeletePod(nil, d.Due, d.Pod)
	}
}

// evictedBy returns which controller deleted a pod, or "".
func evictedBy(pod *v1.Pod) string {
	for _, c := range pod.Status.Conditions {
		if c.Type == v1.DisruptionTarget && c.Status == v1.ConditionTrue {
			return c.Reason
		}
	}
	return ""
}

// seenPods returns the evictions of the taint-eviction controller, with the reasons that
// its log gives, and what it cancelled.
func seenPods(seen []sighting, log []entry) ([]fact, error) {
	reasons := make(map[string]string)
	firing := make(map[string]bool)
	var cancelled, evicted []fact
	for i := range log {
		e := &log[i]
		switch e.text {
		case "Not all taints are tolerated after update for pod on node":
			reasons[nameOf(e.value("pod"))] = "not tolerated"
		case "Adding TimedWorkerQueue item and to be fired at firedTime":
			if pod := nameOf(e.value("item")); reasons[pod] != "not tolerated" {
				created, err := e.instant("createTime")
				fires, other := e.instant("firedTime")
				if err != nil || other != nil {
					return nil, fmt.Errorf("log: %s", e.rest)
				}
				reasons[pod] = fmt.Sprintf("%.9g s are up", fires.Sub(created).Seconds())
			}
		case "Deleting pod":
			firing[nameOf(e.value("pod"))] = true
		case "Cancelling TimedWorkerQueue item":
			// What the controller cancels when the pod that it deletes is gone is not news.
			if pod := nameOf(e.value("item")); !firing[pod] {
				cancelled = append(cancelled, fact{pod, "cancelled", e.at})
			}
		}
	}
	for _, s := range seen {
		if pod, ok := s.object.(*v1.Pod); ok && s.deleted && evictedBy(pod) == byNodeTaint {
			evicted = append(evicted, fact{pod.Name, "evicted, " + reasons[pod.Name], s.at})
		}
	}
	return merge(evicted, cancelled), nil
}

// nameOf returns the name in namespace/name or namespace/name:uid.
func nameOf(object string) string {
	_, name, _ := strings.Cut(object, "/")
	name, _, _ = strings.Cut(name, ":")
	return name
}
