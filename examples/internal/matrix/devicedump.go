package matrix

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"

	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/taint"
)

// deviceDump is what the input says of devices. The loader of nodes and pods knows
// nothing of them, so the same JSON is read a second time, beside it.
type deviceDump struct {
	pods   []devicePod // those that use claims
	claims []deviceClaim
	slices []deviceSlice
	rules  []deviceRule
	faults []string
	read   map[string]int // objects by kind, those that are left out included
	late   map[string]int // items of lists that tell their kind after them

	templates  map[string][]deviceRequest // by name
	waiting    []waitingClaim             // until resolve
	unresolved int                        // claims that are to be made from templates that are not there
	others     int                        // reservations for anything else than pods
}

// deviceKinds are the kinds of which the section on devices tells.
var deviceKinds = []string{"DeviceTaintRule", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice"}

// deviceWords are those of which an object holds one if it matters here.
var deviceWords = [][]byte{[]byte("DeviceTaintRule"), []byte("ResourceClaim"), []byte("ResourceSlice"), []byte("resourceClaims")}

// empty reports whether there is nothing to tell.
func (d *deviceDump) empty() bool { return len(d.claims)+len(d.slices)+len(d.rules) == 0 }

// Read reads values one after the other until the input ends or is no JSON any
// more, of which the loader tells. What is left is read and not looked at.
func (d *deviceDump) Read(name string, in io.Reader) {
	d.decodeAll(name, json.NewDecoder(in))
	_, _ = io.Copy(io.Discard, in) // the loader gets the rest and the error
}

// decodeAll reads values until there is none any more.
func (d *deviceDump) decodeAll(name string, decoder *json.Decoder) {
	for document := 1; ; document++ {
		token, err := decoder.Token()
		if err == nil {
			place := devicePlace{name, fmt.Sprintf("document %d", document), ""}
			switch token {
			case json.Delim('{'):
				err = d.root(decoder, place)
			case json.Delim('['):
				_, err = d.items(decoder, place, "", "")
			}
		}
		if err != nil {
			return
		}
	}
}

// devicePlace is where an object is.
type devicePlace struct{ file, document, kind string }

// root reads an object whose brace has been read: one that matters, or a list, of
// which only one item at a time is held.
func (d *deviceDump) root(decoder *json.Decoder, place devicePlace) error {
	var o deviceObject
	early := 0 // items that came before the kind
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return err
		}
		if name == "items" {
			var token json.Token
			if token, err = decoder.Token(); token == json.Delim('[') {
				version, kind := o.itemType()
				var n int
				if n, err = d.items(decoder, place, version, kind); o.Kind == "" {
					early += n
				}
			}
		} else {
			err = o.field(decoder, name)
		}
		if err != nil {
			return err
		}
	}
	if _, err := decoder.Token(); err != nil {
		return err
	}
	if _, kind := o.itemType(); early > 0 {
		if d.late == nil {
			d.late = make(map[string]int)
		}
		d.late[kind] += early
	}
	d.add(place, &o)
	return nil
}

// itemType returns the API version and the kind of the items of a list that do not
// tell theirs: those of a ResourceSliceList are of kind ResourceSlice.
func (o *deviceObject) itemType() (version, kind string) {
	kind, isList := strings.CutSuffix(o.Kind, "List")
	if !isList || kind == "" {
		return "", ""
	}
	return o.APIVersion, kind
}

// items reads the rest of a list and returns how many items there are.
func (d *deviceDump) items(decoder *json.Decoder, place devicePlace, version, kind string) (n int, err error) {
	for ; decoder.More(); n++ {
		var text json.RawMessage
		if err := decoder.Decode(&text); err != nil {
			return n, err
		}
		in := place
		in.document += fmt.Sprintf(", items[%d]", n)
		d.item(text, in, version, kind)
	}
	_, err = decoder.Token()
	return n, err
}

// item adds an item of a list, or those of a list within it.
func (d *deviceDump) item(text json.RawMessage, place devicePlace, version, kind string) {
	if !slices.Contains(deviceKinds, kind) && !slices.ContainsFunc(deviceWords, func(word []byte) bool { return bytes.Contains(text, word) }) {
		return
	}
	o := deviceObject{APIVersion: version, Kind: kind}
	if json.Unmarshal(text, &o) != nil {
		return // the loader tells of it
	}
	version, kind = o.itemType()
	for i, item := range o.Items {
		in := place
		in.document += fmt.Sprintf(".items[%d]", i)
		d.item(item, in, version, kind)
	}
	d.add(place, &o)
}

// deviceObject is an object as far as all kinds have it.
type deviceObject struct {
	APIVersion, Kind string
	Metadata         struct{ Namespace, Name, UID, DeletionTimestamp string }
	Spec, Status     json.RawMessage
	Items            []json.RawMessage
}

// field reads a field of an object other than its items.
func (o *deviceObject) field(decoder *json.Decoder, name json.Token) error {
	var into any
	switch name {
	case "apiVersion":
		into = &o.APIVersion
	case "kind":
		into = &o.Kind
	case "metadata":
		into = &o.Metadata
	case "spec":
		into = &o.Spec
	case "status":
		into = &o.Status
	default:
		into = new(json.RawMessage)
	}
	err := decoder.Decode(into)
	if misfit := new(json.UnmarshalTypeError); errors.As(err, &misfit) {
		return nil // the value was read, and the loader tells of it
	}
	return err
}

