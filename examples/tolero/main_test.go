package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/golden"
	"github.com/tolero-dev/tolero/match/lint"
)

// tolero runs the program.
func tolero(args ...string) (status int, stdout, stderr string) {
	var out, errors bytes.Buffer
	status = run(&command.Program{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errors, Now: time.Now}, args)
	return status, out.String(), golden.Unwrapped(errors.String())
}

// A command is found by its name, and status needs none.
func TestCommands(t *testing.T) {
	_, overview, _ := tolero("-h")
	for args, want := range map[string]string{
		"":              "A built-in cluster (tolero -f FILE for yours), 5 nodes and 4 pods.\n",
		"status":        "A built-in cluster (tolero -f FILE for yours), 5 nodes and 4 pods.\n",
		"-o json":       "{\n \"version\": 1,\n \"command\": \"status\",\n",
		"why -o json":   "{\n \"version\": 1,\n \"command\": \"why\",\n",
		"why gpu -h":    "Why a pod is pending",
		"help":          overview,
		"--help":        overview,
		"help plan":     "What a change of taints would do",
		"help -o":       "tolero: unknown command \"-o\"; tolero -h lists the commands\n",
		"README.md":     "tolero: unknown command \"README.md\"; to read the file: tolero -f README.md\n",
		"explain":       "tolero: unknown command \"explain\"; tolero -h lists the commands\n",
		"-no-such-flag": "tolero: flag provided but not defined: -no-such-flag\ntolero -h tells more\n",
	} {
		status, stdout, stderr := tolero(strings.Fields(args)...)
		if text := stdout + stderr; !strings.HasPrefix(text, want) || (status == command.Success) != (stderr == "") || status != 0 && status != command.Trouble {
			t.Errorf("%s: status %d, %q, %q; want %q", args, status, stdout, stderr, want)
		}
	}
	for _, c := range commands {
		if !strings.Contains(overview, c.Name) || c.Summary == "" || c.Examples == "" {
			t.Errorf("the overview does not tell of %s, or it has no examples", c.Name)
		}
		for line := range strings.Lines(c.Help()) {
			if len(line) > 128 {
				t.Errorf("%s: a line of %d columns: %s", c.Name, len(line), line)
			}
		}
	}
}

// The help of a command tells of each of its flags.
func TestHelp(t *testing.T) {
	known := regexp.MustCompile(`provided but not defined`)
	for _, c := range commands {
		for _, name := range regexp.MustCompile(`(?m)^  (-[a-z-]+)`).FindAllStringSubmatch(c.Help(), -1) {
			if _, _, stderr := tolero(c.Name, name[1], "0", "-o", "none"); known.MatchString(stderr) {
				t.Errorf("%s: the help tells of %s, and there is no such flag", c.Name, name[1])
			}
		}
	}
}

// The README shows what the program prints, and tells of every command and finding.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for block := range strings.SplitSeq(string(text), "    $ tolero ") {
		if shown++; shown == 1 {
			continue
		}
		line, rest, _ := strings.Cut(block, "\n")
		var want strings.Builder
		for line := range strings.Lines(rest) {
			if line != "\n" && !strings.HasPrefix(line, "    ") {
				break
			}
			want.WriteString(strings.TrimPrefix(line, "    "))
		}
		var args []string
		for i, word := range strings.Split(line, "'") {
			if i%2 == 1 {
				args = append(args, word)
			} else {
				args = append(args, strings.Fields(word)...)
			}
		}
		if _, stdout, stderr := tolero(args...); !strings.HasPrefix(stdout, strings.TrimSpace(want.String())) {
			t.Errorf("tolero %s prints\n%s%s\nwant\n%s", line, stdout, stderr, &want)
		}
	}
	if shown < 4 {
		t.Errorf("it shows %d commands", shown-1)
	}
	for _, c := range commands[1:] {
		if !bytes.Contains(text, []byte("`tolero "+c.Name)) {
			t.Errorf("it does not tell of %s", c.Name)
		}
	}
	for _, id := range lint.IDs() {
		if !bytes.Contains(text, []byte("`"+string(id)+"` | "+id.Severity().String()+" |")) {
			t.Errorf("it does not tell of %s, or of another severity", id)
		}
	}
}

// main runs the program with the arguments of the process.
func TestMainFunction(t *testing.T) {
	const child = "TOLERO_MAIN"
	if os.Getenv(child) != "" {
		os.Args = []string{"tolero", "-no-such-flag"}
		main() // it exits
	}
	run := exec.Command(os.Args[0], "-test.run=^TestMainFunction$")
	run.Env = append(os.Environ(), child+"=1")
	output, err := run.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.HasPrefix(string(output), "tolero: flag provided but not defined: -no-such-flag\n") {
		t.Errorf("%v, %q", err, output)
	}
}
