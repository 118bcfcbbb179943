package toleration

import "github.com/tolero-dev/tolero/taint"

// Covers reports whether t makes u redundant: whether t tolerates every taint
// that u tolerates and, where both tolerate a NoExecute taint, for at least as
// long. It is exact, for invalid tolerations too: what matches nothing is
// covered by everything, and of Gt and Lt the ranges are compared. Every
// toleration covers itself.
//
// The PodTolerationRestriction admission plugin has a test of its own, which
// differs (rule A5); it is UpstreamIsSuperset in package admit.
func (t *Toleration) Covers(u *Toleration) bool {
	uv := u.values()
	switch {
	case uv.kind == noValue:
		return true
	case t.Key != "" && t.Key != u.Key, t.Effect != "" && t.Effect != u.Effect:
		return false
	}
	return t.values().contains(uv) && (!u.evicting() || !u.outlasts(t))
}

// Overlaps reports whether some taint is tolerated by both t and u. It is
// exact, for invalid tolerations too.
func (t *Toleration) Overlaps(u *Toleration) bool {
	sameKey := t.Key == "" || u.Key == "" || t.Key == u.Key
	sameEffect := t.Effect == "" || u.Effect == "" || t.Effect == u.Effect
	return sameKey && sameEffect && t.values().intersects(u.values())
}

// evicting reports whether t can tolerate a NoExecute taint, so that its
// seconds count.
func (t *Toleration) evicting() bool {
	return t.Effect == "" || t.Effect == taint.NoExecute
}

// outlasts reports whether t tolerates for longer than u. Zero and negative
// seconds are all the same: not at all (rule E2). So are all seconds that are cut
// to the longest time (rule E3).
func (t *Toleration) outlasts(u *Toleration) bool {
	return t.level() > u.level()
}
