package vectors

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
)

// Format is the version of the files' form. Another number is another form.
const Format = 1

//go:embed schema.json 1.34 1.35 1.36 1.37
var files embed.FS

// Files returns the vectors and their schema, as they are in the repository: 1.37/small and
// 1.37/large hold the files of the two sets of Kubernetes 1.37, and so on.
func Files() fs.FS { return files }

// File is a file of cases. It is plain data.
type File struct {
	Format     int    `json:"format"`
	Kubernetes string `json:"kubernetes"` // the release whose rules these are, such as "1.37"
	Confirmed  string `json:"confirmed"`  // the modules that gave the same answers
	Set        string `json:"set"`        // "small" or "large"
	Cases      []Case `json:"cases"`
}

// Case is a question, its answer, and what is to be known about it. It is plain data
// and may be read concurrently. The zero Case asks nothing.
type Case struct {
	ID    string          `json:"id"`    // unique in a release
	Rules []string        `json:"rules"` // of match/SEMANTICS.md, at least one
	About string          `json:"about,omitempty"`
	Ask   string          `json:"ask"` // the kind of question; README.md lists them
	Input json.RawMessage `json:"input"`
	// Answer is the right answer, and Reason says why.
	Answer json.RawMessage `json:"answer"`
	Reason string          `json:"reason"`
	// Alternatives are the answers of projects that differ. They differ from Answer and
	// from each other, so that an answer shows who gave it.
	Alternatives []Alternative `json:"alternatives,omitempty"`
	// Kills names mistakes that the case finds, at most three.
	Kills []string `json:"kills,omitempty"`
}

// Alternative is another answer to a question and who gives it. It is plain data.
type Alternative struct {
	Dialects []string        `json:"dialects"` // names of profiles of match/dialect
	Answer   json.RawMessage `json:"answer"`
	Reason   string          `json:"reason"`
}

// Question is what a program is asked: one line of JSON. It is plain data.
type Question struct {
	ID    string          `json:"id"`
	Ask   string          `json:"ask"`
	Input json.RawMessage `json:"input"`
}

// Question returns the question of c.
func (c *Case) Question() Question { return Question{c.ID, c.Ask, c.Input} }

// Expected returns the answer in a dialect: that of the alternative that names it, or
// else the right one.
func (c *Case) Expected(dialect string) json.RawMessage {
	for i := range c.Alternatives {
		if slices.Contains(c.Alternatives[i].Dialects, dialect) {
			return c.Alternatives[i].Answer
		}
	}
	return c.Answer
}

// Load returns the cases of a Kubernetes release, such as "1.37": those of the small
// set first, in the order of the files and in them. The error says that there are none.
// The newest release has every kind of question; README.md says which the older ones have.
func Load(kubernetes string) ([]Case, error) { return load(files, kubernetes, "small", "large") }

// LoadSmall returns the cases of the small set alone.
func LoadSmall(kubernetes string) ([]Case, error) { return load(files, kubernetes, "small") }

func load(from fs.FS, kubernetes string, sets ...string) (cases []Case, err error) {
	for _, set := range sets {
		names, err := fs.Glob(from, path.Join(kubernetes, set, "*.json"))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			text, err := fs.ReadFile(from, name)
			if err != nil {
				return nil, err
			}
			var f File
			if err := json.Unmarshal(text, &f); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			if f.Format != Format {
				return nil, fmt.Errorf("%s: format %d, want %d", name, f.Format, Format)
			}
			cases = append(cases, f.Cases...)
		}
	}
	if len(cases) == 0 {
		return nil, fmt.Errorf("no vectors for Kubernetes %q", kubernetes)
	}
	return cases, nil
}
