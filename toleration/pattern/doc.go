// Package pattern writes tolerations for what the API has no operator for: keys with a
// prefix, several values, and ranges of numbers.
//
//	spot := pattern.Pattern{KeyPrefix: "spot.example.com/", Effect: taint.NoSchedule}
//	least, most := int64(8), int64(64)
//	big := pattern.Pattern{Key: "cores", AtLeast: &least, AtMost: &most}
//	e, err := pattern.Expand([]pattern.Pattern{spot, big}, liveTaints, 50)
//	pod.Tolerations = append(pod.Tolerations, e.Tolerations()...)
//
// A [Pattern] is expanded over the taints that a fleet has, its live taints. The result is
// plain tolerations. Of the live taints with a key, they match exactly those that the
// patterns match ([Pattern.Matches]), and they match no taint with another key or without
// one. As keys come and go, expand again: package taint/reconcile turns the difference into
// changes of a pod's list, as far as the API allows them.
//
// What is written depends on the pattern:
//
//	values        toleration of each matching live key           exact for
//	any           Exists                                         all its values
//	a list        Equal, for each value                          all its values
//	from, or to   Gt, or Lt, if the cluster has them             all its values
//	              else Equal, for each live value in the range   its live values
//	from and to   Equal, for each live value in the range        its live values
//
// Nothing panics. Live taints may be invalid and many; the work is n log n steps in the
// number of taints and what they give, for each pattern. The package retains nothing; a
// result shares strings and seconds with the patterns and the taints. All functions may be
// called concurrently.
package pattern
