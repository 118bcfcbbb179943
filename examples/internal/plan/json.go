package plan

import (
	"strings"

	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/toleration"
)

// The JSON output. Classes are the pods with the same tolerations and requirements, as far as the
// plan means anything to them; violations are limits that the plan as a whole breaks; without
// -stages there is one stage.
type (
	jsonReport struct {
		Nodes         int             `json:"nodes"`
		Pods          int64           `json:"pods"`
		Plan          []string        `json:"plan"`
		Summary       jsonSummary     `json:"summary"`
		Evictions     []jsonEviction  `json:"evictions"`
		Classes       []jsonGroup     `json:"classes"`
		Unschedulable []jsonGroup     `json:"unschedulable"` // pods without a node that accepts them
		Violations    []jsonViolation `json:"violations"`
		Stages        []jsonStage     `json:"stages"`
		NoStages      string          `json:"noStages,omitempty"` // why there are none
	}
	jsonSummary struct {
		Nodes         int `json:"nodes"`
		EvictedNow    int `json:"evictedNow"`
		EvictedLater  int `json:"evictedLater"`
		EvictedAnyway int `json:"evictedAnyway"`
		Spared        int `json:"spared"`
		Stay          int `json:"stay"`
	}
	jsonEviction struct {
		Pod     string  `json:"pod"`
		Node    string  `json:"node"`
		Owner   string  `json:"owner"`
		Seconds float64 `json:"seconds"` // 0 is at once
		Taint   string  `json:"taint"`
	}
	jsonGroup struct {
		Owners   []string                `json:"owners"`
		Pods     int64                   `json:"pods"`
		Before   []toleration.Toleration `json:"before"`
		After    []toleration.Toleration `json:"after"`
		Required *affinity.Required      `json:"required,omitempty"` // of the labels of nodes
		Gained   int                     `json:"gained"`             // nodes
		Lost     int                     `json:"lost"`
		Evicted  int                     `json:"evicted"` // pods
	}
	jsonViolation struct {
		Name    string `json:"name,omitempty"` // of the owner or the budget
		Allowed int    `json:"allowed"`
		Count   int    `json:"count"`
		Text    string `json:"text"`
	}
	jsonStage struct {
		Summary jsonSummary `json:"summary"`
		Plan    []string    `json:"plan"`
	}
)

func (r *report) data() any {
	document := jsonReport{
		Nodes: r.cluster.nodes, Pods: r.cluster.count, Plan: lines(r.plan), Summary: jsonSummary(r.summary),
		Evictions: []jsonEviction{}, Classes: jsonGroups(r.groups, (*Group).changes), Unschedulable: jsonGroups(r.groups, (*Group).stranded),
		Violations: []jsonViolation{}, Stages: []jsonStage{},
	}
	for _, e := range r.evictions {
		document.Evictions = append(document.Evictions, jsonEviction{e.Pod, e.Node, e.Owner, e.After.Seconds(), e.Taint.String()})
	}
	for _, v := range r.violations {
		document.Violations = append(document.Violations, jsonViolation{v.Name, v.Allowed, v.Count, r.cluster.say(v)})
	}
	for _, s := range r.stages {
		document.Stages = append(document.Stages, jsonStage{jsonSummary(s.Summary()), lines(r.written(s.Plan()))})
	}
	if r.uncut != nil {
		document.NoStages = r.uncut.Error()
	}
	return document
}

// lines returns the commands of a plan.
func lines(p whatif.Plan) []string {
	list := []string{}
	for i := range p.Steps {
		list = append(list, strings.TrimSpace(p.Steps[i].String()))
	}
	return list
}

func jsonGroups(groups []Group, wanted func(*Group) bool) []jsonGroup {
	list := []jsonGroup{}
	for i := range groups {
		g := &groups[i]
		if !wanted(g) {
			continue
		}
		j := jsonGroup{g.Owners, g.Pods, listed(g.Before), listed(g.After), nil, g.Gained, g.Lost, g.Evicted}
		if !g.Required.IsZero() {
			j.Required = &g.Required
		}
		list = append(list, j)
	}
	return list
}

// listed returns a list that is not nil, which JSON would write as null.
func listed(list []toleration.Toleration) []toleration.Toleration {
	return append([]toleration.Toleration{}, list...)
}
