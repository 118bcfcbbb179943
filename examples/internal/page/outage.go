package page

import (
	"encoding/base64"
	"html/template"
	"io"
	"os"
	"path/filepath"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/outage"
)

// Limits of the outages that a file has; tolero outage plays the others.
const (
	maxSilences = 6
	maxPlayed   = 50_000 // pods of the cluster
)

// silence is what becomes of pods if a zone or a pool falls silent now.
type silence struct {
	ID, Of, Name string // Of is zone or pool
	Nodes        int64
	Answer       []block
	Picture      template.URL
}

// silences returns the zones and pools, and the first of them with what happens.
func (in *source) silences(m *matrix) (all []silence) {
	zones := make(map[string]int)
	for i := range in.Cluster.Nodes {
		zone := zoneOf(&in.Cluster.Nodes[i])
		at, found := zones[zone]
		if odd(zone) || !found && len(zones) == maxColumns {
			continue
		}
		if !found {
			at = len(all)
			zones[zone] = at
			all = append(all, silence{Of: "zone", Name: zone})
		}
		all[at].Nodes++
	}
	for _, to := range m.Columns {
		if to.label != "" && !odd(to.Name) {
			all = append(all, silence{Of: "pool", Name: to.Name, Nodes: to.Nodes})
		}
	}
	for i := range all {
		all[i].ID = "out" + command.Thousands(i)
		if i < maxSilences && len(in.Cluster.Pods) <= maxPlayed {
			in.play(&all[i])
		}
	}
	return all
}

// play asks tolero outage, which writes the picture into a file. Where there is no room for one
// there is no picture.
func (in *source) play(s *silence) {
	args := []string{"-" + s.Of + "=" + s.Name, "-limit", maxLines}
	if in.Pool != "" {
		args = append(args, "-pool-label="+in.Pool)
	}
	file := ""
	if dir, err := os.MkdirTemp("", "tolero-"); err == nil {
		defer os.RemoveAll(dir)
		file = filepath.Join(dir, "outage.svg")
		args = append(args, "-svg", file)
	}
	text, err := in.ask(in.Cluster, outage.Command, "", args...)
	if err != nil {
		text = err.Error()
	}
	s.Answer = blocksOf(text)
	if picture, err := os.ReadFile(file); err == nil {
		s.Picture = template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(picture))
	}
}

// outage plays an outage that the page asks for.
func (l *Live) outage(r io.Reader) ([]byte, error) {
	q := silence{ID: "asked"}
	question := struct {
		Of   *string `json:"of"`
		Name *string `json:"name"`
	}{&q.Of, &q.Name}
	if err := read(r, &question); err != nil {
		return nil, err
	}
	if q.Of != "zone" {
		q.Of = "pool"
	}
	l.source.play(&q)
	return render("silence", q)
}
