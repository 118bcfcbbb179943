package lint_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/match/lint"
)

func TestParseSilences(t *testing.T) {
	const text = "\ufeff# a comment\r\n\n" +
		"untolerated key=dedicated # for the batch team, # from March\r\n" +
		"  everything\tPod  kube-system/*   # agents\n" +
		`* "a  b" key="c d"# odd` + "\n" +
		"many-values * key=a # all\n" +
		`redundant "key=x" # a name` + "\n"
	got, err := lint.ParseSilences(text)
	want := []lint.Silence{
		{ID: lint.Untolerated, Key: "dedicated", Reason: "for the batch team, # from March", Line: 3},
		{ID: lint.Everything, Object: "Pod kube-system/*", Reason: "agents", Line: 4},
		{Object: "a  b", Key: "c d", Reason: "odd", Line: 5},
		{ID: lint.ManyValues, Key: "a", Reason: "all", Line: 6},
		{ID: lint.Redundant, Object: "key=x", Reason: "a name", Line: 7},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, text := range []string{"", "\n\n", "# only\n  # comments"} {
		if got, err := lint.ParseSilences(text); got != nil || err != nil {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}

func TestParseSilencesErrors(t *testing.T) {
	for text, want := range map[string]string{
		"untolerted # x":                       `line 1: "untolerted": unknown ID; probably untolerated`,
		"! # x":                                `line 1: "!": unknown ID; there are `,
		"x # x":                                `line 1: "x": unknown ID; there are keeps-pending, `,
		`"" # x`:                               `line 1: "": unknown ID; there are `,
		`"*" # x`:                              `line 1: "*": unknown ID; there are `,
		"\nredundant":                          `line 2: "redundant": there must be a reason, after a "#"`,
		"redundant a #  ":                      `line 1: "redundant a #": there must be a reason, after the "#"`,
		"redundant key= # x":                   `line 1: "key=": must be followed by a key, or be left out for all keys`,
		"redundant key=a key=b # x":            `line 1: "key=a": must be the last word before the reason, and the only key`,
		"redundant key=a b # x":                `line 1: "key=a": must be the last word before the reason, and the only key`,
		`redundant a "b" # x`:                  `line 1: "b": an object that is quoted must be quoted as a whole`,
		`redundant "" # x`:                     `line 1: "": the name of an object must not be empty; * is all of them`,
		`redundant "a # x`:                     `line 1: "\"a # x": the quote does not end, or it is no Go string`,
		"redundant a*b # x":                    `line 1: "a*b": "*" must be at the end of the name`,
		"key=a # x":                            `line 1: "key=a": the ID comes first; * is all of them`,
		"x # x\nredundant # fine\n\ny # x":     `line 4: "y": unknown ID`,
		"redundant * * # x":                    `line 1: "* *": "*" must be at the end of the name`,
		strings.Repeat("redundant\n", 3) + "x": `line 4: "x": there must be`,
	} {
		got, err := lint.ParseSilences(text)
		var fault *lint.SilenceError
		if got != nil || !errors.As(err, &fault) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}

// What String writes, ParseSilences reads.
func TestSilenceString(t *testing.T) {
	words := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "*", "a", "Pod a/b", "a  b", " ", "#", "key=a", `"`, "a#b", "a*", "\ufeff", "\xff", "a key=b"}))
	rapid.Check(t, func(t *rapid.T) {
		s := lint.Silence{
			ID: rapid.SampledFrom(append(lint.IDs(), "")).Draw(t, "ID"), Object: words.Draw(t, "object"), Key: words.Draw(t, "key"), Reason: "why",
		}
		if i := strings.IndexByte(s.Object, '*'); i >= 0 && i < len(s.Object)-1 {
			t.Skip("no such silence")
		}
		got, err := lint.ParseSilences(s.String())
		if s.Object == "*" {
			s.Object = ""
		}
		if s.Line = 1; err != nil || len(got) != 1 || got[0] != s {
			t.Fatalf("%s: %+v, %v, want %+v", s, got, err, s)
		}
	})
	if got := (lint.Silence{ID: lint.Redundant, Reason: " a\n b "}).String(); got != "redundant # a b" {
		t.Errorf("got %q", got)
	}
	for word, want := range map[string]string{
		"a": "a", "Pod a/b": "Pod a/b", "!$%&'()+,-./:;<=>?@[]^_`{|}~": "!$%&'()+,-./:;<=>?@[]^_`{|}~", "äß€😀": "äß€😀", "a*": "a*",
		"*": `"*"`, "a  b": `"a  b"`, " a": `" a"`, "a ": `"a "`, "a\"": `"a\""`, "a#b": `"a#b"`, "a\x07": `"a\a"`, "\xff": `"\xff"`, "\ufffd": "\"\ufffd\"", "\u00a0": `"\u00a0"`, "key=a": `"key=a"`,
		"a key=b": `"a key=b"`, "* a": `"* a"`,
	} {
		if got := (lint.Silence{Object: word}).String(); got != "* "+want+" #" {
			t.Errorf("%q: %s", word, got)
		}
	}
	if got := (lint.Silence{ID: "*", Key: "*"}).String(); got != `"*" key="*" #` {
		t.Errorf("got %q", got)
	}
	text, err := json.Marshal([]lint.Silence{{}, {ID: lint.Redundant, Object: "o", Key: "k", Reason: "r", Line: 1}})
	if want := `[{},{"id":"redundant","object":"o","key":"k","reason":"r","line":1}]`; err != nil || string(text) != want {
		t.Errorf("got %s, %v", text, err)
	}
	if got := (lint.Silence{}).String(); got != "* #" {
		t.Errorf("got %q", got)
	}
}

// A silence takes its objects out of a finding, and leaves the others in it.
func TestSilences(t *testing.T) {
	nodes := []string{"a:NoSchedule", "a:NoSchedule", "a:NoSchedule", "b:NoSchedule,a:NoSchedule"}
	pods := []string{"c", "c", "c,d", "ds c,b,node.kubernetes.io/disk-pressure"}
	for _, c := range []struct {
		silences, want string
		silenced       int
		unused         []int // lines
	}{
		{"", "n0+3 a untolerated, p3 a misses, p0+1 c matches-no-node, p2 c matches-no-node, p2 d matches-no-node, p3 c matches-no-node", 0, nil},
		{"matches-no-node # x\nuntolerated n0 # x", "n1+2 a untolerated, p3 misses", 4, nil},
		{"matches-no-node key=c # x\nuntolerated n* # x", "p2 d matches-no-node, p3 misses", 4, nil},
		{"matches-no-node p0 # x\nmatches-no-node p1 key=c # x\nmatches-no-node p2 key=e # x", "n0+3 a untolerated, p2 c matches-no-node, p2 d matches-no-node, p3 c matches-no-node, p3 misses", 2, []int{3}},
		{"matches-no-node p* # x\nmatches-no-node p2 # x\nmatches-no-node # x\nmatches-no-node * # x", "n0+3 a untolerated, p3 misses", 4, []int{4}},
		{"daemonset-misses key=a # x\n* key=c # x\n* key=d # x\n* n3 # x\nredundant # x", "n0+2 a untolerated", 5, []int{5}},
		{"daemonset-misses # x\n* key=c # x\n* key=d # x\n* n0 # x\n* n1 # x\n* n2 # x", "n3 a untolerated", 5, nil},
		{"daemonset-misses p3 # x\n* n # x\n* n4 # x", "n0+3 a untolerated, p0+1 c matches-no-node, p2 c matches-no-node, p2 d matches-no-node, p3 c matches-no-node", 1, []int{2, 3}},
		{"* # x", "", 6, nil},
		{"untolerated n0123456* # x\nuntolerated n* # x", "p0+1 c matches-no-node, p2 c matches-no-node, p2 d matches-no-node, p3 c matches-no-node, p3 misses", 1, []int{1}},
		{"untolerated n0* # x\nuntolerated n1* # x\nuntolerated n0 # x", "n2+1 a untolerated, p0+1 c matches-no-node, p2 c matches-no-node, p2 d matches-no-node, p3 c matches-no-node, p3 misses", 0, nil},
		{"untolerated # x\nuntolerated # x\n* key=c # x", "p2 d matches-no-node, p3 misses", 4, []int{2}},
	} {
		silences, err := lint.ParseSilences(c.silences)
		if err != nil {
			t.Fatal(err)
		}
		r := lint.Check(fleet(t, nodes, pods), lint.Options{Silence: silences})
		var got, want []string
		for _, f := range r.Findings {
			more := ""
			if f.Count > 1 {
				more = fmt.Sprint("+", f.Count-1)
			}
			got = append(got, strings.Join(strings.Fields(f.Object+more+" "+f.Key+" "+strings.TrimPrefix(string(f.ID), "daemonset-")), " "))
		}
		if c.want != "" {
			want = strings.Split(strings.Replace(c.want, "p3 a misses", "p3 misses", 1), ", ")
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) || r.Silenced != c.silenced {
			t.Errorf("%q: %d silenced,\n%s\n%s", c.silences, r.Silenced, got, want)
		}
		var unused []int
		for _, s := range r.Unused {
			unused = append(unused, s.Line)
		}
		if !slices.Equal(unused, c.unused) {
			t.Errorf("%q: lines %v are unused, want %v", c.silences, unused, c.unused)
		}
	}
}

// All objects are one object pattern, however it is written.
func TestAnyObject(t *testing.T) {
	f := fleet(t, []string{"a:NoSchedule"}, []string{""})
	for _, list := range [][]lint.Silence{
		{{ID: lint.Untolerated, Object: "*", Line: 1}, {ID: lint.Untolerated, Line: 2}}, {{ID: lint.Untolerated, Line: 1}, {ID: lint.Untolerated, Object: "*", Line: 2}},
	} {
		r := lint.Check(f, lint.Options{Silence: list})
		if len(r.Findings) > 0 || r.Silenced != 1 || len(r.Unused) != 1 || r.Unused[0].Line != 2 {
			t.Errorf("%+v: %+v", list, r)
		}
	}
}

// Each finding tells what silences it, and that silences nothing else if it has a key.
func TestFindingSilence(t *testing.T) {
	f := fleet(t, []string{"a:NoSchedule", "b=x:NoShedule", "dedicated=5:NoSchedule"}, []string{"c,d,b==x:NoExecute", "*", "ds dedicatd", "a:NoExecute@5,*:NoExecute"})
	all := lint.Check(f, lint.Options{})
	for _, found := range all.Findings {
		silences, err := lint.ParseSilences(found.Silence().String())
		if err != nil {
			t.Fatal(err)
		}
		r := lint.Check(f, lint.Options{Silence: silences})
		if slices.ContainsFunc(r.Findings, func(x lint.Finding) bool { return reflect.DeepEqual(x, found) }) || r.Silenced != 1 || len(r.Unused) > 0 || len(r.Findings) != len(all.Findings)-1 {
			t.Errorf("%s: %s\n%s", found, silences[0], lines(r))
		}
	}
}

// If all objects are asked for, each finding names those that it is about, and so do its
// silences. Together they leave nothing, and none is in vain.
func TestFindingObjects(t *testing.T) {
	f := fleet(t, []string{"a:NoSchedule", "b:NoSchedule", "a:NoSchedule", "c:NoSchedule,a:NoSchedule", "a:NoSchedule"},
		[]string{"*", "ds b", "*", "ds b", "z", "*", "z"})
	f.Nodes[4].Name, f.Pods[5].Name, f.Pods[6].Name = "n0", "p0", "p4"
	f.Pods[3].Affinity = affinity.Required{NodeSelector: map[string]string{"zone": "x"}}
	f.Nodes[2].Labels = map[string]string{"zone": "x"}
	r := lint.Check(f, lint.Options{Objects: true})
	var got []string
	var silences []lint.Silence
	for _, found := range r.Findings {
		got = append(got, fmt.Sprint(found.ID, " ", found.Count, " ", found.Key, found.Objects))
		if len(found.Objects) == 0 || found.Objects[0] != found.Object {
			t.Errorf("%s: %q", found, found.Objects)
		}
		silences = append(silences, found.Silences()...)
		for i, s := range found.Silences() {
			if want := (lint.Silence{ID: found.ID, Object: found.Objects[i], Key: found.Key, Reason: found.Reason}); s != want {
				t.Errorf("got %+v, want %+v", s, want)
			}
		}
	}
	want := []string{
		"everything 3 [p0 p2]", "matches-no-node 2 z[p4]", "daemonset-misses 1 [p1]", "daemonset-misses 1 [p3]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if r = lint.Check(f, lint.Options{Silence: silences}); len(r.Findings) > 0 || len(r.Unused) > 0 {
		t.Errorf("%d findings remain, and unused are %v", len(r.Findings), r.Unused)
	}
	// Those of nodes, without the ones that are silenced.
	f.Pods = f.Pods[4:5]
	r = lint.Check(f, lint.Options{Objects: true, Silence: []lint.Silence{{Object: "n2"}}})
	if found := r.Findings[1]; found.Key != "a" || !slices.Equal(found.Objects, []string{"n0", "n3"}) || len(found.Silences()) != 2 {
		t.Errorf("%s: %q", found, found.Objects)
	}
	for _, found := range lint.Check(f, lint.Options{}).Findings {
		if found.Objects != nil || !slices.Equal(found.Silences(), []lint.Silence{found.Silence()}) {
			t.Errorf("%s: %q, %v", found, found.Objects, found.Silences())
		}
	}
}

// FuzzParseSilences reads what it writes, or names a line.
func FuzzParseSilences(f *testing.F) {
	f.Add("untolerated key=dedicated # from March\n\n# a comment\n* \"a  b\" key=\"c d\"# odd") // all forms
	f.Add("untolerted # x\nredundant a*b # y\nkey= # z")                                        // errors
	target.Fuzz(f, func(t *testing.T, text string) {
		silences, err := lint.ParseSilences(text)
		if err != nil {
			var fault *lint.SilenceError
			if !errors.As(err, &fault) || fault.Line < 1 || silences != nil {
				t.Fatalf("%v, %v", silences, err)
			}
		}
		for _, s := range silences {
			again, err := lint.ParseSilences(s.String())
			s.Line, s.Reason = 1, strings.Join(strings.Fields(s.Reason), " ")
			if err != nil || len(again) != 1 || again[0] != s {
				t.Fatalf("%+v is %q, which is %+v, %v", s, s.String(), again, err)
			}
		}
	})
}

// A silence about one key leaves what other keys do to a DaemonSet, and one about all keys
// counts as used for each DaemonSet that misses a node, wherever the node is.
func TestSilencesOfDaemonSets(t *testing.T) {
	f := fleet(t, []string{"a:NoSchedule", "b:NoSchedule"}, []string{"ds ", "ds a", "ds a,b"})
	r := lint.Check(f, lint.Options{Silence: []lint.Silence{{ID: lint.DaemonSetMisses, Key: "a"}}})
	if r.Counts[lint.DaemonSetMisses] != 2 || r.Silenced != 0 || len(r.Unused) != 0 {
		t.Errorf("a key: %d findings, %d silenced, unused %v", r.Counts[lint.DaemonSetMisses], r.Silenced, r.Unused)
	}
	r = lint.Check(f, lint.Options{Silence: []lint.Silence{{ID: lint.DaemonSetMisses}}})
	if r.Counts[lint.DaemonSetMisses] != 0 || r.Silenced != 2 || len(r.Unused) != 0 {
		t.Errorf("all: %d findings, %d silenced, unused %v", r.Counts[lint.DaemonSetMisses], r.Silenced, r.Unused)
	}
}
