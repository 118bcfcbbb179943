package matrix

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// deviceSlice is a ResourceSlice.
type deviceSlice struct {
	name string
	spec device.Slice
}

// deviceRule is a DeviceTaintRule.
type deviceRule struct {
	name string
	spec device.Rule
}

// devicePod is a pod that uses claims.
type devicePod struct {
	name, uid string
	placed    bool
	claims    []string
}

// deviceClaim is a ResourceClaim: what it asks for and what it got.
type deviceClaim struct {
	name        string
	requests    []deviceRequest
	allocations []device.Allocation
	reservedFor []string // UIDs of pods
}

// deviceRequest is a request of a claim, or a sub-request, with a slash between their
// names.
type deviceRequest struct {
	name        string
	tolerations []toleration.Toleration
}

// wanted returns what the API has where a value of that kind is read.
func wanted(kind reflect.Kind) string {
	switch kind {
	case reflect.String:
		return "a string"
	case reflect.Slice:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Int64:
		return "an integer that fits in 64 bits"
	}
	return "a " + kind.String()
}

// podClaim is an entry of a pod's spec: a claim that it names, or one that is made for it
// from a template. What was made has an entry of the same name in the status.
type podClaim struct {
	Name                      string  `json:"name"`
	ResourceClaimName         *string `json:"resourceClaimName"`
	ResourceClaimTemplateName *string `json:"resourceClaimTemplateName"`
}

// addPod adds a pod if it uses claims, has not ended and is not terminating.
func (d *deviceDump) addPod(o *deviceObject) error {
	var spec struct {
		NodeName       string     `json:"nodeName"`
		ResourceClaims []podClaim `json:"resourceClaims"`
	}
	var status struct {
		Phase                 string     `json:"phase"`
		ResourceClaimStatuses []podClaim `json:"resourceClaimStatuses"`
	}
	if decode("spec", o.Spec, &spec) != nil {
		return nil // the loader tells of what it reads too
	}
	if err := decode("status", o.Status, &status); err != nil {
		return err
	}
	if status.Phase == "Succeeded" || status.Phase == "Failed" || o.Metadata.DeletionTimestamp != "" {
		return nil
	}
	p := devicePod{name: o.key(), uid: o.Metadata.UID, placed: spec.NodeName != ""}
	for _, c := range spec.ResourceClaims {
		if name := d.claimOf(p.name, o.Metadata.Namespace, c, status.ResourceClaimStatuses); name != "" {
			p.claims = append(p.claims, name)
		}
	}
	if len(p.claims) > 0 {
		d.pods = append(d.pods, p)
	}
	return nil
}

// claimOf returns the claim that a pod uses under a name of its spec, with the
// namespace, or nothing. The status of the pod names a claim that was made from a
// template; one that was not made yet is noted.
func (d *deviceDump) claimOf(pod, namespace string, c podClaim, statuses []podClaim) string {
	name := c.ResourceClaimName
	if name == nil && c.ResourceClaimTemplateName != nil {
		i := slices.IndexFunc(statuses, func(s podClaim) bool { return s.Name == c.Name })
		if i < 0 {
			d.waiting = append(d.waiting, waitingClaim{pod, c.Name, namespace + "/" + *c.ResourceClaimTemplateName})
			return ""
		}
		name = statuses[i].ResourceClaimName // nil if none is needed
	}
	if name == nil {
		return ""
	}
	return namespace + "/" + *name
}

// claimSpec is what a claim asks for.
type claimSpec struct {
	Devices struct {
		Requests []struct {
			Name    string `json:"name"`
			Exactly *struct {
				Tolerations []toleration.Toleration `json:"tolerations"`
			} `json:"exactly"`
			FirstAvailable []struct {
				Name        string                  `json:"name"`
				Tolerations []toleration.Toleration `json:"tolerations"`
			} `json:"firstAvailable"`
		} `json:"requests"`
	} `json:"devices"`
}

// claimStatus is what a claim got.
type claimStatus struct {
	Allocation *struct {
		Devices struct {
			Results []device.Allocation `json:"results"`
		} `json:"devices"`
	} `json:"allocation"`
	ReservedFor []struct {
		APIGroup string `json:"apiGroup"`
		Resource string `json:"resource"`
		UID      string `json:"uid"`
	} `json:"reservedFor"`
}

func (d *deviceDump) addClaim(o *deviceObject) error {
	var spec claimSpec
	var status claimStatus
	if err := decode("spec", o.Spec, &spec); err != nil {
		return err
	}
	if err := decode("status", o.Status, &status); err != nil {
		return err
	}
	c := deviceClaim{name: o.Metadata.Namespace + "/" + o.Metadata.Name}
	faults := c.addRequests("spec", &spec)
	if status.Allocation != nil {
		c.allocations = status.Allocation.Devices.Results
	}
	for _, r := range status.ReservedFor {
		if r.APIGroup == "" && r.Resource == "pods" {
			c.reservedFor = append(c.reservedFor, r.UID)
		} else {
			d.others++
		}
	}
	d.claims = append(d.claims, c)
	return faults.Err()
}

// addRequests adds what a claim with a spec in that field asks for, and returns the
// faults of its tolerations.
// An operator that is left out is Equal, as the API server has it.
func (c *deviceClaim) addRequests(field string, spec *claimSpec) *taint.FieldErrors {
	faults := new(taint.FieldErrors)
	add := func(name, path string, tolerations []toleration.Toleration) {
		for i := range tolerations {
			device.SetTolerationDefaults(&tolerations[i])
		}
		c.requests = append(c.requests, deviceRequest{name, tolerations})
		faults.Faults = append(faults.Faults, validated(path, device.ValidateTolerations(tolerations))...)
	}
	for i, r := range spec.Devices.Requests {
		path := fmt.Sprintf("%s.devices.requests[%d]", field, i)
		if r.Exactly != nil {
			add(r.Name, path+".exactly", r.Exactly.Tolerations)
		}
		for j, sub := range r.FirstAvailable {
			add(r.Name+"/"+sub.Name, fmt.Sprintf("%s.firstAvailable[%d]", path, j), sub.Tolerations)
		}
	}
	return faults
}
