package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/tolero-dev/tolero/match/device"
)

// dump is what the files hold, as far as it matters here.
type dump struct {
	Pods   []pod
	Claims []claim
	Slices []slice
	Rules  []rule
}

type metadata struct {
	Namespace string
	Name      string
	UID       string
}

// key is the name by which the queue knows a claim.
func (m *metadata) key() string { return m.Namespace + "/" + m.Name }

type pod struct {
	Metadata metadata
	Spec     struct {
		NodeName       string
		ResourceClaims []podClaim
	}
	Status struct {
		Phase                 string
		ResourceClaimStatuses []podClaim
	}
}

// podClaim is a claim that a pod names, or that was made for it from a template.
type podClaim struct {
	Name              string
	ResourceClaimName *string
}

// ended reports whether the pod uses nothing any more.
func (p *pod) ended() bool { return p.Status.Phase == "Succeeded" || p.Status.Phase == "Failed" }

// claims returns the keys of the claims that the pod refers to.
func (p *pod) claims() (keys []string) {
	for _, list := range [][]podClaim{p.Spec.ResourceClaims, p.Status.ResourceClaimStatuses} {
		for _, c := range list {
			if c.ResourceClaimName != nil {
				keys = append(keys, p.Metadata.Namespace+"/"+*c.ResourceClaimName)
			}
		}
	}
	return keys
}

type claim struct {
	Metadata metadata
	Status   struct {
		Allocation *struct {
			Devices struct{ Results []device.Allocation }
		}
		ReservedFor []struct{ APIGroup, Resource, UID string }
	}
}

func (c *claim) allocations() []device.Allocation {
	if c.Status.Allocation == nil {
		return nil
	}
	return c.Status.Allocation.Devices.Results
}

// reservedFor returns the UIDs of the pods that the claim is reserved for.
func (c *claim) reservedFor() (uids []string) {
	for _, r := range c.Status.ReservedFor {
		if r.APIGroup == "" && r.Resource == "pods" {
			uids = append(uids, r.UID)
		}
	}
	return uids
}

type slice struct {
	Metadata metadata
	Spec     device.Slice
}

type rule struct {
	Metadata metadata
	Spec     device.Rule
}

// slices iterates over the slices by name.
func (d *dump) slices(yield func(string, *device.Slice) bool) {
	for i := range d.Slices {
		if !yield(d.Slices[i].Metadata.Name, &d.Slices[i].Spec) {
			return
		}
	}
}

// readAll reads the files, or standard input if there is none.
func (d *dump) readAll(files []string, stdin io.Reader) error {
	if len(files) == 0 {
		return d.read("standard input", stdin)
	}
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		err = d.read(name, file)
		file.Close() // it was only read
		if err != nil {
			return err
		}
	}
	return nil
}

// read reads objects and lists of objects, one after the other. Objects of other kinds
// are ignored.
func (d *dump) read(name string, r io.Reader) error {
	decoder := json.NewDecoder(r)
	for {
		var object json.RawMessage
		if err := decoder.Decode(&object); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := d.add(object); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
}

// add adds an object, or those of a list.
func (d *dump) add(object json.RawMessage) error {
	var head struct {
		Kind     string
		Metadata metadata
		Items    []json.RawMessage
	}
	if err := json.Unmarshal(object, &head); err != nil {
		return err
	}
	var err error
	switch head.Kind {
	case "Pod":
		err = appendObject(&d.Pods, object)
	case "ResourceClaim":
		err = appendObject(&d.Claims, object)
	case "ResourceSlice":
		err = appendObject(&d.Slices, object)
	case "DeviceTaintRule":
		err = appendObject(&d.Rules, object)
	default:
		for _, item := range head.Items {
			if err := d.add(item); err != nil {
				return err
			}
		}
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", head.Kind, head.Metadata.key(), err)
	}
	return nil
}

func appendObject[T any](list *[]T, object json.RawMessage) error {
	var value T
	if err := json.Unmarshal(object, &value); err != nil {
		return err
	}
	*list = append(*list, value)
	return nil
}
