package word

import "strings"

// slips are words that occur in real manifests in place of the right ones, besides
// those in the wrong case.
var slips = map[string]string{
	"operation": "operator",
	"Equals":    "Equal", "Exist": "Exists",
	"NoSchedules": "NoSchedule", "NotSchedule": "NoSchedule",
	"PreferredNoSchedule": "PreferNoSchedule", "NoExecutes": "NoExecute",
}

// Meant returns which of the known words s was probably meant to be, as the end of a
// message such as " (is NoSchedule meant? Case matters)". It returns nothing if s is
// one of them, or like none of them: the empty string is like none. It compares words
// without regard to case, and knows a few slips that occur in real manifests, such as
// "Equals". It does not allocate unless there is something to tell.
func Meant[S ~string](s S, known ...S) string {
	for _, k := range known {
		switch {
		case s == k:
		case strings.EqualFold(string(s), string(k)):
			return " (is " + string(k) + " meant? Case matters)"
		case k != "" && slips[string(s)] == string(k):
			return " (is " + string(k) + " meant?)"
		}
	}
	return ""
}
