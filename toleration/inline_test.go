package toleration_test

import (
	"os/exec"
	"strings"
	"testing"
)

// The loops over lists are fast because the compiler inlines Tolerates into them, here
// and on other types Holds. A little more code in either, and it does not.
func TestToleratesIsInlined(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go command to ask")
	}
	output, err := exec.Command(goTool, "build", "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	for _, function := range []string{"(*Toleration).Tolerates", "Rules.Holds"} {
		if !strings.Contains(string(output), "can inline "+function+"\n") {
			t.Errorf("the compiler does not inline %s:\n%s", function, output)
		}
	}
}
