package matrix

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// A node and a pod, without which there is nothing to sweep.
const deviceOthers = `{"kind":"Node","apiVersion":"v1","metadata":{"name":"n"}}{"kind":"Pod","apiVersion":"v1","metadata":{"namespace":"d","name":"p"}}`

// TestDeviceFaults has objects that do not decode, with invalid fields, and of an old
// version. Each fault names the file, the object and the field, and the rest counts.
func TestDeviceFaults(t *testing.T) {
	const at = "tolero matrix: standard input: document "
	for _, test := range []struct{ name, input, want string }{
		{
			"a number for a name", `{"kind":"ResourceSlice","metadata":{"name":"s"},"spec":{"devices":[{"name":"a","taints":[{"key":7}]}]}}`,
			at + "3: ResourceSlice s: spec.devices.taints.key: want a string, found a number; the object is left out\n",
		},
		{
			"a text for a list", `{"kind":"ResourceClaim","metadata":{"namespace":"d","name":"c"},"status":{"allocation":{"devices":{"results":"x"}}}}`,
			at + "3: ResourceClaim d/c: status.allocation.devices.results: want a list, found a string; the object is left out\n",
		},
		{
			"seconds", `{"kind":"ResourceClaim","metadata":{"namespace":"d","name":"c"},"spec":{"devices":{"requests":[{"exactly":{"tolerations":[{"tolerationSeconds":1.5}]}}]}}}`,
			at + "3: ResourceClaim d/c: spec.devices.requests.exactly.tolerations.tolerationSeconds: want an integer that fits in 64 bits, found a number 1.5; the object is left out\n",
		},
		{
			"a text for an object", `{"kind":"List","items":[{"kind":"DeviceTaintRule","metadata":{"name":"r"},"spec":"x"}]}`,
			at + "3, items[0]: DeviceTaintRule r: spec: want an object, found a string; the object is left out\n",
		},
		{
			"a time", `{"kind":"DeviceTaintRule","metadata":{"name":"r"},"spec":{"taint":{"key":"a","effect":"None","timeAdded":"noon"}}}`,
			at + "3: DeviceTaintRule r: spec: ",
		},
		{
			"the claims of a pod", `{"kind":"Pod","metadata":{"namespace":"d","name":"p2"},"status":{"resourceClaimStatuses":"ResourceClaims"}}`,
			at + "3: Pod d/p2: status.resourceClaimStatuses: invalid value \"ResourceClaims\": want a list, found a string\n" +
				at + "3: Pod d/p2: status.resourceClaimStatuses: want a list, found a string; the object is left out\n",
		},
		{
			"invalid taints", `{"kind":"DeviceTaintRule","metadata":{"name":"r"},"spec":{"deviceSelector":{"driver":""},"taint":{"effect":"Never"}}}` +
				`{"kind":"ResourceSlice","metadata":{"name":"s"},"spec":{"devices":[{"name":"a"},{"name":"b","taints":[{"key":"a"}]}]}}`,
			at + "3: DeviceTaintRule r: spec.deviceSelector.driver: required value: must not be empty; leave it out to select any\n" +
				at + "3: DeviceTaintRule r: spec.taint.key: invalid value \"\": the name must not be empty\n" +
				at + "3: DeviceTaintRule r: spec.taint.effect: unsupported value \"Never\": must be None, NoSchedule or NoExecute\n" +
				at + "4: ResourceSlice s: spec.devices[1].taints[0].effect: required value: must be None, NoSchedule or NoExecute\n",
		},
		{
			"invalid tolerations", `{"kind":"ResourceClaim","metadata":{"namespace":"d","name":"c"},"spec":{"devices":{"requests":[{},{"name":"r","firstAvailable":[{},{"tolerations":[{"operator":"Gt"}]}]}]}}}`,
			at + "3: ResourceClaim d/c: spec.devices.requests[1].firstAvailable[1].tolerations[0].operator: unsupported value \"Gt\": must be Exists or Equal\n",
		},
		{
			"an old version", `{"kind":"ResourceSlice","apiVersion":"resource.k8s.io/v1beta1","metadata":{"name":"s"},"spec":1}`,
			at + "3: ResourceSlice s: apiVersion: unsupported value \"resource.k8s.io/v1beta1\": must be resource.k8s.io/v1 or v1beta2; the object is left out\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := start(t, deviceOthers+test.input, "-f", "-")
			if r.status != 0 || !strings.HasPrefix(r.stderr, test.want) || test.want[len(test.want)-1] == '\n' && r.stderr != test.want {
				t.Errorf("status %d, stderr:\n%s\nwant:\n%s", r.status, r.stderr, test.want)
			}
			n := strings.Count(r.stderr, "\n")
			r = start(t, deviceOthers+test.input, "-f", "-", "-strict")
			if want := fmt.Sprintf("tolero matrix: %s in the objects, and -strict is set\n", command.Plural(n, "fault")); r.status != 2 || r.stdout != "" || !strings.HasSuffix(r.stderr, want) {
				t.Errorf("strict: got %+v", r)
			}
		})
	}
}

