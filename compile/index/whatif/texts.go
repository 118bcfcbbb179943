package whatif

import (
	"sync"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/internal/cow"
	"github.com/tolero-dev/tolero/toleration"
)

// texts is what results say about pods besides numbers. A result has a frozen copy, so
// that an evaluation need not read and copy what perhaps nobody asks for.
//
// The zero texts is empty. One goroutine at a time may change it; while nobody does, any
// number may freeze it.
type texts struct {
	owners cow.Vector[string]                  // their names, by position
	lists  cow.Vector[[]toleration.Toleration] // by class

	mutex  sync.Mutex
	frozen *frozenTexts // if there was no change since
}

// frozenTexts is texts as they were. It is immutable.
type frozenTexts struct {
	owners cow.Vector[string]
	lists  cow.Vector[[]toleration.Toleration]
}

func (x *texts) setOwner(position uint32, name string) {
	x.frozen = nil
	put(&x.owners, position, name)
}

func (x *texts) setList(class index.PodClass, list []toleration.Toleration) {
	x.frozen = nil
	put(&x.lists, uint32(class), list)
}

// put writes an item of a vector, which grows if need be.
func put[T any](v *cow.Vector[T], i uint32, item T) {
	v.Extend(int(i) + 1 - v.Len())
	*v.Edit(i) = item
}

// freeze returns the texts as they are now. It takes constant time.
func (x *texts) freeze() *frozenTexts {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	if x.frozen == nil {
		x.frozen = &frozenTexts{x.owners.Freeze(), x.lists.Freeze()}
	}
	return x.frozen
}

func (x *frozenTexts) owner(position uint32) string { return *x.owners.At(position) }

func (x *frozenTexts) list(class index.PodClass) []toleration.Toleration {
	return *x.lists.At(uint32(class))
}
