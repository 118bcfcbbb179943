package manifest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"strings"

	"github.com/tolero-dev/tolero/toleration/admit"
)

// amounts are amounts of resources in thousandths.
type amounts map[string]int64

// container is what is read of a container.
type container struct {
	requests, limits amounts
	sidecar          bool // an init container that runs on: restartPolicy Always
}

// add adds list to a. A sum beyond the greatest int64 stays there.
func (a amounts) add(list amounts) {
	for name, n := range list {
		a[name] += min(n, math.MaxInt64-a[name])
	}
}

// list returns the amounts in the units of a [ResourceList].
func (a amounts) list() ResourceList {
	list := make(ResourceList, len(a))
	for name, n := range a {
		if name != "cpu" {
			n = n/1000 + min(n%1000, 1)
		}
		list[name] = n
	}
	return list
}

// effective returns the requests, and the limits where there are none.
func (c *container) effective() amounts {
	if len(c.limits) == 0 {
		return c.requests
	}
	list := maps.Clone(c.limits)
	maps.Copy(list, c.requests)
	return list
}

// total returns what the scheduler counts for the pod: PodRequests in
// k8s.io/component-helpers/resource.
func (p *podState) total() amounts {
	sum, sidecars, most := make(amounts), make(amounts), make(amounts)
	for i := range p.containers {
		sum.add(p.containers[i].effective())
	}
	for i := range p.initContainers {
		requests := p.initContainers[i].effective()
		if p.initContainers[i].sidecar {
			sum.add(requests)
			sidecars.add(requests)
			continue
		}
		for name, n := range requests { // beside the sidecars before it
			most[name] = max(most[name], n+min(sidecars[name], math.MaxInt64-n))
		}
	}
	for name, n := range most {
		sum[name] = max(sum[name], n)
	}
	for name, n := range p.whole.requests {
		if name == "cpu" || name == "memory" || strings.HasPrefix(name, "hugepages-") {
			sum[name] = n
		}
	}
	sum.add(p.overhead)
	return sum
}

// containerList reads spec.containers or spec.initContainers.
func (w *walker) containerList(p *podState, list *[]container) error {
	*list = nil
	return w.list(func(int) error {
		var c container
		err := w.object(func(name string) error {
			switch name {
			case "resources":
				return w.resources(&c)
			case "restartPolicy":
				policy := ""
				err := w.text(&policy)
				c.sidecar = policy == "Always"
				return err
			case "ports":
				return w.list(func(int) error {
					return w.object(w.only("hostPort", func() error {
						port, err := w.integer(32)
						if port != nil && *port != 0 {
							p.constrain("hostPort")
						}
						return err
					}))
				})
			}
			return w.other(name, "resources", "restartPolicy", "ports")
		})
		*list = append(*list, c)
		return err
	})
}

// resources reads what a container, or a pod as a whole, requests.
func (w *walker) resources(c *container) error {
	return w.object(func(name string) error {
		switch name {
		case "requests":
			return w.amounts(&c.requests)
		case "limits":
			return w.amounts(&c.limits)
		}
		return w.other(name, "requests", "limits")
	})
}

// amounts reads a list of resources. What is no amount, or less than nothing, is a fault and
// left out.
func (w *walker) amounts(list *amounts) error {
	*list = make(amounts)
	return w.object(func(name string) error {
		token, err := w.dec.Token()
		if err != nil {
			return err
		}
		var text string
		switch token := token.(type) {
		case string:
			text = token
		case json.Number:
			text = token.String()
		default:
			return w.mismatch("an amount of a resource", token)
		}
		n, err := admit.Quantity(text).MilliValue()
		switch {
		case err != nil:
			w.refuse(text, err.Error()+"; it is left out")
		case n < 0:
			w.refuse(text, "must not be negative; it is left out")
		default:
			(*list)[w.loader.sharer.word(name)] = n
		}
		return nil
	})
}

// shareMap returns a map that equals m and is the same for all that do.
func shareMap[M ~map[string]V, V any](known *map[string]M, m M) M {
	if len(m) == 0 {
		return nil
	}
	key := fmt.Sprintf("%#v", m) // in the order of the keys
	if shared, found := (*known)[key]; found {
		return shared
	}
	if *known == nil {
		*known = make(map[string]M)
	}
	if len(*known) < maxShared {
		(*known)[key] = m
	}
	return m
}
