package matrix

import (
	"fmt"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/toleration"
)

// The JSON output. Counts of a list are nodes, those of the totals are pairs of
// a pod and a node.
type (
	jsonReport struct {
		Cluster         string     `json:"cluster"`
		Nodes           int64      `json:"nodes"`
		TaintLists      int        `json:"taintLists"`
		Pods            int64      `json:"pods"`
		TolerationLists int        `json:"tolerationLists"`
		Lists           []jsonRow  `json:"lists"`
		Totals          jsonTotals `json:"totals"`
	}
	jsonTally struct {
		Free       int64       `json:"free"`
		Avoid      int64       `json:"avoid"`
		Refused    int64       `json:"refused"`
		EvictNow   int64       `json:"evictNow"`
		EvictAfter []jsonDelay `json:"evictAfter,omitempty"`
	}
	jsonDelay struct {
		After   string  `json:"after"`
		Seconds float64 `json:"seconds"`
		Count   int64   `json:"count"`
	}
	jsonRow struct {
		Pods     int64  `json:"pods"`
		FirstPod string `json:"firstPod"`
		jsonTally
		SoftTaints  []jsonSoft              `json:"softTaints,omitempty"` // of the nodes to be avoided
		Message     string                  `json:"message,omitempty"`    // as a scheduler puts it
		Reasons     []jsonReason            `json:"reasons,omitempty"`
		MoreReasons *jsonMore               `json:"moreReasons,omitempty"`
		Tolerations []toleration.Toleration `json:"tolerations"`
	}
	jsonSoft struct {
		Untolerated int64 `json:"untolerated"`
		Nodes       int64 `json:"nodes"`
	}
	jsonReason struct {
		Nodes int64  `json:"nodes"`
		Key   string `json:"key"`
		Value string `json:"value"`
	}
	jsonMore struct {
		Taints int64 `json:"taints"`
		Nodes  int64 `json:"nodes"`
	}
	jsonTotals struct {
		Pairs int64 `json:"pairs"`
		jsonTally
		ListPairs int64 `json:"listPairs"` // of a toleration list and a taint list
	}
)

func (r *report) data() any {
	f := r.fleet
	document := jsonReport{
		Cluster: r.title,
		Nodes:   f.nodeCount, TaintLists: len(f.nodes),
		Pods: f.podCount, TolerationLists: len(f.pods),
		Lists: make([]jsonRow, len(r.rows)),
		Totals: jsonTotals{
			Pairs: r.pairs(), jsonTally: r.total.json(), ListPairs: r.listPairs(),
		},
	}
	for i := range r.rows {
		document.Lists[i] = r.rows[i].json(f.nodeCount)
	}
	return document
}

func (t *tally) json() jsonTally {
	j := jsonTally{Free: t.free, Avoid: t.avoid, Refused: t.refused, EvictNow: t.evictNow}
	for _, q := range t.evictAfter {
		after := time.Duration(q.of)
		j.EvictAfter = append(j.EvictAfter, jsonDelay{after.String(), after.Seconds(), q.n})
	}
	return j
}

func (r *row) json(nodes int64) jsonRow {
	j := jsonRow{Pods: r.pods, FirstPod: r.name, jsonTally: r.tally.json(), Tolerations: r.tolerations}
	if j.Tolerations == nil {
		j.Tolerations = []toleration.Toleration{}
	}
	for _, q := range r.soft {
		j.SoftTaints = append(j.SoftTaints, jsonSoft{q.of, q.n})
	}
	for _, reason := range r.reasons {
		j.Reasons = append(j.Reasons, jsonReason{reason.nodes, reason.key, reason.value})
	}
	if r.others.taints > 0 {
		j.MoreReasons = &jsonMore{r.others.taints, r.others.nodes}
	}
	if r.refused > 0 {
		j.Message = r.message(nodes)
	}
	return j
}

// message returns what a scheduler says of the nodes that refuse a pod of the
// list; it takes the reasons together that are not listed.
func (r *row) message(nodes int64) string {
	parts := make([]string, len(r.reasons))
	for i, reason := range r.reasons {
		parts[i] = fmt.Sprintf("%d node(s) had untolerated taint {%s: %s}", reason.nodes, reason.key, reason.value)
	}
	if r.others.taints > 0 {
		parts = append(parts, fmt.Sprintf("%d node(s) had one of %d other untolerated taints", r.others.nodes, r.others.taints))
	}
	return fmt.Sprintf("%d/%d nodes are available: %s.", nodes-r.refused, nodes, strings.Join(parts, ", "))
}