// TestWithoutDevices shows that the output has no section on devices if the input has
// none, even where it speaks of them, and in formats other than the table.
func TestWithoutDevices(t *testing.T) {
	plain := start(t, deviceOthers, "-f", "-")
	for _, other := range []string{
		`{"kind":"Service","metadata":{"name":"ResourceSlice"}}`,
		`{"kind":"ResourceClaimTemplate","apiVersion":"resource.k8s.io/v1"}`,
		`{"kind":"ResourceClaim","apiVersion":"example.com/v1","spec":7}`,
		`{"kind":"List","items":[]} null`,
	} {
		if r := start(t, deviceOthers+other, "-f", "-"); r != plain {
			t.Errorf("%s\n%+v\nwant\n%+v", other, r, plain)
		}
	}
	text, err := os.ReadFile("testdata/devices.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range deviceKinds {
		text = []byte(strings.ReplaceAll(string(text), `"`+kind+`"`, `"Other"`))
	}
	for _, format := range []string{"json"} {
		with, without := start(t, "", "-f", "testdata/devices.json", "-o", format), start(t, string(text), "-f", "-", "-o", format)
		with.stdout = strings.ReplaceAll(with.stdout, "testdata/devices.json", "-")
		if with != without || with.status != 0 {
			t.Errorf("%s: %+v\nwithout devices\n%+v", format, with, without)
		}
	}
}

// TestDeviceForms reads the same objects from lists of several forms.
func TestDeviceForms(t *testing.T) {
	const spec = `"metadata":{"name":"s"},"spec":{"driver":"a","pool":{"name":"b"},"devices":[{"name":"c"}]}`
	const slice = `{"kind":"ResourceSlice","apiVersion":"resource.k8s.io/v1",` + spec + `}`
	for _, input := range []string{
		slice,
		`[` + slice + `]`,
		`{"items":[` + slice + `],"apiVersion":"v1","kind":"List"}`,
		`{"kind":"List","apiVersion":"v1","items":[{"kind":"List","items":[` + slice + `]}]}`,
		`{"kind":"ResourceSliceList","apiVersion":"resource.k8s.io/v1","metadata":7,"items":[{` + spec + `}]}`,
		`{"kind":"List","apiVersion":"v1","items":[{"kind":"ResourceSliceList","items":[{` + spec + `}]}]}`,
		`{"kind":"Service"} null ` + slice,
	} {
		r := start(t, deviceOthers+input, "-f", "-")
		if r.status != 0 || !strings.Contains(r.stdout, "\nDevice taints: 1 device, 0 rules, 0 requests with 0 toleration lists.\n") {
			t.Errorf("%s\n%+v", input, r)
		}
	}
	// Sorted by name, as jq -S does: the kind of the items comes too late.
	late := start(t, deviceOthers+`{"apiVersion":"resource.k8s.io/v1","items":[{`+spec+`},{`+spec+`}],"kind":"ResourceSliceList"}`, "-f", "-")
	if late.status != 0 || !strings.Contains(late.stdout, "\n2 ResourceSlices left out: the kind of the list comes after its items, which do not tell theirs.\n") ||
		strings.Contains(late.stdout, "JSON only") {
		t.Errorf("%+v", late)
	}
	r := start(t, "kind: Node\n---\nkind: Pod\n---\nkind: ResourceSlice\n---\nkind: ResourceSlice\n", "-f", "-")
	if r.status != 0 || !strings.Contains(r.stdout, "\n2 ResourceSlices left out: devices are read from JSON only.\n") {
		t.Errorf("YAML: %+v", r)
	}
}

