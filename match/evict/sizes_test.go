package evict

import (
	"testing"
	"unsafe"
)

// The package comment states these.
func TestSizes(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Skip("the sizes stated are those of 64-bit machines")
	}
	for name, size := range map[string][2]uintptr{
		"a pod":   {unsafe.Sizeof(place[int32]{}), 16},
		"a group": {unsafe.Sizeof(group[int32]{}), 88},
		"a node":  {unsafe.Sizeof(node[int32]{}), 96},
	} {
		if size[0] != size[1] {
			t.Errorf("%s takes %d bytes, and is said to take %d", name, size[0], size[1])
		}
	}
}
