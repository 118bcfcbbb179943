package index_test

import (
	"fmt"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// The values that tolerations name take as many places as there were at a time, and nothing is
// retained of those that nobody names any more.
func TestPlacesOfValues(t *testing.T) {
	for _, bits := range []int{0, 32} {
		index.WithHash(bits, func() {
			var pods index.Pods
			var classes []index.PodClass
			for i := range 200 {
				if len(classes) == 10 {
					pods.Remove(classes[0])
					classes = classes[1:]
				}
				classes = append(classes, pods.Add([]toleration.Toleration{{Key: "a", Value: fmt.Sprint(i)}, {Key: fmt.Sprint(i % 3), Value: "x"}}))
				used, places := pods.PostingValues()
				if want := len(classes) + min(3, len(classes)); used != want || places > 13 {
					t.Fatalf("%d values in %d places, want %d in at most 13", used, places, want)
				}
			}
			for _, c := range classes {
				pods.Remove(c)
			}
			if used, places := pods.PostingValues(); used != 0 || places != 13 || pods.PostingKeys() != 0 {
				t.Fatalf("%d values in %d places, %d keys", used, places, pods.PostingKeys())
			}
		})
	}
}

// A key is known as long as some class tolerates some of its taints, by whatever operator.
func TestKeysOutliveClasses(t *testing.T) {
	lists := map[string][]toleration.Toleration{
		"Exists": {{Key: "n", Operator: toleration.OpExists}},
		"Equal":  {{Key: "n", Value: "7"}},
		"Gt":     {{Key: "n", Operator: toleration.OpGt, Value: "5"}},
		"Lt":     {{Key: "n", Operator: toleration.OpLt, Value: "9"}},
	}
	for left := range lists {
		for gone, list := range lists {
			if gone == left {
				continue
			}
			pods := index.NewPods(toleration.Rules{Comparisons: true})
			stays, goes := pods.Add(lists[left]), pods.Add(list)
			pods.Remove(goes)
			var c index.Change
			pods.NodeUpdated(&c, []taint.Taint{{Key: "other", Effect: taint.NoSchedule}}, []taint.Taint{{Key: "n", Value: "7", Effect: taint.NoSchedule}})
			fits := 0
			for class := range c.NowFit() {
				if fits++; class != stays {
					t.Errorf("class %d fits", class)
				}
			}
			if fits != 1 || pods.PostingKeys() < 1 {
				t.Errorf("%s is left after %s: %d classes fit, %d keys", left, gone, fits, pods.PostingKeys())
			}
		}
	}
}
