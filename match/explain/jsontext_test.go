package explain_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/match/explain"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// An encoder decides whether texts are escaped for HTML, those within values too.
func TestJSONIsEscapedByTheEncoder(t *testing.T) {
	q := explain.Query{
		Taints:      []taint.Taint{{Key: "a", Value: "9", Effect: taint.NoExecute}},
		Tolerations: []toleration.Toleration{{Key: "a", Value: "<9"}},
	}
	e, r := q.Explain(), q.Correct(explain.ToStay)
	if len(r.Edits) == 0 {
		t.Fatal("no edits")
	}
	for _, value := range []json.Marshaler{e, e.Reasons[0], r, r.Edits[0]} {
		if text, err := value.MarshalJSON(); err != nil || bytes.HasSuffix(text, []byte("\n")) {
			t.Errorf("%T: %v, %q", value, err, text)
		}
		for escape, want := range map[bool]string{false: "<9", true: `\u003c9`} {
			var out bytes.Buffer
			encoder := json.NewEncoder(&out)
			encoder.SetEscapeHTML(escape)
			if err := encoder.Encode(value); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(out.String(), want) || strings.Contains(out.String(), "<") == escape {
				t.Errorf("escaped %t: %T is %s", escape, value, &out)
			}
		}
	}
}
