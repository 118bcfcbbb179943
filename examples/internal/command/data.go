package command

import (
	"encoding/json"

	"go.yaml.in/yaml/v2"

	"github.com/tolero-dev/tolero/examples/internal/cluster"
)

// Version is that of the JSON and YAML. It changes when a field changes its meaning or is
// gone, not when one is added.
const Version = 1

// envelope is what every command prints as JSON or YAML.
type envelope struct {
	Version int              `json:"version"`
	Command string           `json:"command"`
	Unread  []cluster.Unread `json:"unread,omitempty"` // of the user's cluster
	Result  any              `json:"result"`
}

// Show writes the answer in the format that is asked for: text, or data as JSON or YAML, in
// the envelope that all commands share.
func (p *Program) Show(text func(*Writer), data func() any) error {
	if p.Format == "text" {
		w := &Writer{Out: &p.Out, Width: p.Width}
		for _, u := range p.unread {
			w.Line(0, notRead(u))
		}
		text(w)
		return nil
	}
	encoder := json.NewEncoder(&p.Out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(envelope{Version, p.command.Name, p.unread, data()}); err != nil || p.Format == "json" {
		return err
	}
	var ordered yaml.MapSlice // JSON is YAML, and this keeps the order of fields
	if err := yaml.Unmarshal(p.Out.Bytes(), &ordered); err != nil {
		return err
	}
	document, err := yaml.Marshal(ordered)
	p.Out.Reset()
	p.Out.Write(document)
	return err
}