// key returns the name with the namespace, if it has one.
func (o *deviceObject) key() string {
	return strings.TrimPrefix(o.Metadata.Namespace+"/"+o.Metadata.Name, "/")
}

// add adds an object of a kind that matters.
func (d *deviceDump) add(place devicePlace, o *deviceObject) {
	place.kind = o.Kind
	if slices.Contains(deviceKinds, o.Kind) {
		if d.read == nil {
			d.read = make(map[string]int)
		}
		d.read[o.Kind]++
	}
	var err error
	switch group, version, _ := strings.Cut(o.APIVersion, "/"); {
	case o.Kind == "Pod" && (o.APIVersion == "v1" || o.APIVersion == ""):
		err = d.addPod(o)
	case !slices.Contains(deviceKinds, o.Kind) || group != "resource.k8s.io" && o.APIVersion != "":
		return
	case version != "v1" && version != "v1beta2" && o.APIVersion != "":
		err = &taint.FieldError{Field: "apiVersion", Problem: "unsupported value", Value: o.APIVersion, Detail: "must be resource.k8s.io/v1 or v1beta2; the object is left out"}
	case o.Kind == "ResourceClaim":
		err = d.addClaim(o)
	case o.Kind == "ResourceClaimTemplate":
		err = d.addTemplate(o)
	case o.Kind == "ResourceSlice":
		err = d.addSlice(o)
	default:
		err = d.addRule(o)
	}
	d.fault(place, o.key(), err)
}

// fault keeps what is wrong with an object, each field on its own.
func (d *deviceDump) fault(place devicePlace, name string, err error) {
	list := []error{err}
	if all := new(taint.FieldErrors); errors.As(err, &all) {
		list = all.Unwrap()
	}
	for _, err := range list {
		if err != nil {
			d.faults = append(d.faults, fmt.Sprintf("%s: %s: %s %s: %v", place.file, place.document, place.kind, name, err))
		}
	}
}

// decode reads a field of an object into value. A value that does not fit is a fault
// of its field.
func decode(field string, text json.RawMessage, value any) error {
	if len(text) == 0 {
		return nil
	}
	err := json.Unmarshal(text, value)
	if misfit := new(json.UnmarshalTypeError); errors.As(err, &misfit) {
		path := strings.TrimSuffix(field+"."+misfit.Field, ".")
		return fmt.Errorf("%s: want %s, found a %s; the object is left out", path, wanted(misfit.Type.Kind()), misfit.Value)
	}
	if err != nil {
		return fmt.Errorf("%s: %w; the object is left out", field, err)
	}
	return nil
}

// validated returns the faults of a list under a path.
func validated(path string, err error) []*taint.FieldError {
	if all := new(taint.FieldErrors); errors.As(err, &all) {
		return all.Under(path).Faults
	}
	return nil
}

func (d *deviceDump) addSlice(o *deviceObject) error {
	s := deviceSlice{name: o.Metadata.Name}
	if err := decode("spec", o.Spec, &s.spec); err != nil {
		return err
	}
	d.slices = append(d.slices, s)
	var faults taint.FieldErrors
	for i := range s.spec.Devices {
		faults.Faults = append(faults.Faults, validated(fmt.Sprintf("spec.devices[%d]", i), device.ValidateTaints(s.spec.Devices[i].Taints))...)
	}
	return faults.Err()
}

func (d *deviceDump) addRule(o *deviceObject) error {
	r := deviceRule{name: o.Metadata.Name}
	if err := decode("spec", o.Spec, &r.spec); err != nil {
		return err
	}
	d.rules = append(d.rules, r)
	faults := taint.FieldErrors{Faults: validated("spec", r.spec.Validate())}
	return faults.Err()
}

// Faults returns what is wrong with the objects, and resolves what was read: it is called
// once, when everything is read.
func (d *deviceDump) Faults() (faults []error) {
	d.resolve()
	for _, fault := range d.faults {
		faults = append(faults, errors.New(fault))
	}
	return faults
}

// missed returns notes for each kind of which the loader saw more objects.
func (d *deviceDump) missed(others map[string]int) (notes []string) {
	if d == nil {
		return nil
	}
	for _, kind := range deviceKinds {
		n := others[kind] - d.read[kind]
		if late := min(n, d.late[kind]); late > 0 {
			notes = append(notes, command.Plural(late, kind)+" left out: the kind of the list comes after its items, which do not tell theirs.")
			n -= late
		}
		if n > 0 {
			notes = append(notes, command.Plural(n, kind)+" left out: devices are read from JSON only.")
		}
	}
	if d.unresolved > 0 {
		notes = append(notes, command.Plural(d.unresolved, "claim")+" of pods yet to be made from templates that are not in the input: what they ask for is not known.")
	}
	if d.others > 0 {
		notes = append(notes, command.Plural(d.others, "reservation")+" of claims for others than pods left out: their pods are evicted only in clusters with DRAWorkloadResourceClaims.")
	}
	return notes
}
