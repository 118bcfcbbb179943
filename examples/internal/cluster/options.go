// Package cluster reads the user's cluster by running kubectl get, with the user's own
// configuration. It links no client library, writes nothing, and asks for no kind that a command
// does not need.
package cluster

import (
	"flag"
	"time"
)

// Options say which cluster to read. The zero Options is the one that kubectl reads, without a
// limit of time.
type Options struct {
	Wanted                         bool // one of the flags is given
	Context, Namespace, Kubeconfig string
	Timeout                        time.Duration // for kubectl to begin or to go on; 0 is no limit
}

// Flags adds the flags that fill o.
func (o *Options) Flags(flags *flag.FlagSet) {
	o.Timeout = 2 * time.Minute
	flags.BoolVar(&o.Wanted, "cluster", false, "")
	for name, to := range map[string]*string{"context": &o.Context, "namespace": &o.Namespace, "n": &o.Namespace, "kubeconfig": &o.Kubeconfig} {
		flags.Func(name, "", func(value string) error { *to, o.Wanted = value, true; return nil })
	}
	flags.DurationVar(&o.Timeout, "timeout", o.Timeout, "")
}

// Help says what the flags mean.
const Help = `  -cluster     read your cluster: run kubectl get for the kinds that the answer needs. So do
               the next four, and without -f the program under the name kubectl-tolero
  -context NAME, -kubeconfig FILE, -namespace NAME or -n NAME
               as for kubectl; without a namespace all of them are read
  -timeout D   how long to wait for kubectl, 0 for ever (2m)
`

// Name is how answers call the cluster.
func (o *Options) Name() string {
	if o.Context != "" {
		return "the cluster of context " + o.Context
	}
	return "the cluster"
}

// args are the arguments with which kubectl gets the objects of a kind.
func (o *Options) args(kind string) []string {
	args := []string{"get", kind, "--output=json"}
	if o.Context != "" {
		args = append(args, "--context="+o.Context)
	}
	if o.Kubeconfig != "" {
		args = append(args, "--kubeconfig="+o.Kubeconfig)
	}
	if o.Namespace != "" {
		return append(args, "--namespace="+o.Namespace)
	}
	return append(args, "--all-namespaces")
}
