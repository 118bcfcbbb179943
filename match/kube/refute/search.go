package main

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
	"github.com/tolero-dev/tolero/toleration/policy"
)

// intent is what a policy is meant to do: pods, except those in some namespaces, may not
// tolerate what spec denies, or what it does not allow.
type intent struct {
	spec   policy.Spec
	exempt []string
	policy *policy.Policy // of spec
}

// refuses returns why the intent refuses a pod, or nil.
func (in *intent) refuses(namespace string, list []toleration.Toleration) error {
	for _, name := range in.exempt {
		if name == namespace {
			return nil
		}
	}
	return in.policy.Check(list)
}

// difference is a pod about which a policy and its intent disagree.
type difference struct {
	namespace   string
	tolerations []toleration.Toleration
	why         string // of the side that refuses it
}

// findings are the smallest pod that a policy lets through, the smallest one that it refuses
// for nothing, how many pods were tried, and what the universe leaves out.
type findings struct {
	admitted, refused *difference
	pods              int
	left              []string
}

// refute asks a policy about every pod of its universe.
func refute(c *candidate, in *intent, params map[string]any) (findings, error) {
	if c.spec.ParamKind != nil && params == nil {
		return findings{}, errors.New("has a paramKind: give -params")
	}
	var object runtime.Object
	if params != nil {
		object = &unstructured.Unstructured{Object: params}
	}
	j, err := newJudge(c, object)
	if err != nil {
		return findings{}, err
	}
	found, err := constantsOf(c, params)
	if err != nil {
		return findings{}, err
	}
	u := newUniverse(found, in)
	f := findings{left: u.left}
	for namespace, list := range u.pods() {
		f.pods++
		// The plugin DefaultTolerationSeconds has added its tolerations when policies are asked.
		why := j.refuses(namespace, admit.DefaultSeconds{}.Append(nil, list))
		switch intended := in.refuses(namespace, list); {
		case why == "" && intended != nil && f.admitted == nil:
			f.admitted = &difference{namespace, list, intended.Error()}
		case why != "" && intended == nil && f.refused == nil:
			f.refused = &difference{namespace, list, why}
		}
		if f.admitted != nil && f.refused != nil {
			break
		}
	}
	return f, nil
}

// manifest is the pod of a difference as YAML.
func (d *difference) manifest() string {
	list := d.tolerations
	if list == nil {
		list = []toleration.Toleration{}
	}
	text, err := yaml.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": "pod", "namespace": d.namespace},
		"spec":     map[string]any{"containers": []any{map[string]any{"name": "main", "image": "image"}}, "tolerations": list},
	})
	if err != nil {
		return fmt.Sprint(err)
	}
	return string(text)
}
