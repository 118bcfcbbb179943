package why

import (
	"github.com/tolero-dev/tolero/match/explain"
	"github.com/tolero-dev/tolero/toleration"
)

// The JSON output. Counts are nodes.
type (
	jsonReport struct {
		Nodes int        `json:"nodes"`
		Pods  []jsonPods `json:"pods"`
	}
	jsonPods struct {
		Names       []string                `json:"names"`
		Tolerations []toleration.Toleration `json:"tolerations"`
		// Excluded nodes are not among the others, unless one was asked for.
		Excluded        int  `json:"excluded,omitempty"`
		AffinityUnknown bool `json:"affinityUnknown,omitempty"`

		Admitted    int              `json:"admitted"`
		GoalReached int              `json:"goalReached"`
		Refusals    []jsonRefusal    `json:"refusals"`
		MoreLists   int              `json:"moreLists,omitempty"`
		Accepted    []jsonAcceptance `json:"accepted,omitempty"`
		Waiting     *waiting         `json:"waiting,omitempty"` // of pods that are pending
		Running     []string         `json:"running,omitempty"` // of pods that have a node, in words
	}
	jsonAcceptance struct {
		Nodes       []string            `json:"nodes"`
		Explanation explain.Explanation `json:"explanation"`
	}
	jsonRefusal struct {
		Nodes       []string            `json:"nodes"`
		Pool        string              `json:"pool,omitempty"` // whose new node it is about
		Explanation explain.Explanation `json:"explanation"`
		Add         explain.Repair      `json:"add"`
		Correct     explain.Repair      `json:"correct"`
		Edit        explain.Repair      `json:"edit"`
		Advice      []string            `json:"advice,omitempty"` // about taints that come and go, rather than to tolerate them
		Lacks       string              `json:"lacks,omitempty"`  // why a toleration alone does not help
	}
)

func (r *report) data() any {
	document := jsonReport{Nodes: r.Count, Pods: []jsonPods{}}
	for i := range r.pods {
		g := &r.pods[i]
		j := jsonPods{g.names, g.tolerations, g.excluded.Count, g.partly, g.admitted, g.reached, []jsonRefusal{}, g.more, nil, g.waits, g.runs}
		if j.Tolerations == nil {
			j.Tolerations = []toleration.Toleration{}
		}
		for _, refused := range g.refusals {
			j.Refusals = append(j.Refusals, jsonRefusal{refused.nodes, refused.pool, refused.explanation, refused.add, refused.correct, refused.edit, refused.advice, refused.lacks})
		}
		for _, a := range g.accepted {
			j.Accepted = append(j.Accepted, jsonAcceptance{a.nodes, a.explanation})
		}
		document.Pods = append(document.Pods, j)
	}
	return document
}
