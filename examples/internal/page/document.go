package page

// Document is what is in the page: everything that it shows. It is plain data, which
// schema.json describes. Lists refer to each other by index.
type Document struct {
	Version int      `json:"version"`
	Title   string   `json:"title"`
	Notes   []string `json:"notes"`
	Pods    int64    `json:"pods"`
	Nodes   int64    `json:"nodes"`

	Kinds    []Kind    `json:"kinds"`
	Verdicts []Verdict `json:"verdicts"`

	Taints      []Taint  `json:"taints"`
	Tolerations []string `json:"tolerations"`
	Namespaces  []string `json:"namespaces"`
	Owners      []string `json:"owners"`
	Pools       []string `json:"pools"`
	Rows        []Row    `json:"rows"`
	Columns     []Column `json:"columns"`

	// RowOrder and ColumnOrder put what is alike side by side.
	RowOrder    []int `json:"rowOrder"`
	ColumnOrder []int `json:"columnOrder"`

	// Cells has the index of a verdict for each row and column, row by row.
	Cells Packed `json:"cells"`
	// Running has row, column and number of the pods that run there, and so on.
	Running Packed `json:"running"`

	// Near has the index of a reason for each row and each of the first NearTaints
	// taints, row by row.
	Near       Packed   `json:"near"`
	NearTaints int      `json:"nearTaints"`
	Reasons    []Reason `json:"reasons"`
	Details    []string `json:"details"`

	// Groups are the taints of one key that some column has. Editing has the index of an
	// edit for each row and group, row by row, with which pods can be scheduled, and Staying
	// that of one with which they stay.
	Groups  [][]int `json:"groups"`
	Editing Packed  `json:"editing"`
	Staying Packed  `json:"staying"`
	Edits   []Edit  `json:"edits"`

	// Corrected has row, column and the indexes of two corrections, to be scheduled and to
	// stay, and so on.
	Corrected   Packed       `json:"corrected"`
	Corrections []Correction `json:"corrections"`

	Findings []Finding `json:"findings"`
	Silence  []Silence `json:"silence"`

	// Live is where to ask what would be if, relative to the page; empty in a file.
	Live string `json:"live,omitempty"`
}

// Kind is a colour of the matrix: what the scheduler and the eviction controller say.
// It is plain data.
type Kind struct {
	Name  string `json:"name"`
	Sign  string `json:"sign"` // drawn in the cell, for those who do not see the colour
	Light string `json:"light"`
	Dark  string `json:"dark"`
}

// Verdict is what a list of taints means to a list of tolerations. It is plain data.
type Verdict struct {
	Kind int `json:"kind"`
	// Text is a sentence of strings and of numbers, which stand for the taint of the
	// column with that index.
	Text  []any  `json:"text"`
	Order string `json:"order,omitempty"` // if another order of the tolerations evicts at another time
}

// Taint is a taint of some node. It is plain data.
type Taint struct {
	Text   string `json:"text"`
	Key    int    `json:"key"` // equal keys have equal numbers
	Effect string `json:"effect"`
	// Add is the toleration of this taint alone.
	Add string `json:"add"`
}

// Row is the pods with the same tolerations. It is plain data.
type Row struct {
	Brief       string      `json:"brief"`
	Tolerations []int       `json:"tolerations"`
	Pods        int64       `json:"pods"`
	Groups      []Group     `json:"groups"`
	Members     []PodMember `json:"members"` // not all, if there are many
}

// Group is how many pods of a row have a namespace and an owner: the two indexes and
// the number.
type Group [3]int64

// PodMember is a pod of a row. It is plain data.
type PodMember struct {
	Name   string `json:"name"`
	Group  int    `json:"group"`
	Count  int64  `json:"count,omitempty"`  // if it is not 1
	Column *int   `json:"column,omitempty"` // of the node that it runs on
}

// Column is the nodes with the same taints. It is plain data.
type Column struct {
	Brief   string       `json:"brief"`
	Taints  []int        `json:"taints"`
	Groups  []int        `json:"groups"` // of the taints that keep pods out
	Nodes   int64        `json:"nodes"`
	Pools   [][2]int64   `json:"pools"`   // index and number of nodes
	Members []NodeMember `json:"members"` // not all, if there are many
}

// NodeMember is a node of a column. It is plain data.
type NodeMember struct {
	Name  string `json:"name"`
	Pool  int    `json:"pool"`
	Count int64  `json:"count,omitempty"` // if it is not 1
}

// Reason is why a taint is tolerated or not: whether it is (0 no, 1 yes, 2 for some
// time), the index of the toleration in the list, -1 for none, and the index of a
// detail, what keeps the nearest miss from tolerating it.
type Reason [3]int

// Edit is the least widening of a list of tolerations that tolerates the taints of a
// group, if it is another one than to add a toleration of each; without changes it is
// not. It is plain data.
type Edit struct {
	Changes []Change `json:"changes"`
	Add     []int    `json:"add,omitempty"` // which taints of the group are to be added
}

// Change is what becomes of a toleration. It is plain data.
type Change struct {
	Index int    `json:"index"`
	New   string `json:"new"`
}

// Correction is the change of a list of tolerations that changes the fewest fields, for
// the taints of a column, if it is another one than to add a toleration of each. It is
// plain data.
type Correction struct {
	Changes []Correct `json:"changes"`
	Add     []int     `json:"add,omitempty"` // which taints of the column are to be added
}

// Correct is what becomes of a toleration: a text, or the number of the taint of the
// column that it tolerates alone. It is plain data.
type Correct struct {
	Index int `json:"index"`
	New   any `json:"new"`
}

// Finding is something remarkable. It is plain data.
type Finding struct {
	ID       string `json:"id"`
	Severity string `json:"severity"`
	Object   string `json:"object"`
	Count    int    `json:"count"`
	Field    string `json:"field,omitempty"`
	Reason   string `json:"reason"`
	Fix      string `json:"fix,omitempty"`
	Row      *int   `json:"row,omitempty"`
	Column   *int   `json:"column,omitempty"`
}

// Silence is what happens if the nodes of a pool go silent now. It is plain data.
type Silence struct {
	Pool  int   `json:"pool"`
	Nodes int64 `json:"nodes"`
	Pods  int64 `json:"pods"` // that run there
	// Outcomes is what becomes of them, in the words of package timeline.
	Outcomes []Outcome `json:"outcomes"`
	Steps    []Step    `json:"steps"`
}

// Outcome is how many pods have an outcome. It is plain data.
type Outcome struct {
	Name string `json:"name"`
	Pods int64  `json:"pods"`
}

// Step is pods that are evicted at the same time. It is plain data.
type Step struct {
	Seconds float64 `json:"seconds"` // after the nodes went silent
	Pods    int64   `json:"pods"`
}
