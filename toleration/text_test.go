package toleration_test

import (
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/toleration"
)

func ptr(n int64) *int64 { return &n }

func TestMustParsePanicsOnBadText(t *testing.T) {
	defer func() {
		if err, ok := recover().(error); !ok || !strings.Contains(err.Error(), `"k:"`) {
			t.Errorf("recovered %v", err)
		}
	}()
	toleration.MustParse("k:")
}

func TestAppendDoesNotAllocate(t *testing.T) {
	list := []toleration.Toleration{
		{Key: "k", Operator: "Equal", Value: "a b", Effect: "NoExecute", TolerationSeconds: ptr(300)},
		{Operator: "In", Value: "v"},
	}
	buffer := make([]byte, 0, 100)
	if allocs := testing.AllocsPerRun(100, func() { buffer = toleration.AppendList(buffer[:0], list) }); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}
