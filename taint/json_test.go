package taint_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/taint"
	"pgregory.net/rapid"
)

func at(layout string) *taint.Time {
	parsed, err := time.Parse(time.RFC3339Nano, layout)
	if err != nil {
		panic(err)
	}
	return &taint.Time{Time: parsed}
}

func TestMarshalJSON(t *testing.T) {
	tests := []struct {
		name  string
		taint taint.Taint
		want  string
	}{
		{"zero", taint.Taint{}, `{"key":"","effect":""}`},
		{"no value, no time", taint.Taint{Key: "k", Effect: taint.NoSchedule}, `{"key":"k","effect":"NoSchedule"}`},
		{"value", taint.Taint{Key: "k", Value: "v", Effect: taint.NoExecute}, `{"key":"k","value":"v","effect":"NoExecute"}`},
		{"time", taint.Taint{Key: "k", Effect: "E", TimeAdded: at("2026-05-04T03:02:01Z")}, `{"key":"k","effect":"E","timeAdded":"2026-05-04T03:02:01Z"}`},
		{"zero time", taint.Taint{Key: "k", Effect: "E", TimeAdded: &taint.Time{}}, `{"key":"k","effect":"E","timeAdded":null}`},
		{"zero time elsewhere", taint.Taint{Key: "k", Effect: "E", TimeAdded: &taint.Time{Time: time.Time{}.In(time.FixedZone("", 3600))}}, `{"key":"k","effect":"E","timeAdded":null}`},
		{"fraction is cut off", taint.Taint{Key: "k", Effect: "E", TimeAdded: at("2026-05-04T03:02:01.999999999Z")}, `{"key":"k","effect":"E","timeAdded":"2026-05-04T03:02:01Z"}`},
		{"zone becomes UTC", taint.Taint{Key: "k", Effect: "E", TimeAdded: at("2026-01-01T01:30:00+02:00")}, `{"key":"k","effect":"E","timeAdded":"2025-12-31T23:30:00Z"}`},
		{"HTML escapes", taint.Taint{Key: "<k>", Value: "a&b", Effect: "E"}, `{"key":"\u003ck\u003e","value":"a\u0026b","effect":"E"}`},
		{"quotes and controls", taint.Taint{Key: "a\"b\\c\n", Value: "\u2028", Effect: "é"}, `{"key":"a\"b\\c\n","value":"\u2028","effect":"é"}`},
		{"invalid UTF-8", taint.Taint{Key: "a\xffb", Effect: "E"}, `{"key":"a\ufffdb","effect":"E"}`},
	}
	for _, tt := range tests {
		got, err := json.Marshal(tt.taint)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: got %s, %v, want %s", tt.name, got, err, tt.want)
		}
		if pointed, err := json.Marshal(&tt.taint); err != nil || string(pointed) != tt.want {
			t.Errorf("%s, by pointer: got %s, %v", tt.name, pointed, err)
		}
	}
}

func TestUnmarshalJSON(t *testing.T) {
	tests := []struct {
		name, text string
		want       taint.Taint
	}{
		{"nothing", `{}`, taint.Taint{}},
		{"all fields", `{"key":"k","value":"v","effect":"NoExecute","timeAdded":"2026-05-04T03:02:01Z"}`,
			taint.Taint{Key: "k", Value: "v", Effect: taint.NoExecute, TimeAdded: at("2026-05-04T03:02:01Z")}},
		{"null time", `{"key":"k","timeAdded":null}`, taint.Taint{Key: "k"}},
		{"fraction", `{"timeAdded":"2026-05-04T03:02:01.25Z"}`, taint.Taint{TimeAdded: at("2026-05-04T03:02:01.25Z")}},
		{"zone", `{"timeAdded":"2026-05-04T03:02:01+05:30"}`, taint.Taint{TimeAdded: at("2026-05-03T21:32:01Z")}},
		{"escaped time", `{"timeAdded":"2026\u002d05-04T03:02:01Z"}`, taint.Taint{TimeAdded: at("2026-05-04T03:02:01Z")}},
		{"escapes", `{"key":"\u003ck\u003e","value":"a\u0026b"}`, taint.Taint{Key: "<k>", Value: "a&b"}},
		{"unknown field", `{"key":"k","colour":"red"}`, taint.Taint{Key: "k"}},
	}
	for _, tt := range tests {
		var got taint.Taint
		if err := json.Unmarshal([]byte(tt.text), &got); err != nil || !got.Equal(&tt.want) {
			t.Errorf("%s: got %+v, %v, want %+v", tt.name, got, err, tt.want)
		}
	}
}

