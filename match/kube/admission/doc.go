// Package admission is a webhook for tolerations: http.Handlers that answer the
// AdmissionReviews of a kube-apiserver, for clusters in which a ValidatingAdmissionPolicy or
// the plugin PodTolerationRestriction cannot be had.
//
//	mux := http.NewServeMux()
//	mux.Handle("/validate", admission.Validate(func(r *v1.AdmissionRequest, list []toleration.Toleration) error {
//		return policies.Check(r.Namespace, list)
//	}))
//	mux.Handle("/mutate", admission.Mutate(func(r *v1.AdmissionRequest) admit.Part {
//		return admit.Restriction{Defaults: defaults[r.Namespace], Exact: true}
//	}))
//	server := &http.Server{Addr: ":8443", Handler: mux, ReadHeaderTimeout: 10 * time.Second}
//	err := server.ListenAndServeTLS("tls.crt", "tls.key")
//
// The program in the folder webhook is that and a certificate.
//
// # What is answered
//
// A webhook is asked about pods and about the objects that have the template of a pod:
// PodTemplates, ReplicationControllers, ReplicaSets, Deployments, DaemonSets, StatefulSets,
// Jobs and CronJobs, in whatever version. [Validate] looks at all of them, so that the
// author of a Deployment hears of a fault before its pods are missing; [Mutate] looks at
// pods only, because a pod made from a template gets its defaults when it is made.
//
// Nothing but the tolerations is looked at, so a request for a subresource, such as status
// or scale, is allowed, as are DELETE and CONNECT. An update is judged by the tolerations
// that the object did not have before, seconds included: an object from before the policy can
// still get a label, and lose a finalizer or a toleration. A kind that is not in the list
// above is an error: the configuration of the webhook asks too much.
//
// The pods of DaemonSets, and most others, get tolerations that nobody wrote (package admit).
// Allow those in the policy.
//
// Check functions are given every operator. A policy with the Rules of a default cluster
// ignores Gt and Lt, so a pod with them slips through where the feature gate
// TaintTolerationComparisonOperators is on. Give the policy the Rules of your cluster. If you
// do not know them, set Comparisons: what is denied is then denied in both kinds.
//
// # Errors
//
// A list that is refused gets a response with code 403 and a message that begins with the
// path to the pod's spec. Where its index counts the new tolerations of an update only, it
// says so. An object that cannot be read gets one with code 400, which names the field. What
// is no review at all gets an HTTP status of 400 (no JSON, another
// version than admission.k8s.io/v1, no request, no uid), 405 (not POST), 408 (the body
// took more than ten seconds), 413 (more than 8 MiB, which is twice the largest object
// and some) or 415 (no JSON by its Content-Type), and a text that says why. The
// failurePolicy of the webhook decides then what becomes of the request.
//
// # Concurrency
//
// Handlers have no state and may be called concurrently, as may the functions that they are
// made of, which must allow it. They write to nothing but the response, so that a dry run
// needs no care (sideEffects: None).
//
// The form of a review is that of Kubernetes' admission.k8s.io/v1.
package admission
