package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/examples/internal/command"
)

// TestMain is the program itself under one of its names.
func TestMain(m *testing.M) {
	switch strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") {
	case "tolero", "kubectl-tolero", "kubectl_complete-tolero":
		main()
	}
	os.Exit(m.Run())
}

// install puts the program on the PATH under a name, and returns where.
func install(t *testing.T, names ...string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, name := range names {
		if err := os.Symlink(self, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", folder+":/usr/local/bin:/usr/bin:/bin")
	return folder
}

// names are those of the commands.
func names() string {
	var all []string
	for _, c := range commands {
		all = append(all, c.Name)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// Commands, flags, and the formats of -o are completed; where a file is meant, kubectl completes
// its name, and so do shells where there is nothing.
func TestWords(t *testing.T) {
	all := names()
	for line, want := range map[string]string{
		"":                    all + " :4",
		"w":                   "watch why :4",
		"-lim":                "-limit :4",
		"plan -o ":            "json kubectl text yaml :4",
		"plan -o k":           "kubectl :4",
		"plan --o ":           "json kubectl text yaml :4",
		"why -n":              "-n -namespace -node :4",
		"why -hide":           "-hide-values :4",
		"why -f ":             ":0",
		"why -kubeconfig ":    ":0",
		"why -limit ":         ":4",
		"why web-1 -cluster ": ":4",
		"why x -context c -g": "-goal :4",
		"none -nod":           ":4",
		"lint n ":             ":4", // the name of a pod, not a flag
	} {
		_, stdout, stderr := tolero(append([]string{"__complete"}, strings.Split(line, " ")...)...)
		if got := strings.Join(strings.Fields(stdout), " "); got != want || stderr != "" {
			t.Errorf("%q: got %s, %s, want %s", line, got, stderr, want)
		}
	}
	if _, stdout, _ := tolero("__complete"); !strings.HasPrefix(stdout, "check\n") {
		t.Errorf("without a word: %s", stdout)
	}
	flags := regexp.MustCompile(`(?m)^  (-[a-z-]+)`)
	for _, c := range commands {
		_, all, _ := tolero("__complete", c.Name, "-")
		for _, flag := range flags.FindAllStringSubmatch(c.Help(), -1) {
			if !strings.Contains(all, flag[1]+"\n") {
				t.Errorf("%s: %s is not completed", c.Name, flag[1])
			}
		}
	}
}

// The shells that are there complete with the scripts.
func TestShells(t *testing.T) {
	for _, c := range []struct{ shell, before, line, want string }{
		{"bash", "", "COMP_WORDS=(tolero plan -o k); COMP_CWORD=3; _tolero tolero; echo ${COMPREPLY[@]}", "kubectl"},
		{"bash", "", "COMP_WORDS=(tolero plan -o ''); COMP_CWORD=3; _tolero tolero; echo ${COMPREPLY[@]}", "json kubectl text yaml"},
		{"bash", "", "COMP_WORDS=(tolero why -f ''); COMP_CWORD=3; _tolero tolero; echo ${#COMPREPLY[@]}", "0"},
		{"bash", "", "complete -p tolero", "complete -o bashdefault -o default -F _tolero tolero"},
		{"zsh", "compdef() { }; compadd() { shift; printf '%s ' $@ }; _files() { echo files }", "words=(tolero plan -o k); CURRENT=4; _tolero", "kubectl"},
		{"zsh", "compdef() { }; compadd() { shift; printf '%s ' $@ }; _files() { echo files }", "words=(tolero why -n); CURRENT=3; _tolero", "-n -namespace -node"},
		{"zsh", "compdef() { }; compadd() { shift; printf '%s ' $@ }; _files() { echo files }", "words=(tolero why -f ''); CURRENT=4; _tolero", "files"},
		{"zsh", "autoload -Uz compinit; compinit -D", "echo $_comps[tolero]", "_tolero"},
		{"fish", "", "complete -C 'tolero plan -o k'", "kubectl"},
		{"fish", "", "complete -C 'tolero why -n'", "-n -namespace -node"},
		{"fish", "", "complete -C 'tolero '", names()},
		{"fish", "cd /usr", "complete -C 'tolero why -f bi'", "bin/"},
	} {
		t.Run(c.shell, func(t *testing.T) {
			install(t, "tolero")
			t.Setenv("HOME", t.TempDir())
			shell, err := exec.LookPath(c.shell)
			if err != nil {
				t.Skip(err)
			}
			status, script, _ := tolero("completion", c.shell)
			if status != command.Success {
				t.Fatalf("status %d", status)
			}
			file := filepath.Join(t.TempDir(), "script")
			if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
				t.Fatal(err)
			}
			run := exec.Command(shell, "-c", c.before+"\nsource "+file+"\n"+c.line)
			output, err := run.CombinedOutput()
			if got := strings.Join(strings.Fields(string(output)), " "); got != c.want || err != nil {
				t.Errorf("%s: got %s, %v, want %s", c.line, output, err, c.want)
			}
		})
	}
	if status, _, stderr := tolero("completion", "csh"); status != command.Trouble || stderr != "tolero completion: unknown shell \"csh\"; there are bash, zsh and fish\n" {
		t.Errorf("%d, %s", status, stderr)
	}
}

// Under the names by which kubectl finds plugins and what completes for them the program is a
// plugin.
func TestPlugin(t *testing.T) {
	folder := install(t, "tolero", "kubectl-tolero", "kubectl_complete-tolero")
	t.Setenv("PATH", folder) // without kubectl
	for line, want := range map[string]string{
		"tolero lint -strict":                "real lists",
		"kubectl-tolero":                     "tolero: kubectl is not on the PATH",
		"kubectl-tolero why -o json":         "tolero why: kubectl is not on the PATH",
		"kubectl-tolero -f none":             "tolero: open none",
		"kubectl_complete-tolero lint -lim":  "-limit\n:4\n",
		"kubectl_complete-tolero ma":         "matrix\n:4\n",
		"kubectl-tolero __complete lint -li": "-limit\n:4\n",
	} {
		words := strings.Fields(line)
		output, _ := exec.Command(words[0], words[1:]...).CombinedOutput()
		if !strings.Contains(string(output), want) {
			t.Errorf("%s: %s, want %s", line, output, want)
		}
	}
}

// The release that the version tells is the one of the rules.
func TestVersion(t *testing.T) {
	text, err := os.ReadFile("../../match/SEMANTICS.md")
	if err != nil {
		t.Fatal(err)
	}
	if _, stdout, _ := tolero("-version"); !strings.Contains(stdout, "The rules are those of Kubernetes "+kubernetes+";") || !strings.Contains(string(text), "Reference behavior is that of Kubernetes "+kubernetes+":") {
		t.Errorf("%s", stdout)
	}
	commit = "0123abc"
	defer func() { commit = "" }()
	if _, stdout, _ := tolero("version"); !strings.Contains(stdout, ", commit 0123abc, "+runtime.Version()) {
		t.Errorf("with a commit: %s", stdout)
	}
}