// TestDeviceTemplates has pods whose claims are made from templates: one that was made
// counts as it is, one that is yet to be made as the template says, and one whose template
// is missing is told of. A pod that is terminating counts no more.
func TestDeviceTemplates(t *testing.T) {
	const slice = `{"kind":"ResourceSlice","metadata":{"name":"s"},"spec":{"driver":"a","pool":{"name":"b"},"devices":[{"name":"c","taints":[{"key":"k","effect":"NoExecute","timeAdded":"2020-01-01T00:00:00Z"}]}]}}`
	const template = `{"kind":"ResourceClaimTemplate","metadata":{"namespace":"d","name":"t"},"spec":{"spec":{"devices":{"requests":[{"name":"r","exactly":{"tolerations":[{"key":"k","operator":"Exists"}]}}]}}}}`
	pod := func(name, extra, status string) string {
		return `{"kind":"Pod","metadata":{"namespace":"d","name":"` + name + `","uid":"` + name + `"` + extra + `},"spec":{"nodeName":"n","resourceClaims":[{"name":"c","resourceClaimTemplateName":"t"}]},"status":{` + status + `}}`
	}
	const made = `"resourceClaimStatuses":[{"name":"other","resourceClaimName":"no"},{"name":"c","resourceClaimName":"made"}]`
	const claim = `{"kind":"ResourceClaim","metadata":{"namespace":"d","name":"made"},"status":{"reservedFor":[{"resource":"pods","uid":"p2"},{"resource":"pods","uid":"p3"},{"apiGroup":"scheduling.k8s.io","resource":"podgroups","name":"g"}],
		"allocation":{"devices":{"results":[{"driver":"a","pool":"b","device":"c"}]}}}}`
	for _, test := range []struct {
		name, input string
		want        []string
	}{
		{"to be made", pod("p1", "", "") + template, []string{"1 request with 1 toleration list", "       1     1        0   k\n          claims   d/p1 c r\n"}},
		{"missing", pod("p1", "", ""), []string{"0 requests", "1 claim of pods yet to be made from templates that are not in the input"}},
		{"not needed", pod("p1", "", `"resourceClaimStatuses":[{"name":"c"}]`) + template, []string{"0 requests", "Evicted because of device taints: no pod."}},
		{"made", template + pod("p2", "", made) + claim, []string{"0 requests", "Evicted because of device taints: 1 pod.", "d/p2  ResourceSlice s a/b/c taint #0", "1 reservation of claims for others than pods left out"}},
		{"terminating", pod("p3", `,"deletionTimestamp":"2026-01-01T00:00:00Z"`, made) + claim, []string{"Evicted because of device taints: no pod."}},
		{"faults", template[:len(template)-1] + `,"status":{}}` + strings.Replace(strings.Replace(template, "Exists", "Gt", 1), `"t"`, `"u"`, 1) + `{"kind":"ResourceClaimTemplate","metadata":{"namespace":"d","name":"v"},"spec":{"spec":7}}`,
			[]string{"0 requests", "ResourceClaimTemplate d/u: spec.spec.devices.requests[0].exactly.tolerations[0].operator: unsupported", "ResourceClaimTemplate d/v: spec.spec: want an object, found a number; the object is left out"}},
	} {
		r := start(t, deviceOthers+slice+test.input, "-f", "-")
		for _, want := range test.want {
			if !strings.Contains(r.stdout+r.stderr, want) {
				t.Errorf("%s: no %q in\n%s%s", test.name, want, r.stdout, r.stderr)
			}
		}
	}
}

// randomDump is some devices, rules and requests with few words.
func randomDump(rng *rand.Rand) *deviceDump {
	word := func() string { return string(rune('a' + rng.IntN(4))) }
	effects := []taint.Effect{device.None, taint.NoSchedule, taint.NoExecute, ""}
	d := new(deviceDump)
	newTaint := func() taint.Taint { return taint.Taint{Key: word(), Effect: effects[rng.IntN(3)]} }
	for i := range 1 + rng.IntN(4) {
		s := deviceSlice{name: fmt.Sprint("s", i), spec: device.Slice{Driver: "d", Pool: device.Pool{Name: fmt.Sprint("p", i)}}}
		for j := range rng.IntN(5) {
			own := device.Device{Name: fmt.Sprint("x", j)}
			for range rng.IntN(3) {
				own.Taints = append(own.Taints, newTaint())
			}
			s.spec.Devices = append(s.spec.Devices, own)
		}
		d.slices = append(d.slices, s)
	}
	for i := range rng.IntN(3) {
		pool := fmt.Sprint("p", i)
		d.rules = append(d.rules, deviceRule{fmt.Sprint("r", i), device.Rule{DeviceSelector: &device.Selector{Pool: &pool}, Taint: newTaint()}})
	}
	for i := range rng.IntN(6) {
		c := deviceClaim{name: fmt.Sprint("c", i)}
		for range 1 + rng.IntN(2) {
			var list []toleration.Toleration
			for range rng.IntN(3) {
				list = append(list, toleration.Toleration{Key: word(), Operator: toleration.OpExists, Effect: effects[rng.IntN(4)]})
			}
			c.requests = append(c.requests, deviceRequest{"r", list})
		}
		d.claims = append(d.claims, c)
	}
	return d
}

