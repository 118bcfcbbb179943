// Package corpus holds toleration and taint lists that were found in public
// manifests, charts, cluster dumps and documents, for tests, examples and
// benchmarks that should look like real clusters. The README beside it says how
// they were gathered and what is odd about them.
//
// Only keys, operators, values, effects and seconds were taken over, with the
// place where each list was found. The files are part of the package; decoding
// them cannot fail, which the package's test shows. Each function decodes anew,
// so that callers own what they get; all are safe for concurrent use.
package corpus

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// TolerationList is a pod's toleration list and where it was found. Every one
// of them is valid with the gate TaintTolerationComparisonOperators on.
type TolerationList struct {
	Source   string `json:"source"`   // repository and file, or a number in an index
	Workload string `json:"workload"` // kind and name, as far as known
	Kind     string `json:"kind"`     // of the workload: "DaemonSet", ..., "other"
	Origin   string `json:"origin"`   // "manifest", "dump", "doc", "test", ...
	Scope    string `json:"scope"`    // not empty: matched with other taints than nodes'
	Gate     string `json:"gate"`     // not empty: the feature gate that it needs
	Count    int    `json:"count"`    // how often it occurs there
	List     string `json:"list"`     // the same for equal lists

	Tolerations []toleration.Toleration `json:"tolerations"`
}

// TaintList is a node's taint list and where it was found. Every one of them is
// valid.
type TaintList struct {
	Source string `json:"source"`
	Node   string `json:"node"` // what kind of node it is
	Origin string `json:"origin"`
	Scope  string `json:"scope"`
	Count  int    `json:"count"`
	List   string `json:"list"`

	Taints []taint.Taint `json:"taints"`
}

// InvalidList is a list that the API server refuses, and the reasons that it
// gives. Exactly one of Tolerations and Taints is set. They are left in JSON
// because some do not decode.
type InvalidList struct {
	Source string   `json:"source"`
	Why    []string `json:"why"`

	Tolerations json.RawMessage `json:"tolerations"`
	Taints      json.RawMessage `json:"taints"`
}

// Event is a message of a scheduler that could not place a pod, taken apart.
type Event struct {
	Source     string       `json:"source"`
	NodesTotal int          `json:"nodes_total"`
	Truncated  bool         `json:"truncated"` // the message was cut off
	Taints     []EventTaint `json:"taints"`
}

// EventTaint is how many nodes a taint was the first untolerated one of.
type EventTaint struct {
	Nodes int    `json:"nodes"`
	Key   string `json:"key"`
	Value string `json:"value"`
}

//go:embed tolerations.jsonl
var tolerationLines []byte

//go:embed taints.jsonl
var taintLines []byte

//go:embed invalid.jsonl
var invalidLines []byte

//go:embed events.jsonl
var eventLines []byte

// Tolerations returns every toleration list, one for each place where it was
// found; equal lists recur.
func Tolerations() []TolerationList { return decode[TolerationList](tolerationLines) }

// Keys returns the different keys of all toleration lists, in the order in which
// they come first.
func Keys() []string {
	var keys []string
	seen := map[string]bool{"": true}
	for _, list := range Tolerations() {
		for _, t := range list.Tolerations {
			if !seen[t.Key] {
				seen[t.Key] = true
				keys = append(keys, t.Key)
			}
		}
	}
	return keys
}

// Taints returns every taint list.
func Taints() []TaintList { return decode[TaintList](taintLines) }

// Invalid returns every invalid list.
func Invalid() []InvalidList { return decode[InvalidList](invalidLines) }

// Events returns every scheduler message.
func Events() []Event { return decode[Event](eventLines) }

func decode[T any](lines []byte) []T {
	var list []T
	for decoder := json.NewDecoder(bytes.NewReader(lines)); decoder.More(); {
		var item T
		if err := decoder.Decode(&item); err != nil {
			panic(fmt.Sprintf("corpus: line %d: %v", len(list)+1, err))
		}
		list = append(list, item)
	}
	return list
}
