package index

import (
	"hash/maphash"
	"unsafe"

	"github.com/tolero-dev/tolero/compile"
)

// hashMask is a variable so that tests can make everything collide.
var hashMask = ^uint32(0)

// hashText and hashTaints hash what users choose. Nobody who does not know the seed can
// make them collide.
func hashText(seed maphash.Seed, text string) uint32 {
	return uint32(maphash.String(seed, text)) & hashMask
}

func hashTaints(seed maphash.Seed, ids []compile.TaintID) uint32 {
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(ids))), len(ids)*int(unsafe.Sizeof(ids[0])))
	return uint32(maphash.Bytes(seed, bytes)) & hashMask
}