// TestD5DevicesLeft compares the numbers with those of package device, asked about each
// device.
func TestD5DevicesLeft(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		d := randomDump(rng)
		var rules []device.Rule
		for _, r := range d.rules {
			rules = append(rules, r.spec)
		}
		r := newDeviceReport(d, time.Unix(0, 0))
		requests := 0
		for _, c := range r.classes {
			requests += len(c.requests)
			var left, refused []string
			for _, s := range d.slices {
				for _, own := range s.spec.Devices {
					id := s.spec.ID(own.Name)
					list := device.AppendEffective(nil, own.Taints, rules, id)
					if i, forbidden := device.FirstUntolerated(list, c.tolerations); forbidden {
						refused = append(refused, list[i].Key+list[i].Value+string(list[i].Effect))
					} else {
						left = append(left, id.String())
					}
				}
			}
			reasons := make(map[string]int)
			for _, by := range refused {
				reasons[by]++
			}
			for _, got := range c.reasons {
				reasons[got.Taint.Key+got.Taint.Value+string(got.Taint.Effect)] -= got.Nodes
			}
			for by, n := range reasons {
				if n != 0 {
					t.Errorf("%v: %s refuses %+d", c.tolerations, by, n)
				}
			}
			if c.left != len(left) || !cmp.Equal(c.names, left[:min(len(left), maxDeviceNames)]) && len(left) > 0 {
				t.Errorf("%v: %d left, %v; want %v", c.tolerations, c.left, c.names, left)
			}
		}
		if requests != r.requests {
			t.Errorf("%d requests, announced %d", requests, r.requests)
		}
	}
}

// TestDeviceLength shows that the section stays short, however many lists, pods, rules
// and devices there are, and says what it leaves out.
func TestDeviceLength(t *testing.T) {
	d := new(deviceDump)
	s := deviceSlice{name: "s", spec: device.Slice{Driver: "d", Pool: device.Pool{Name: "p"}}}
	at := taint.MustParse("a:NoExecute")
	for i := range 1000 {
		own := device.Device{Name: fmt.Sprint("x", i), Taints: []taint.Taint{at, {Key: fmt.Sprint("k", i), Effect: taint.NoSchedule}}}
		device.SetTaintDefaults(&own.Taints[0], time.Unix(0, 0))
		s.spec.Devices = append(s.spec.Devices, own)
		name := fmt.Sprint("c", i)
		allocated := device.Allocation{ID: s.spec.ID(own.Name)}
		d.claims = append(d.claims, deviceClaim{name, []deviceRequest{{"r", []toleration.Toleration{{Key: "a", Operator: toleration.OpExists}, {Key: fmt.Sprint("k", i), Operator: toleration.OpExists}}}},
			[]device.Allocation{allocated}, []string{name}})
		d.pods = append(d.pods, devicePod{name, name, true, []string{name}})
		rule := deviceRule{name, device.Rule{DeviceSelector: new(device.Selector), Taint: taint.Taint{Key: "b", Effect: device.None}}}
		if i < 30 {
			d.rules = append(d.rules, rule)
		}
	}
	d.slices = append(d.slices, s)
	var text strings.Builder
	r := &report{title: "x", fleet: new(fleet), devices: newDeviceReport(d, time.Unix(-60, 0))}
	if err := writeTo(&text, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"980 toleration lists not shown.\n", "996 by 996 other taints\n", "\nEvicted because of device taints: 1,000 pods.\n", "  980 pods more\n", "  995 pods more\n", "10 rules of effect None not shown.\n",
		"\nDevice taints: 1,000 devices, 30 rules, 1,000 requests with 1,000 toleration lists.\n", "left     d/p/x0\n", "  after 1m  c0 ", "  now  c0 ",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in it", want)
		}
	}
	if lines := strings.Count(text.String(), "\n"); lines > 300 {
		t.Errorf("%d lines", lines)
	}
}

// writeTo writes the table of a report.
func writeTo(w *strings.Builder, r *report) error {
	var out bytes.Buffer
	r.text(&command.Writer{Out: &out, Width: 100})
	w.Write(out.Bytes())
	return nil
}

// Faults of devices are counted by themselves: package lint knows none.
func TestManyDeviceFaults(t *testing.T) {
	text := deviceOthers
	for i := range 12 {
		text += fmt.Sprintf(`{"kind":"ResourceSlice","metadata":{"name":"s%d"},"spec":1}`, i)
	}
	r := start(t, text, "-f", "-")
	if r.status != 0 || strings.Count(r.stderr, "ResourceSlice s") != 10 || !strings.HasSuffix(r.stderr, "\ntolero matrix: and 2 more; -v shows all\n") {
		t.Errorf("got %+v", r)
	}
	r = start(t, text, "-f", "-", "-strict")
	if r.status != 2 || !strings.HasSuffix(r.stderr, "tolero matrix: 12 faults in the objects, and -strict is set\n") {
		t.Errorf("strict: got %+v", r)
	}
}
