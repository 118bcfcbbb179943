package devices

import (
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/toleration"
)

// Fit is the devices that a request may get, as far as taints go (rule D5): an
// [index.Fit], in which a device is a node, and a buffer. What that says of its zero
// value, of copies, of concurrent use and of what it retains goes for a Fit, too. Its
// eviction delays are those of nodes, and mean nothing here. It also retains the words of
// the tolerations until it is filled again.
type Fit struct {
	index.Fit
	list []toleration.Toleration
}

// Request fills f with the devices of a snapshot that a request with the tolerations may
// get, valid or not: see [index.Snapshot.FitList], which also says how long it takes. It does
// not allocate where that does not, once f has served for as many tolerations.
func (f *Fit) Request(s *index.Snapshot, tolerations []toleration.Toleration) {
	f.list = f.list[:0]
	for i := range tolerations {
		f.list = append(f.list, toleration.Toleration(tolerations[i]))
	}
	s.FitList(&f.Fit, f.list)
}
