// Package files makes the files of the vectors.
package files

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/canonical"
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/source"
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/without"
)

// Kubernetes is the release whose rules this library has: the only one with every
// kind of question.
const Kubernetes = "1.37"

// kills has for each case of the small set the mistakes that it finds.
//
//go:embed kills.json
var kills []byte

// groups is the file of each kind of question.
var groups = map[string][]string{
	"matching":   {"tolerates", "untolerated"},
	"nodes":      {"fits", "verdict", "scores", "cordon", "kubelet", "daemonSet"},
	"evictions":  {"evictions"},
	"admission":  {"defaultTolerationSeconds", "daemonSetTolerations", "qosClass", "extendedResources", "podTolerationRestriction", "covers", "addToleration", "newNode", "registerWithTaints", "staticPod"},
	"components": {"pressure", "topologySpread", "outOfService", "proxyHealthy", "cloudShutdown", "controlPlane", "kubeletUpdate", "runtimeClass"},
	"kubectl":    {"kubectlTaint"},
	"validation": {"validateNode", "validatePod", "validatePodUpdate"},
	"lifecycle":  {"conditionTaints", "zone", "nodeLifecycle"},
	"devices":    {"deviceTolerates", "deviceAllocatable", "deviceTaints", "deviceEvictions", "deviceTaintRuleUpdate", "deviceTaintRulePreview", "validateDevice", "validateRequest", "validateDeviceTaintRule"},
}

// group returns the name of the file of a kind of question.
func group(ask string) string {
	for name, kinds := range groups {
		if slices.Contains(kinds, ask) {
			return name
		}
	}
	panic("no file for " + ask)
}

// Case is a case as it is written.
type Case struct {
	ID           string                  `json:"id"`
	Rules        []string                `json:"rules"`
	About        string                  `json:"about,omitempty"`
	Ask          string                  `json:"ask"`
	Input        json.RawMessage         `json:"input"`
	Answer       json.RawMessage         `json:"answer"`
	Reason       string                  `json:"reason"`
	Alternatives []canonical.Alternative `json:"alternatives,omitempty"`
	Kills        []string                `json:"kills,omitempty"`
}

// Make returns the files by their names below the folder of package vectors. It reads
// the inputs of the large set from there.
func Make(dir fs.FS) (map[string][]byte, error) {
	all, err := Cases(dir)
	if err != nil {
		return nil, err
	}
	kills, err := killed()
	if err != nil {
		return nil, err
	}
	for i := range all {
		all[i].Kills = kills[all[i].ID]
	}
	files := map[string][]byte{}
	for i := range Releases {
		Releases[i].files(files, all, len(kills) == 0)
	}
	files[Differences], err = page(all)
	return files, err
}

// files adds the files of the release. All cases are in the small set before it is chosen.
func (r *Release) files(files map[string][]byte, all []Case, unchosen bool) {
	sets := map[string][]Case{}
	for _, c := range r.cases(all) {
		set := "large"
		if c.Kills != nil || unchosen {
			set = "small"
		}
		name := path.Join(r.Kubernetes, set, group(c.Ask)+".json")
		sets[name] = append(sets[name], c)
	}
	for name, cases := range sets {
		files[name] = r.Format(path.Base(path.Dir(name)), cases)
	}
}

func killed() (by map[string][]string, err error) { return by, json.Unmarshal(kills, &by) }

// Cases returns all cases: those written by hand, and then those that were found, in
// the order of their names.
func Cases(dir fs.FS) ([]Case, error) {
	var all []Case
	known := map[string]bool{}
	for _, s := range source.All() {
		c, err := New(s.ID(), s.Rules, s.Ask, &s.Input)
		if err != nil {
			return nil, err
		}
		if c.About = s.About; known[c.ID] {
			return nil, fmt.Errorf("%s is there twice", c.ID)
		}
		known[c.ID] = true
		all = append(all, c)
	}
	found, err := read(dir)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(a, b Case) int { return strings.Compare(a.ID, b.ID) })
	for _, f := range found {
		if f.About != "" || known[f.ID] {
			continue // written by hand, or there twice
		}
		in, err := canonical.Read(f.Input)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.ID, err)
		}
		c, err := New(FoundID(f.Ask, in), nil, f.Ask, in)
		if err != nil {
			return nil, err
		}
		matter, err := without.Matter(c.Ask, in, c.Answer)
		if err != nil {
			return nil, err
		}
		c.Rules = without.Rules(matter)
		known[c.ID] = true
		all = append(all, c)
	}
	return all, nil
}

// FoundID returns the name of a case that was found: it follows from the question.
func FoundID(ask string, in *canonical.Input) string {
	text, err := canonical.Marshal(in)
	if err != nil {
		panic(err)
	}
	sum := sha256.Sum256(text)
	return ask + "/" + hex.EncodeToString(sum[:5])
}

// New makes a case of a question.
func New(id string, rules []string, ask string, in *canonical.Input) (Case, error) {
	result, err := canonical.Answer(ask, in)
	if err != nil {
		return Case{}, err
	}
	c := Case{ID: id, Rules: rules, Ask: ask, Reason: result.Reason, Alternatives: result.Alternatives}
	if c.Input, err = canonical.Marshal(in); err != nil {
		return Case{}, err
	}
	c.Answer, err = canonical.Marshal(result.Answer)
	return c, err
}

// read returns the cases of the files that are there.
func read(dir fs.FS) (all []Case, err error) {
	names, err := fs.Glob(dir, Kubernetes+"/*/*.json")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, err
		}
		var f struct{ Cases []Case }
		if err := json.Unmarshal(text, &f); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, f.Cases...)
	}
	return all, nil
}

// Format returns a file of a set of the release: one field of a case a line, cases by kind of question.
func (r *Release) Format(set string, cases []Case) []byte {
	slices.SortStableFunc(cases, func(a, b Case) int { return cmp.Compare(a.Ask, b.Ask) })
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n\"$schema\": \"../../schema.json\",\n\"format\": 1,\n\"kubernetes\": %q,\n\"confirmed\": %q,\n\"set\": %q,\n\"cases\": [\n", r.Kubernetes, r.Confirmed(cases), set)
	for i := range cases {
		if i > 0 {
			b.WriteString(",\n")
		}
		cases[i].format(&b)
	}
	b.WriteString("\n]\n}\n")
	return b.Bytes()
}

func (c *Case) format(b *bytes.Buffer) {
	line := func(name string, value any) {
		text, err := canonical.Marshal(value)
		if err != nil {
			panic(err)
		}
		if name != "id" {
			b.WriteString(",\n ")
		}
		fmt.Fprintf(b, "%q: %s", name, text)
	}
	b.WriteString("{")
	line("id", c.ID)
	line("rules", c.Rules)
	if c.About != "" {
		line("about", c.About)
	}
	line("ask", c.Ask)
	line("input", c.Input)
	line("answer", c.Answer)
	line("reason", c.Reason)
	if c.Alternatives != nil {
		line("alternatives", c.Alternatives)
	}
	if c.Kills != nil {
		line("kills", c.Kills)
	}
	b.WriteString("}")
}
