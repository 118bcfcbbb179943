// Package vectors tests a program in any language against Kubernetes' rules for taints
// and tolerations, with cases that are data.
//
// The cases are JSON files in the folder of a Kubernetes release: [Load] reads them.
// Each has a question, whose input is made of Kubernetes objects, the answer, and the
// reason for it. The answers are this library's, and were compared with those of the
// released modules of that Kubernetes (match/kube/upstream). README.md says which folder
// has which questions, and how to write a program that answers, for authors in every
// language; the command checkvectors runs one. A Go matcher needs neither:
//
//	cases, err := vectors.Load("1.37")
//	report := vectors.Run(cases, vectors.Options{}, func(q vectors.Question) (json.RawMessage, error) {
//		if q.Ask != "tolerates" {
//			return nil, vectors.ErrUnsupported
//		}
//		... read q.Input, answer ...
//	})
//	if !report.OK() {
//		report.WriteText(os.Stderr)
//	}
//
// Package matchtest tests Go matchers harder, with generated inputs.
//
// # Input and concurrency
//
// [Run] and [Drive] work in one goroutine at a time and call back in it. What a program
// prints is bounded and never trusted. Rule numbers refer to match/SEMANTICS.md.
package vectors

//go:generate go run ./internal/generate
