package whatif_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/toleration"
)

// A comment begins at the first word with "#" and ends with the line. A "#" in a word is
// part of it, and a word that begins with another sign is no comment.
func TestComments(t *testing.T) {
	for text, want := range map[string]string{
		"cordon a # b c # d\ncordon e": "kubectl cordon a\nkubectl cordon e\n",
		"cordon a #b c":                "kubectl cordon a\n",
		"cordon a#b !c \"d":            "kubectl cordon a#b !c \"d\n",
		"#\n# x\n \t\n":                "",
		"cordon a\n#cordon b":          "kubectl cordon a\n",
	} {
		if plan, err := whatif.Parse(text); err != nil || plan.String() != want {
			t.Errorf("%q: %q, %v, want %q", text, plan, err, want)
		}
	}
}

// The flags of each command, by what is done with it. All others are refused, whatever
// follows them and wherever they come in the alphabet.
func TestFlagsOfCommands(t *testing.T) {
	commands := map[string]string{"cordon": "cordon%", "uncordon": "uncordon%", "taint": "taint nodes% k-", "tolerations": "tolerations - web%"}
	uses := map[string][]string{
		"--all": {"cordon", "uncordon", "taint", "tolerations"}, "--tainted": {"cordon", "uncordon", "taint", "tolerations"},
		"--overwrite": {"taint"}, "--nodes": {"tolerations"},
	}
	have := map[string]string{
		"cordon": "--all and --tainted", "uncordon": "--all and --tainted",
		"taint": "--all, --tainted and --overwrite", "tolerations": "--all, --tainted and --nodes",
	}
	for _, flag := range []string{"-a", "-lx", "-n", "--", "--a", "--all", "--allx", "--mode", "--nodes", "--nodesx", "--o", "--overwrite", "--p", "--tainted", "--where", "--zone"} {
		valued := flag == "--tainted" || flag == "--nodes" // they have values
		for name, command := range commands {
			for _, form := range []string{flag, flag + "=k", flag + "=", flag + " k"} {
				want := "" // a line of text, or the beginning of an error
				switch {
				case !valued && strings.HasSuffix(form, " k"), valued && form == flag:
					continue // "k" is a node or an owner then; the flag takes what follows
				case !slices.Contains(uses[flag], name):
					want = name + `: "` + flag + `": not a flag of this command, which has ` + have[name]
				case !valued && form != flag:
					want = name + `: "` + form + `": want true or false, if anything`
				case form == "--tainted=":
					want = name + `: --tainted "": no tolerations`
				}
				words := strings.Fields(strings.Replace(command, "%", " "+form, 1))
				if flag == "--overwrite" && want == "" {
					words = append(words, "--all") // some nodes
				}
				step, err := whatif.ParseStep(words...)
				switch {
				case want == "" && err != nil, want != "" && (err == nil || err.Error() != want):
					t.Errorf("%s %s: %v, want %q", name, form, err, want)
				case want == "" && step.Nodes.All != (flag == "--all" || flag == "--overwrite"), want == "" && step.Overwrite != (flag == "--overwrite"):
					t.Errorf("%s %s: %+v", name, form, step)
				}
			}
		}
	}
	for _, last := range []string{"cordon --tainted", "taint nodes a k- --tainted", "tolerations - web --nodes"} {
		words := strings.Fields(last)
		want := words[0] + `: "` + words[len(words)-1] + `": this flag needs a value`
		if _, err := whatif.ParseStep(words...); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", last, err, want)
		}
	}
}

// Flags that are true or false may say so, in kubectl's words.
func TestTrueAndFalse(t *testing.T) {
	for text, want := range map[string]string{
		"taint nodes a k- --overwrite=true": "kubectl taint nodes a k- --overwrite", "taint nodes a k- --overwrite=false": "kubectl taint nodes a k-",
		"taint nodes a k- --overwrite=1": "kubectl taint nodes a k- --overwrite", "taint nodes a k- --overwrite --overwrite=f": "kubectl taint nodes a k-",
		"cordon --all=true": "kubectl cordon --all", "cordon a --all=false": "kubectl cordon a",
	} {
		if s, err := whatif.ParseStep(strings.Fields(text)...); err != nil || s.String() != want {
			t.Errorf("%s: %v, %v, want %s", text, s, err, want)
		}
	}
}