func TestUnmarshalJSONRefuses(t *testing.T) {
	tests := []struct{ name, text, err string }{
		{"number for a key", `{"key":1}`, `json: cannot unmarshal number into Go struct field .key of type string`},
		{"number for a time", `{"timeAdded":1}`, `json: cannot unmarshal number into Go struct field .timeAdded of type string`},
		{"bool for a time", `{"timeAdded":true}`, `json: cannot unmarshal bool into Go struct field .timeAdded of type string`},
		{"object for a time", `{"timeAdded":{}}`, `json: cannot unmarshal object into Go struct field .timeAdded of type string`},
		{"empty time", `{"timeAdded":""}`, `field "timeAdded": parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"`},
		{"date only", `{"timeAdded":"2026-05-04"}`, `field "timeAdded": parsing time "2026-05-04" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"`},
		{"no zone", `{"timeAdded":"2026-05-04T03:02:01"}`, `field "timeAdded": parsing time "2026-05-04T03:02:01" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"`},
		{"thirteenth month", `{"timeAdded":"2026-13-04T03:02:01Z"}`, `field "timeAdded": parsing time "2026-13-04T03:02:01Z": month out of range`},
	}
	for _, tt := range tests {
		var got taint.Taint
		if err := json.Unmarshal([]byte(tt.text), &got); err == nil || err.Error() != tt.err {
			t.Errorf("%s: error %v, want %s", tt.name, err, tt.err)
		}
	}
}

// UnmarshalJSON on a Time itself: null clears, an error changes nothing, and
// the location is UTC whatever zone the text names.
func TestTimeUnmarshalJSON(t *testing.T) {
	now := *instant(0)
	if err := now.UnmarshalJSON([]byte(`"nonsense"`)); err == nil || now != *instant(0) {
		t.Errorf("after an error the time is %v, %v", now, err)
	}
	if err := now.UnmarshalJSON([]byte(`7`)); err == nil || now != *instant(0) {
		t.Errorf("after an error the time is %v, %v", now, err)
	}
	if err := now.UnmarshalJSON([]byte(`"2026-05-04T03:02:01-03:00"`)); err != nil || now.Location() != time.UTC || now.Hour() != 6 {
		t.Errorf("got %v, %v", now, err)
	}
	if err := now.UnmarshalJSON([]byte(`null`)); err != nil || now != (taint.Time{}) {
		t.Errorf("after null the time is %v, %v", now, err)
	}
}

func TestJSONRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := smallTaint.Draw(t, "taint")
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got taint.Taint
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		if want.TimeAdded != nil && want.TimeAdded.IsZero() {
			want.TimeAdded = nil // null does not tell the zero time from none
		}
		if !got.Equal(&want) {
			t.Fatalf("%s gives %+v, want %+v", text, got, want)
		}
	})
}

// The API server takes a field by its exact name only.
func TestJSONNamesHaveCase(t *testing.T) {
	var got taint.Taint
	text := `{"KEY":"a","key":"b","Value":"x","EFFECT":"NoExecute","timeadded":"","other":{}}`
	if err := json.Unmarshal([]byte(text), &got); err != nil || got != (taint.Taint{Key: "b"}) {
		t.Errorf("got %v, %v", got, err)
	}
	if list, err := taint.ParseListJSON([]byte(`[{"key":"a","effect":"NoSchedule","timeAdded":null}]`)); err != nil || taint.FormatList(list) != "a:NoSchedule" {
		t.Errorf("got %v, %v", list, err)
	}
	if list, err := taint.ParseListJSON([]byte(`[{"key":"a"},{"Effect":"NoSchedule"}]`)); list != nil || message(err) != `taints[1]: field "Effect" is unknown or repeated` {
		t.Errorf("got %v, %v", list, err)
	}
}

// What is written can be read: RFC 3339 has the years 0 to 9999, in UTC.
func TestYearsOfJSON(t *testing.T) {
	for text, ok := range map[string]bool{"0000-01-01T00:00:00Z": true, "9999-12-31T23:59:59Z": true, "9999-12-31T23:59:59-01:00": false, "0000-01-01T00:00:00+01:00": false} {
		before := taint.Taint{Key: "a", TimeAdded: at(text)}
		written, err := json.Marshal(before)
		if (err == nil) != ok {
			t.Errorf("%s is written as %s, %v", text, written, err)
		}
		var after taint.Taint
		if err := json.Unmarshal(written, &after); ok && (err != nil || !after.Equal(&before)) {
			t.Errorf("%s is read as %v, %v", written, after, err)
		}
	}
}
