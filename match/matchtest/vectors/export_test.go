package vectors

import "time"

// SetPatience sets the time after which a program is suspected to read to the end, and
// returns what it was.
func SetPatience(d time.Duration) (was time.Duration) {
	was, patience = patience, d
	return was
}
