package admit

import (
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Dedicated is the pattern by which nodes are set aside for a group of pods. It
// has two halves. A taint keeps other pods off the nodes. A label, which the pods
// of the group require by node affinity or nodeSelector, keeps the group on the
// nodes. A toleration alone lets a pod onto the nodes but does not send it there.
//
// The zero Dedicated is not valid: Key has to be a qualified name and Value a
// label value; see [taint.CheckKey] and [taint.CheckValue]. No method checks
// them. It is a plain value, free to copy and to share.
type Dedicated struct {
	Key, Value string // such as "dedicated" and the name of the group
}

// Taint returns the taint of the nodes, with the effect NoSchedule.
func (d Dedicated) Taint() taint.Taint {
	return taint.Taint{Key: d.Key, Value: d.Value, Effect: taint.NoSchedule}
}

// Toleration returns the toleration of the pods. It tolerates that taint and no
// other, if Key is not empty.
func (d Dedicated) Toleration() toleration.Toleration {
	x := d.Taint()
	return toleration.For(&x)
}

// Label returns the label of the nodes, which the affinity of the pods must
// require.
func (d Dedicated) Label() (key, value string) {
	return d.Key, d.Value
}
