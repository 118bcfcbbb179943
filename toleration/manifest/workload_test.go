package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/toleration/manifest"
)

// pod returns a pod, made by a controller, with a hash of its template unless that is empty.
func pod(kind, name, hash string) string {
	return fmt.Sprintf(`{"kind":"Pod","metadata":{"namespace":"shop","name":"p","labels":{"app":"x","pod-template-hash":%q},
		"ownerReferences":[{"kind":%q,"name":%q,"controller":true}]}}`, hash, kind, name)
}

func made(kind, name, byKind, byName string) string {
	return fmt.Sprintf(`{"kind":%q,"metadata":{"namespace":"shop","name":%q,"ownerReferences":[{"kind":%q,"name":%q,"controller":true}]}}`, kind, name, byKind, byName)
}

// A pod comes from the workload at the end of its owners, or from the Deployment that the
// name of its ReplicaSet tells.
func TestWorkloadOfPods(t *testing.T) {
	for name, c := range map[string]struct{ input, want string }{
		"ReplicaSet in the input":           {made("ReplicaSet", "cart-5d4c", "Deployment", "cart") + pod("ReplicaSet", "cart-5d4c", ""), "Deployment/cart"},
		"after the pod":                     {pod("ReplicaSet", "odd", "5d4c") + made("ReplicaSet", "odd", "Deployment", "cart"), "Deployment/cart"},
		"an owner of another kind":          {made("ReplicaSet", "cart-5d4c", "Rollout", "cart") + pod("ReplicaSet", "cart-5d4c", "5d4c"), "Rollout/cart"},
		"a ReplicaSet of nobody":            {`{"kind":"ReplicaSet","metadata":{"namespace":"shop","name":"cart-5d4c"}}` + pod("ReplicaSet", "cart-5d4c", "5d4c"), "ReplicaSet/cart-5d4c"},
		"a ReplicaSet of another namespace": {`{"kind":"ReplicaSet","metadata":{"name":"cart-5d4c"}}` + pod("ReplicaSet", "cart-5d4c", "5d4c"), "Deployment/cart"},
		"by the hash":                       {pod("ReplicaSet", "cart-a-5d4c", "5d4c"), "Deployment/cart-a"},
		"another hash":                      {pod("ReplicaSet", "cart-5d4c", "77"), "ReplicaSet/cart-5d4c"},
		"no hash":                           {pod("ReplicaSet", "cart-5d4c", ""), "ReplicaSet/cart-5d4c"},
		"nothing but the hash":              {pod("ReplicaSet", "-5d4c", "5d4c"), "ReplicaSet/-5d4c"},
		"a hyphen and no hash":              {pod("ReplicaSet", "cart-", ""), "ReplicaSet/cart-"},
		"a hash of one letter":              {pod("ReplicaSet", "cart-x", "x"), "Deployment/cart"},
		"not the pod's own ReplicaSet":      {made("Job", "night", "ReplicaSet", "cart-5d4c") + pod("Job", "night", "5d4c"), "ReplicaSet/cart-5d4c"},
		"a pod of a pod":                    {strings.ReplaceAll(pod("Job", "night", ""), `"p"`, `"first"`) + pod("Pod", "first", ""), "Pod/first"},
		"a Job":                             {pod("Job", "cart-5d4c", "5d4c"), "Job/cart-5d4c"},
		"not a ReplicaSet":                  {pod("StatefulSet", "cart-5d4c", "5d4c"), "StatefulSet/cart-5d4c"},
		"a CronJob":                         {made("Job", "night-1", "CronJob", "night") + pod("Job", "night-1", ""), "CronJob/night"},
		"a circle":                          {made("Job", "a", "Job", "b") + made("Job", "b", "Job", "a") + pod("Job", "a", ""), "Job/a"},
		"nobody":                            {`{"kind":"Pod","metadata":{"name":"p"}}`, ""},
	} {
		for _, asked := range []bool{true, false} {
			l := manifest.Loader{Controllers: asked}
			if err := l.Read("x", strings.NewReader(c.input)); err != nil {
				t.Fatal(err)
			}
			want := c.want
			if !asked {
				want = ""
			}
			for _, p := range l.Cluster().Pods {
				if got := p.Workload.String(); p.Kind == "Pod" && p.Name == "p" && got != want {
					t.Errorf("%s, asked %t: %q, want %q", name, asked, got, want)
				}
			}
		}
	}
}

