package lint

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/match/lint"
)

// formats are those for continuous integration.
var formats = map[string]func(r *report, o *options, out *bytes.Buffer) error{
	"silences": (*report).writeSilences, "sarif": (*report).writeSARIF, "junit": (*report).writeJUnit, "github": (*report).writeGitHub, "components": (*report).writeComponents,
}

// levels are the severities in the words of SARIF and of GitHub's annotations.
var levels = map[lint.Severity][2]string{lint.Error: {"error", "error"}, lint.Warning: {"warning", "warning"}, lint.Info: {"note", "notice"}}

// place is where a finding is: a file and the line where its document begins, or nothing.
type place struct {
	file string
	line int
}

// placesOf returns the place of each finding. Of a JSON file the line is 1,
// and of what is in none of the files there is none.
func (r *report) placesOf(files []string) []place {
	begins := make(map[string][]int)
	all := make([]place, len(r.Findings))
	for i := range all {
		o := r.objects[i]
		if o.File == "-" || !slices.Contains(files, o.File) {
			continue
		}
		if _, known := begins[o.File]; !known {
			begins[o.File] = documents(o.File)
		}
		all[i] = place{o.File, 1}
		if lines := begins[o.File]; o.Document <= len(lines) && o.Document > 0 {
			all[i].line = lines[o.Document-1]
		}
	}
	return all
}

// documents returns the lines where the YAML documents of a file begin that are not empty. There
// are none if it cannot be read again, such as a pipe, or is JSON.
func documents(file string) (lines []int) {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return nil // reading it may take forever
	}
	text, err := os.ReadFile(file)
	if err != nil || bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return nil
	}
	open := true
	for i, line := range strings.Split(string(text), "\n") {
		rest, begins := strings.CutPrefix(line, "---")
		open = open || begins
		if rest = strings.TrimSpace(rest); open && rest != "" && rest[0] != '#' && rest[0] != '%' {
			lines, open = append(lines, i+1), false
		}
	}
	return lines
}

// fingerprints returns a name for each finding that other changes of the input leave as it is: what
// silences it, with a number if several have the same.
func (r *report) fingerprints() []string {
	seen := make(map[string]int)
	names := make([]string, len(r.Findings))
	for i, f := range r.Findings {
		s := f.Silence()
		s.Reason = ""
		names[i] = strings.TrimSuffix(s.String(), " #")
		if seen[names[i]]++; seen[names[i]] > 1 {
			names[i] += fmt.Sprintf(" (%d)", seen[names[i]])
		}
	}
	return names
}

// message is what a finding says, without the place.
func (r *report) message(i int) string {
	f := &r.Findings[i]
	return command.Printable(fmt.Sprintf("%s, %s: %s; fix: %s", r.about(f), r.fields[i], f.Reason, f.Fix))
}

// object is one of JSON, whose fields are written in the order of their names.
type object = map[string]any

// writeSARIF writes SARIF 2.1.0 with the properties that code scanning needs (the standard of OASIS,
// 3.14 to 3.27).
func (r *report) writeSARIF(o *options, out *bytes.Buffer) error {
	rules, index := []object{}, make(map[lint.ID]int)
	for i, id := range lint.IDs() {
		index[id] = i
		rules = append(rules, object{
			"id": id, "shortDescription": object{"text": strings.ReplaceAll(string(id), "-", " ")}, "defaultConfiguration": object{"level": levels[id.Severity()][0]},
		})
	}
	results, places, fingerprints := []object{}, r.placesOf(o.Files), r.fingerprints()
	for i, f := range r.Findings {
		at := object{"logicalLocations": []object{{"fullyQualifiedName": command.Printable(f.Object + ", " + r.fields[i]), "kind": "object"}}}
		if file := places[i].file; file != "" {
			at["physicalLocation"] = object{
				"artifactLocation": object{"uri": (&url.URL{Path: filepath.ToSlash(file)}).String()}, "region": object{"startLine": places[i].line},
			}
		}
		results = append(results, object{
			"ruleId": f.ID, "ruleIndex": index[f.ID], "level": levels[f.Severity][0], "message": object{"text": r.message(i)},
			"locations": []object{at}, "partialFingerprints": object{"tolero/v1": fingerprints[i]},
		})
	}
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(object{
		"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json", "version": "2.1.0",
		"runs": []object{{
			"tool":    object{"driver": object{"name": "tolero", "informationUri": "https://github.com/tolero-dev/tolero", "rules": rules}},
			"results": results, "columnKind": "utf16CodeUnits",
		}},
	})
}

// The JUnit output: a test suite for lint, a test case for each finding, which fails if it is of the
// severity of -fail-on, and one that passes for each ID without any.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Time     string      `xml:"time,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Time    string        `xml:"time,attr"`
		Failure *junitFailure `xml:"failure"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitFailure struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

func (r *report) writeJUnit(o *options, out *bytes.Buffer) error {
	suite := junitSuite{Name: "tolero lint", Time: "0"}
	fingerprints, least := r.fingerprints(), lint.Error+1
	_ = least.UnmarshalText([]byte(o.failOn)) // none stays above all
	for i, f := range r.Findings {
		c := junitCase{Class: "tolero." + string(f.ID), Name: fingerprints[i], Time: "0"}
		text := r.message(i)
		if r.places[i] != "" {
			text += "\nin " + command.Printable(r.places[i])
		}
		if f.Severity < least {
			c.Out = text
		} else {
			c.Failure = &junitFailure{f.Severity.String(), command.Printable(f.Reason), text}
			suite.Failures++
		}
		suite.Cases = append(suite.Cases, c)
	}
	for _, id := range lint.IDs() {
		if r.Counts[id] == 0 && id.Severity() >= o.severity {
			suite.Cases = append(suite.Cases, junitCase{Class: "tolero." + string(id), Name: string(id), Time: "0"})
		}
	}
	suite.Tests = len(suite.Cases)
	out.WriteString(xml.Header)
	encoder := xml.NewEncoder(out)
	encoder.Indent("", "  ")
	err := encoder.Encode(junitSuites{Tests: suite.Tests, Failures: suite.Failures, Suites: []junitSuite{suite}})
	out.WriteByte('\n')
	return err
}

// writeGitHub writes a workflow command for each finding, which becomes an annotation.
func (r *report) writeGitHub(o *options, out *bytes.Buffer) error {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	for i, at := range r.placesOf(o.Files) {
		f := &r.Findings[i]
		where := ""
		if at.file != "" {
			where = fmt.Sprintf("file=%s,line=%d,", property.Replace(at.file), at.line)
		}
		fmt.Fprintf(out, "::%s %stitle=%s::%s\n", levels[f.Severity][1], where, property.Replace("tolero "+string(f.ID)), data.Replace(r.message(i)))
	}
	return nil
}
