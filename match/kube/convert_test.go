package kube_test

import (
	"reflect"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// TestFieldsAreAll fails when a release of k8s.io/api adds a field that the
// conversions do not know of.
func TestFieldsAreAll(t *testing.T) {
	for _, pair := range [][2]reflect.Type{
		{reflect.TypeFor[v1.Taint](), reflect.TypeFor[taint.Taint]()},
		{reflect.TypeFor[v1.Toleration](), reflect.TypeFor[toleration.Toleration]()},
	} {
		for i := range pair[0].NumField() {
			want := pair[0].Field(i)
			if got, ok := pair[1].FieldByName(want.Name); !ok || got.Tag.Get("json") != want.Tag.Get("json") {
				t.Errorf("%v has field %s with JSON name %q, %v has not", pair[0], want.Name, want.Tag.Get("json"), pair[1])
			}
		}
		if got, want := pair[1].NumField(), pair[0].NumField(); got != want {
			t.Errorf("%v has %d fields, %v has %d", pair[1], got, pair[0], want)
		}
	}
}

// TestSharing pins what a conversion shares with its argument.
func TestSharing(t *testing.T) {
	seconds, added := int64(300), metav1.NewTime(time.Unix(1_790_000_000, 0))
	ours := kube.AppendTaints(nil, []v1.Taint{{TimeAdded: &added}})
	if (*metav1.Time)(ours[0].TimeAdded) != &added {
		t.Error("AppendTaints copies TimeAdded")
	}
	if back := kube.AppendV1Taints(nil, ours); back[0].TimeAdded != &added {
		t.Error("AppendV1Taints copies TimeAdded")
	}
	tolerations := kube.AppendTolerations(nil, []v1.Toleration{{TolerationSeconds: &seconds}})
	if tolerations[0].TolerationSeconds != &seconds {
		t.Error("AppendTolerations copies TolerationSeconds")
	}
	if back := kube.AppendV1Tolerations(nil, tolerations); back[0].TolerationSeconds != &seconds {
		t.Error("AppendV1Tolerations copies TolerationSeconds")
	}
}

// TestAppend pins that the conversions keep what dst holds, and that an empty
// list appended to nil is nil.
func TestAppend(t *testing.T) {
	taints := kube.AppendTaints([]taint.Taint{{Key: "a"}}, []v1.Taint{{Key: "b"}})
	if !taint.Equal(taints, []taint.Taint{{Key: "a"}, {Key: "b"}}) {
		t.Errorf("AppendTaints returns %v", taints)
	}
	tolerations := kube.AppendTolerations([]toleration.Toleration{{Key: "a"}}, []v1.Toleration{{Key: "b"}})
	if len(tolerations) != 2 || tolerations[0].Key != "a" || tolerations[1].Key != "b" {
		t.Errorf("AppendTolerations returns %v", tolerations)
	}
	if kube.AppendTaints(nil, []v1.Taint{}) != nil || kube.AppendTolerations(nil, []v1.Toleration{}) != nil ||
		kube.AppendV1Taints(nil, []taint.Taint{}) != nil || kube.AppendV1Tolerations(nil, []toleration.Toleration{}) != nil {
		t.Error("an empty list appended to nil is not nil")
	}
}
