package toleration_test

import (
	"os/exec"
	"strings"
	"testing"
)

// The loops over lists are fast because the compiler inlines Tolerates into
// them. A little more code in it, and it does not.
func TestToleratesIsInlined(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go command to ask")
	}
	output, err := exec.Command(goTool, "build", "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	if !strings.Contains(string(output), "can inline (*Toleration).Tolerates") {
		t.Errorf("the compiler does not inline Tolerates:\n%s", output)
	}
}
