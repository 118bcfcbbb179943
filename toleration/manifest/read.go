package manifest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/taint"
)

// object is what is read of an object before it is known to be a node, a pod or
// something else.
type object struct {
	Object
	apiVersion string
	uid        string
	owners     []ownerReference
	phase      string
	state      status
	deleted    *taint.Time       // metadata.deletionTimestamp
	labels     map[string]string // those that are asked for
	spec       spec

	annotations map[string]string // those that are for pools
	template    podSpec           // of a PodTemplate
	faults      []*taint.FieldError
	misfits     int // how many of the faults are values that do not decode

	list     bool      // it has items
	items    int       // how many, of a list without a kind
	kindless []*object // items that leave it to the list to tell their kind

	bare *bare // what it is as a toleration, if it may be one
}

func (l *Loader) rootObject(dec *json.Decoder, at Object) error {
	o, err := l.object(dec, at, 0)
	if err != nil {
		return err
	}
	return l.keep(o)
}

func (l *Loader) rootList(dec *json.Decoder, at Object) error {
	o := &object{Object: at}
	w := l.walker(dec)
	if err := w.elements(func(i int) error { o.items++; return l.item(w, o, "", i, 1) }); err != nil {
		return err
	}
	if l.Bare && len(o.kindless) == o.items {
		return l.keepBare(o)
	}
	return l.adopt(o)
}

// object reads an object whose brace has been read, and keeps the items if it
// is a list of others.
func (l *Loader) object(dec *json.Decoder, at Object, depth int) (*object, error) {
	o := &object{Object: at}
	w := l.walker(dec)
	if l.Bare && depth == 1 && strings.HasPrefix(at.Item, "[") {
		o.bare = new(bare)
		w.consequence = "; the toleration is left out"
	}
	err := w.fields(func(name string) (err error) {
		switch name {
		case "apiVersion":
			err = w.text(&o.apiVersion)
		case "kind":
			err = w.text(&o.Kind)
		case "metadata":
			err = w.metadata(o, l.Labels, l.Controllers)
		case "spec":
			err = w.spec(&o.spec, false)
		case "status":
			err = w.status(o)
		case "template":
			err = w.template(&o.template, nil)
		case "items":
			err = l.items(w, o, depth+1)
		default:
			err = w.otherField(o, name)
		}
		return err
	})
	o.faults, o.misfits = w.faults, w.misfits
	return o, err
}

// metadata reads what names an object and its owners, and the labels that are wanted.
func (w *walker) metadata(o *object, wanted []string, controllers bool) error {
	if controllers {
		wanted = append(wanted[:len(wanted):len(wanted)], templateHash)
	}
	return w.object(func(name string) error {
		switch name {
		case "name":
			return w.text(&o.Name)
		case "namespace":
			return w.text(&o.Namespace)
		case "uid":
			return w.text(&o.uid)
		case "deletionTimestamp":
			deleted, err := w.time()
			o.deleted = deleted
			return err
		case "creationTimestamp":
			if w.state {
				return w.moment(new(time.Time))
			}
		case "labels":
			if len(wanted) > 0 || w.placement || w.state {
				return w.labels(o, wanted)
			}
		case "annotations":
			if w.state {
				return w.poolAnnotations(o)
			}
		case "ownerReferences":
			o.owners = nil
			return w.list(func(int) error {
				owner := ownerReference{}
				err := w.owner(&owner)
				o.owners = append(o.owners, owner)
				return err
			})
		}
		return w.other(name, "name", "namespace", "uid", "deletionTimestamp", "labels", "ownerReferences")
	})
}

// labels reads the labels that are wanted.
func (w *walker) labels(o *object, wanted []string) error {
	return w.object(func(name string) error {
		if !w.placement && !w.state && !slices.Contains(wanted, name) {
			return w.skip()
		}
		var value string
		err := w.text(&value)
		if o.labels == nil {
			o.labels = make(map[string]string)
		}
		o.labels[name] = value
		return err
	})
}

// ownerReference is an element of metadata.ownerReferences.
type ownerReference struct {
	Owner
	uid        string
	controller bool
}

func (w *walker) owner(r *ownerReference) error {
	return w.object(func(name string) error {
		switch name {
		case "kind":
			return w.text(&r.Kind)
		case "name":
			return w.text(&r.Name)
		case "uid":
			return w.text(&r.uid)
		case "controller":
			return w.flag(&r.controller)
		}
		return w.skip()
	})
}

// owner returns the owner that is marked as the controller.
func (o *object) owner() Owner {
	for i := range o.owners {
		if o.owners[i].controller {
			return o.owners[i].Owner
		}
	}
	return Owner{}
}

// items reads the items of a list, and keeps those that tell their kind. An empty
// list of the API can be null.
func (l *Loader) items(w *walker, parent *object, depth int) error {
	if depth > maxNesting {
		return fmt.Errorf("lists within lists, more than %d deep", maxNesting)
	}
	token, err := w.dec.Token()
	if token == nil { // null, or an error
		return err
	}
	if token != json.Delim('[') {
		return fmt.Errorf("%w: items: want a list, found %s", errNotObject, describe(token))
	}
	parent.list = true
	return w.elements(func(i int) error { return l.item(w, parent, "items", i, depth) })
}

// item reads the i-th element of a list that is a field of parent.
func (l *Loader) item(w *walker, parent *object, field string, i, depth int) error {
	at := parent.Object
	at.Kind, at.Namespace, at.Name = "", "", ""
	at.Item = strings.TrimPrefix(at.Item+"."+field+"["+strconv.Itoa(i)+"]", ".")
	token, err := w.dec.Token()
	if err != nil {
		return err
	}
	if token != json.Delim('{') {
		return fmt.Errorf("%w: %s: want an object, found %s", errNotObject, at.Item, describe(token))
	}
	o, err := l.object(w.dec, at, depth)
	if err != nil {
		return err
	}
	if o.Kind == "" && !o.list {
		parent.kindless = append(parent.kindless, o)
		return nil
	}
	return l.keep(o)
}

// adopt keeps the items that leave it to the list to tell their kind: those of
// a NodeList are of kind Node.
func (l *Loader) adopt(parent *object) error {
	kind, isList := strings.CutSuffix(parent.Kind, "List")
	for _, o := range parent.kindless {
		if !isList || kind == "" {
			return fmt.Errorf("%w: %s has no kind", errNotObject, o.Item)
		}
		o.Kind = kind
		if o.apiVersion == "" {
			o.apiVersion = parent.apiVersion
		}
		l.keepKind(o)
	}
	return nil
}