// The label is not kept for those who did not ask for it.
func TestHashIsNoLabelOfNodes(t *testing.T) {
	const node = `{"kind":"Node","metadata":{"name":"n","labels":{"zone":"a","pod-template-hash":"5d4c"}}}`
	for _, c := range []struct {
		l    manifest.Loader
		want string
	}{
		{manifest.Loader{Controllers: true}, "map[]"},
		{manifest.Loader{Controllers: true, Labels: []string{"zone"}}, "map[zone:a]"},
		{manifest.Loader{Controllers: true, Labels: []string{"pod-template-hash"}}, "map[pod-template-hash:5d4c]"},
		{manifest.Loader{Controllers: true, Placement: true}, "map[pod-template-hash:5d4c zone:a]"},
	} {
		if err := c.l.Read("x", strings.NewReader(node)); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(c.l.Cluster().Nodes[0].Labels); got != c.want {
			t.Errorf("%+v: %s, want %s", c.l.Labels, got, c.want)
		}
	}
}

// A workload whose pods are in the input does not count on top of them, even if what made
// the pods is not there, or nothing has a UID.
func TestWorkloadsWithPods(t *testing.T) {
	workload := func(kind, namespace, name string) string {
		return fmt.Sprintf(`{"kind":%q,"metadata":{"namespace":%q,"name":%q,"uid":"%s of %s"},"spec":{"replicas":3}}`, kind, namespace, name, name, namespace)
	}
	cart, its := workload("Deployment", "shop", "cart"), pod("ReplicaSet", "cart-5d4c", "5d4c")
	finished := strings.Replace(its, `"metadata"`, `"status":{"phase":"Failed"},"metadata"`, 1)
	for name, c := range map[string]struct {
		input, want string
		absent      int
	}{
		"without the ReplicaSet":        {cart + its, "Pod/p", 1},
		"after the pod":                 {its + cart, "Pod/p", 1},
		"a finished pod":                {cart + finished, "", 1},
		"another Deployment":            {workload("Deployment", "shop", "car") + its, "Deployment/car Pod/p", 0},
		"another namespace":             {workload("Deployment", "", "cart") + its, "Deployment/cart Pod/p", 0},
		"another kind":                  {workload("StatefulSet", "shop", "cart") + its, "StatefulSet/cart Pod/p", 0},
		"another hash":                  {cart + pod("ReplicaSet", "cart-5d4c", "77"), "Deployment/cart Pod/p", 0},
		"no UIDs, with the ReplicaSet":  {made("Deployment", "cart", "", "") + made("ReplicaSet", "cart-5d4c", "Deployment", "cart") + its, "Pod/p", 2},
		"a circle":                      {made("Job", "a", "Job", "b") + made("Job", "b", "Job", "a") + pod("Job", "a", ""), "Pod/p", 2},
		"no UIDs and no pods":           {made("Deployment", "cart", "", "") + made("ReplicaSet", "cart-5d4c", "Deployment", "cart"), "ReplicaSet/cart-5d4c", 1},
		"pods and lists own nothing":    {strings.ReplaceAll(pod("Job", "night", ""), `"p"`, `"first"`) + pod("Pod", "first", "") + `[{"key":"a","operator":"Exists"}]`, "Pod/first Pod/p /", 0},
		"lists with pods that are bare": {`{"kind":"Pod","metadata":{"name":"p"}} [{"key":"a","operator":"Exists"}]`, "Pod/p /", 0},
	} {
		for _, asked := range []bool{true, false} {
			l := manifest.Loader{Controllers: asked, Bare: true}
			if err := l.Read("x", strings.NewReader(c.input)); err != nil {
				t.Fatal(err)
			}
			var got []string
			cluster := l.Cluster()
			for _, p := range cluster.Pods {
				got = append(got, p.Kind+"/"+p.Name)
			}
			if text := strings.Join(got, " "); asked && (text != c.want || cluster.Absent != c.absent) {
				t.Errorf("%s: %q, %d absent; want %q, %d", name, text, cluster.Absent, c.want, c.absent)
			} else if !asked && cluster.Absent != 0 {
				t.Errorf("%s: %d absent without being asked", name, cluster.Absent)
			}
		}
	}
}
