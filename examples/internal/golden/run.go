package golden

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/command"
)

// Run runs a command with a clock that advances by a millisecond each time it is asked. It
// returns the exit status and what was written; each error is on one line.
func Run(c *command.Command, stdin string, args ...string) (status int, stdout, stderr string) {
	var out, errors bytes.Buffer
	clock := time.Unix(0, 0)
	p := &command.Program{Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errors, Now: func() time.Time {
		clock = clock.Add(time.Millisecond)
		return clock
	}}
	status = c.Do(p, args)
	return status, out.String(), Unwrapped(errors.String())
}

// Result returns the result in the envelope of JSON that a command printed, or nothing.
func Result(stdout string) []byte {
	var envelope struct{ Result json.RawMessage }
	_ = json.Unmarshal([]byte(stdout), &envelope)
	return envelope.Result
}