// Nodes have no labels here, so kubectl's selector is refused, whatever it is for; a "-" alone
// is no flag.
func TestSelectors(t *testing.T) {
	for _, flag := range []string{"-l", "--selector"} {
		for _, form := range []string{"% x=y", "%=x=y", "%"} {
			for name, command := range map[string]string{"cordon": "cordon", "uncordon": "uncordon a", "taint": "taint nodes k-", "tolerations": "tolerations - web"} {
				words := strings.Fields(command + " " + strings.Replace(form, "%", flag, 1))
				want := name + `: "` + flag + `": there are no labels to select nodes by: want names, --tainted or --all`
				if _, err := whatif.ParseStep(words...); err == nil || err.Error() != want {
					t.Errorf("%q: %v, want %s", words, err, want)
				}
			}
		}
	}
	if s, err := whatif.ParseStep("cordon", "-"); err != nil || !slices.Equal(s.Nodes.Names, []string{"-"}) {
		t.Errorf("%+v, %v", s, err)
	}
}

// A node may have its kind before its name, as for kubectl. Where that would not be read back
// without it, and before other kinds, it is part of the name.
func TestKindsOfNames(t *testing.T) {
	for word, want := range map[string]string{
		"node/a": "a", "nodes/a": "a", "node/a.b-c": "a.b-c", "node/": "node/", "node/-a": "node/-a", "node/a/b": "node/a/b", "node/#": "node/#",
		"pod/a": "pod/a", "a": "a", "node": "node", "/a": "/a", "nodesx/a": "nodesx/a",
	} {
		for _, command := range []string{"cordon b %", "taint node b % k-", "tolerations - web --nodes b,%"} {
			s, err := whatif.ParseStep(strings.Fields(strings.Replace(command, "%", word, 1))...)
			if err != nil || !slices.Equal(s.Nodes.Names, []string{"b", want}) {
				t.Errorf("%s, %q: %q, %v, want %q", command, word, s.Nodes.Names, err, want)
			}
		}
	}
}

// The kind of a taint command is a node's, and what is not a list of tolerations is told
// as package toleration tells it.
func TestWordsThatAreRefused(t *testing.T) {
	for _, kind := range []string{"", "a", "no", "nod", "nodf", "nodess", "nodf", "pods", "zone", "--all"} {
		_, err := whatif.ParseStep("taint", kind, "a", "k-")
		if err == nil || !strings.HasPrefix(err.Error(), `taint: want "nodes", then names and taints`) {
			t.Errorf("%q: %v", kind, err)
		}
	}
	_, cause := toleration.ParseList("-x")
	_, err := whatif.ParseStep("cordon", "--tainted=-x")
	if want := `cordon: --tainted "-x": ` + cause.Error(); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// A list before an owner may be any word that package toleration reads; "-" is none.
func TestListsOfOwners(t *testing.T) {
	for word, want := range map[string][]toleration.Toleration{
		"-": nil, "*": {toleration.MustParse("*")}, "*:NoSchedule": {toleration.MustParse("*:NoSchedule")}, "a": {toleration.MustParse("a")},
	} {
		s, err := whatif.ParseStep("tolerations", word, "web", "server")
		if err != nil || !toleration.Equal(s.Tolerations, want) || s.Owner != "web server" {
			t.Errorf("%q: %+v, %v", word, s, err)
		}
	}
}

// A step keeps no slice of its caller's words.
func TestWordsAreNotKept(t *testing.T) {
	words := []string{"cordon", "a", "b"}
	s, err := whatif.ParseStep(words...)
	if err != nil {
		t.Fatal(err)
	}
	words[1] = "x"
	if s.String() != "kubectl cordon a b" {
		t.Error(s)
	}
}
