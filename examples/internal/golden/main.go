package golden

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// CheckMain runs main in a process of its own, with an argument that the program of that
// name does not have. It fails the test unless the program says so with the exit status 2.
func CheckMain(t *testing.T, main func(), name string) {
	t.Helper()
	const child, argument = "TOLERO_EXAMPLE_MAIN", "-no-such-flag"
	if os.Getenv(child) != "" {
		os.Args = []string{name, argument}
		main() // it exits
		return
	}
	run := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	run.Env = append(os.Environ(), child+"=1")
	output, err := run.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.HasPrefix(string(output), name+": flag provided but not defined: "+argument+"\n") {
		t.Errorf("%v, %q", err, output)
	}
}
