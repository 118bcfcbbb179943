package matrix

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// TestSkimmer compares what is handed on with what the text says: an item without a
// device word is {}, and nothing else changes, however the text comes in.
func TestSkimmer(t *testing.T) {
	for text, want := range map[string]string{
		``:                                      ``,
		`{"kind":"Pod","spec":{"a":[{"b":1}]}}`: `{"kind":"Pod","spec":{"a":[{"b":1}]}}`,
		`{"items":[{"kind":"Pod"}, {"kind":"ResourceClaim"}]}`:                                       `{"items":[{}, {"kind":"ResourceClaim"}]}`,
		`[{"kind":"Pod","a":[{"b":"}"}]},{"resourceClaims":1}]`:                                      `[{},{"resourceClaims":1}]`,
		`{"kind":"ResourceSliceList","items":[{"a":1}]} {"items":[{"a":1}]}`:                         `{"kind":"ResourceSliceList","items":[{"a":1}]} {"items":[{}]}`,
		`{"items":[{"a":"\"}{"},{"a":"\\"},{"b":"ResourceSlice\\\""}]}`:                              `{"items":[{},{},{"b":"ResourceSlice\\\""}]}`,
		`{"items":[{"items":[{"kind":"ResourceClaim"}]},{"items":[{"kind":"Pod"}]},[{"kind":"a"}]]}`: `{"items":[{"items":[{"kind":"ResourceClaim"}]},{},[{"kind":"a"}]]}`,
		`{"kind":"\u0052esourceSliceList","items":[{"a":1}]}`:                                        `{"kind":"\u0052esourceSliceList","items":[{"a":1}]}`,
		`{"items":[{"a":"\n\"\\\n","b":"\\"},{"a":"\\\"","c":"\\"}]}`:                                `{"items":[{},{}]}`,
		`{"items":[{"kind":"Pod"`: `{"items":[{"kind":"Pod"`,
		`}]}]{"items":[{"a":1}]}`: `}]}]{"items":[{}]}`,
		`{"a":"` + strings.Repeat("x", 200_000) + `","kind":"DeviceTaintRuleList","items":[{"a":1}]}`: `{"a":"` + strings.Repeat("x", 200_000) + `","kind":"DeviceTaintRuleList","items":[{"a":1}]}`,
	} {
		for how, in := range map[string]io.Reader{
			"at once": strings.NewReader(text), "by bytes": iotest.OneByteReader(strings.NewReader(text)), "with the error": iotest.DataErrReader(strings.NewReader(text)),
		} {
			got, err := io.ReadAll(newSkimmer(in))
			if err != nil || string(got) != want {
				t.Errorf("%.100s %s: got %.200s, %v, want %.200s", text, how, got, err, want)
			}
		}
	}
	if _, err := io.ReadAll(newSkimmer(iotest.ErrReader(io.ErrNoProgress))); err != io.ErrNoProgress {
		t.Errorf("got the error %v", err)
	}
}

// TestSkimmedDevices reads dumps with and without devices in them, and the same without
// the items that are left out: what is said of devices is the same.
func TestSkimmedDevices(t *testing.T) {
	text, err := os.ReadFile("testdata/devices.json")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	var d struct{ Items []json.RawMessage }
	if err := json.Unmarshal(text, &d); err != nil || len(d.Items) == 0 {
		t.Fatal(err, len(d.Items))
	}
	for range 200 {
		var items []json.RawMessage
		for range r.IntN(20) {
			items = append(items, d.Items[r.IntN(len(d.Items))], json.RawMessage(fmt.Sprintf(`{"kind":"Pod","a":%q}`, strings.Repeat("{[\"\\", r.IntN(9)))))
		}
		whole, _ := json.Marshal(map[string]any{"kind": "List", "apiVersion": "v1", "items": items})
		var skimmed, all deviceDump
		skimmed.Read("f", iotest.HalfReader(strings.NewReader(string(whole))))
		all.decodeAll("f", json.NewDecoder(strings.NewReader(string(whole))))
		if !reflect.DeepEqual(skimmed, all) {
			t.Fatalf("%s:\n%+v\n%+v", whole, skimmed, all)
		}
	}
}

// TestSkimmerHoldsOneItem shows that memory does not follow the number of items.
func TestSkimmerHoldsOneItem(t *testing.T) {
	for _, n := range []int{1000, 4000} {
		s := newSkimmer(strings.NewReader(`{"items":[` + strings.Repeat(`{"kind":"Pod","a":"`+strings.Repeat("x", 500)+`"},`, n) + `{}]}`))
		if got, err := io.Copy(io.Discard, s); err != nil || got > int64(4*n+100) {
			t.Fatal(got, err)
		}
		if held := cap(s.item) + cap(s.out) + cap(s.outside) + cap(s.chunk); held > 160<<10 {
			t.Errorf("%d items: %d bytes", n, held)
		}
	}
}

func BenchmarkSkimmer(b *testing.B) {
	for name, item := range map[string]string{
		"usual": `{"kind": "Pod",   "a": {"b": ["x", "yyyyyyyyyyyyyyyyyyyyyyyyyyy"]}}, `, "escapes": `{"a": "` + strings.Repeat(`\n`, 100_000) + `"}, `,
	} {
		b.Run(name, func(b *testing.B) { benchmarkSkimmer(b, item) })
	}
}

func benchmarkSkimmer(b *testing.B, item string) {
	text := `{"items":[` + strings.Repeat(item, 1+600_000/len(item)) + `{}]}`
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		io.Copy(io.Discard, newSkimmer(strings.NewReader(text)))
	}
}
