package lint

import (
	"github.com/tolero-dev/tolero/match/lint"
)

// The JSON output. Findings are as package lint has them, with the path of the field in
// the object, the place of the object, and the line that silences the finding. Counts
// are of all findings of the severity that is asked for, whatever the limit.
type (
	jsonReport struct {
		Nodes    int             `json:"nodes"`
		Pods     int64           `json:"pods"`
		Findings []jsonFinding   `json:"findings"`
		Counts   map[lint.ID]int `json:"counts"`
		Silenced int             `json:"silenced"`
		Unused   []lint.Silence  `json:"unused"` // silences that silence nothing
	}
	jsonFinding struct {
		lint.Finding
		Field   string `json:"field"`
		Place   string `json:"place,omitempty"`
		Silence string `json:"silence"`
	}
)

func (r *report) data() any {
	document := jsonReport{r.nodes, r.pods, []jsonFinding{}, r.Counts, r.Silenced, r.Unused}
	if document.Unused == nil {
		document.Unused = []lint.Silence{}
	}
	for i, f := range r.Findings {
		document.Findings = append(document.Findings, jsonFinding{f, r.fields[i], r.places[i], f.Silence().String()})
	}
	return document
}
