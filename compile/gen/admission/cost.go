package admission

import (
	"fmt"

	"github.com/tolero-dev/tolero/taint"
)

const (
	// costLimit is what the API server spends on one expression. A request that would cost more
	// is refused, so a policy must not need it for any list that somebody has.
	costLimit = 1_000_000
	// length is that of the longest list that is sure to be evaluated. Policies cost far less than
	// the estimate, so most evaluate lists that are longer.
	length = 100
)

// cost returns a bound on what an expression of tests costs for a list of that length, in the units
// of CEL. A test costs less the shorter it is, and so does a comparison with a string: half a unit for each
// character is more than the API server estimates, as tests show.
func cost(expression string) int { return length * len(expression) / 2 }

// checkSize returns an error if the API server might not evaluate what a field has become.
func (s *policySpec) checkSize() error {
	var errs taint.FieldErrors
	for i, field := range s.fields {
		if n := cost(s.Variables[len(s.Variables)-len(s.fields)+i].Expression); n > costLimit {
			errs.Add("spec."+field, "too long", fmt.Sprintf("about %d units of cost", n),
				fmt.Sprintf("must be at most %d, which the API server spends on one expression, for pods with %d tolerations", costLimit, length))
		}
	}
	return errs.Err()
}
