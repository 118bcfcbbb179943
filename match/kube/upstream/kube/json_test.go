package kube

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/match/matchtest/corpus"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// TestJSONCorpus writes every real list with both families of types and reads
// it back.
func TestJSONCorpus(t *testing.T) {
	for _, list := range corpus.Tolerations() {
		compareJSON(t, kube.AppendV1Tolerations(nil, list.Tolerations), list.Tolerations,
			func(list []v1.Toleration) []toleration.Toleration { return kube.AppendTolerations(nil, list) })
	}
	for _, list := range corpus.Taints() {
		compareJSON(t, kube.AppendV1Taints(nil, list.Taints), list.Taints,
			func(list []v1.Taint) []taint.Taint { return kube.AppendTaints(nil, list) })
	}
}

// TestJSONGenerated does so for any strings, seconds and instants.
func TestJSONGenerated(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		v1Taint := v1.Taint{
			Key: rapid.String().Draw(rt, "key"), Value: rapid.String().Draw(rt, "value"),
			Effect: v1.TaintEffect(rapid.String().Draw(rt, "effect")), TimeAdded: drawTime(rt),
		}
		compareJSON(t, v1Taint, kube.Taint(&v1Taint), func(x v1.Taint) taint.Taint { return kube.Taint(&x) })
		v1Toleration := v1.Toleration{
			Key: rapid.String().Draw(rt, "key"), Operator: v1.TolerationOperator(rapid.String().Draw(rt, "operator")),
			Value: rapid.String().Draw(rt, "value"), Effect: v1.TaintEffect(rapid.String().Draw(rt, "effect")),
			TolerationSeconds: rapid.Ptr(rapid.Int64(), true).Draw(rt, "seconds"),
		}
		compareJSON(t, v1Toleration, kube.Toleration(&v1Toleration),
			func(x v1.Toleration) toleration.Toleration { return kube.Toleration(&x) })
	})
}

// drawTime draws nil, the zero time or an instant of the years 0 to 12000 in
// some zone, with a fraction of a second: what RFC 3339 can and cannot write.
func drawTime(rt *rapid.T) *metav1.Time {
	switch rapid.IntRange(0, 3).Draw(rt, "time") {
	case 0:
		return nil
	case 1:
		return new(metav1.Time)
	}
	zone := time.FixedZone("", rapid.IntRange(-14*3600, 14*3600).Draw(rt, "zone"))
	seconds := rapid.Int64Range(-62_167_219_200, 316_516_464_000).Draw(rt, "seconds")
	return &metav1.Time{Time: time.Unix(seconds, rapid.Int64Range(0, 1e9-1).Draw(rt, "nanoseconds")).In(zone)}
}

// compareJSON writes v, and ours, which is the same value, and compares the
// bytes. Then it reads them into both families of types, as the API server does.
func compareJSON[V, O any](t *testing.T, v V, ours O, convert func(V) O) {
	t.Helper()
	want, wantErr := json.Marshal(v)
	got, err := json.Marshal(ours)
	if err != nil && json.Unmarshal(want, new(V)) != nil { // Kubernetes writes years that nobody reads
		return
	}
	if (wantErr == nil) != (err == nil) || !bytes.Equal(got, want) {
		t.Fatalf("%v is written as %s (%v), want %s (%v)", ours, got, err, want, wantErr)
	}
	compareUnmarshal(t, got, convert)
}

// FuzzJSON reads any bytes as a taint and as a toleration: both families of
// types must accept the same texts and read the same values from them, and
// write those the same way.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{
		`{"key":"a","value":"b","effect":"NoSchedule","timeAdded":"2026-01-02T03:04:05Z"}`,
		`{"key":"a","effect":"NoExecute","timeAdded":"2026-01-02T03:04:05.678+09:00"}`, // a fraction and a zone
		`{"timeAdded":null}`,
		`{"timeAdded":"null"}`,                 // a text, not null
		`{"timeAdded":1}`,                      // not a text
		`{"timeAdded":"2026-02-30T00:00:00Z"}`, // no such day
		`{"timeAdded":"0001-01-01T00:00:00Z"}`, // the zero time, written as null
		`{"key":"a","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}`,
		`{"tolerationSeconds":-9223372036854775808}`,
		`{"tolerationSeconds":9223372036854775808}`,  // overflows
		`{"tolerationSeconds":"300"}`,                // not a number
		`{"tolerationSeconds":3e2}`,                  // not an integer to encoding/json
		`{"KEY":"a","Key":"b","unknown":[1,{}]}`,     // names in another case, which the API server does not know
		`{"key":"\u003c\ud800","value":"<&>\u2028"}`, // escapes
		`{"key":null}`, `{"key":true}`, `null`, `[]`, `{`,
	} {
		f.Add([]byte(seed))
	}
	target.Fuzz(f, func(t *testing.T, data []byte) {
		toTaint := func(x v1.Taint) taint.Taint { return kube.Taint(&x) }
		toToleration := func(x v1.Toleration) toleration.Toleration { return kube.Toleration(&x) }
		compareUnmarshal(t, data, toTaint)
		compareUnmarshal(t, data, toToleration)
		var x taint.Taint
		if json.Unmarshal(data, &x) == nil {
			compareJSON(t, kube.V1Taint(&x), x, toTaint)
		}
		var y toleration.Toleration
		if json.Unmarshal(data, &y) == nil {
			compareJSON(t, kube.V1Toleration(&y), y, toToleration)
		}
	})
}
