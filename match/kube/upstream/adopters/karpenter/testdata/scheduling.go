package scheduling

import "testing"

// TestToleroTurns asks about each pair, before and after: the texts of the errors have to
// be the same.
func TestToleroTurns(t *testing.T) {
	toleroTurns(t, "Taints.Tolerates",
		func(p *toleroPair) error { return Taints(p.taints).ToleratesBefore(p.tolerations) },
		func(p *toleroPair) error { return Taints(p.taints).Tolerates(p.tolerations) })
}
