package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/progress"
)

// Unread is what could not be read of the cluster, and why.
type Unread struct {
	Kind   string `json:"kind"`
	Reason string `json:"reason"`
}

// Read runs kubectl get for all kinds at the same time, and has read read what they print, one
// kind after the other in that order. What it runs it tells, and how far it is it shows on w. A
// kind that the cluster does not have, has no objects.
//
// Kinds that kubectl cannot get are returned. It is an error if there is nothing else, and if
// the output of kubectl ends in its midst or read fails: a part of the nodes would give wrong
// answers.
func (o *Options) Read(w io.Writer, kinds []string, tell func(string), read func(name string, r io.Reader) error) ([]Unread, error) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var calls []*call
	defer func() {
		stop()
		for _, c := range calls {
			_ = c.end() // those that an error has left
		}
	}()
	for _, kind := range kinds {
		c, err := o.start(ctx, kind)
		if err != nil {
			return nil, err
		}
		tell(strings.Join(c.cmd.Args, " "))
		calls = append(calls, c)
	}
	var unread []Unread
	came := false
	for len(calls) > 0 {
		c := calls[0]
		calls = calls[1:]
		reason, err := c.readAll(w, read)
		switch {
		case err != nil:
			return nil, err
		case reason == "":
			came = true
		case strings.Contains(reason, "the server doesn't have a resource type"):
			tell("the cluster has no " + c.kind)
		case o.Namespace == "" && strings.Contains(reason, "at the cluster scope") && c.kind == "pods":
			reason += "; -namespace NAME reads one namespace"
			fallthrough
		default:
			unread = append(unread, Unread{c.kind, reason})
		}
	}
	if !came {
		return nil, nothing(unread)
	}
	if o.Namespace != "" {
		unread = append(unread, Unread{"pods", "those of other namespaces than " + o.Namespace + "; nodes may have less free than is told"})
	}
	return unread, nil
}

// nothing returns why nothing was read.
func nothing(unread []Unread) error {
	var all []error
	for _, u := range unread {
		all = append(all, fmt.Errorf("kubectl get %s: %s", u.Kind, u.Reason))
	}
	if len(unread) > 0 && !slices.ContainsFunc(unread, func(u Unread) bool { return u.Reason != unread[0].Reason }) { // there is no connection, for example
		return fmt.Errorf("kubectl: %s", unread[0].Reason)
	}
	return errors.Join(all...)
}

// readAll has read read what kubectl prints. It returns why kubectl could not get the kind, or
// an error if it printed a part.
func (c *call) readAll(w io.Writer, read func(name string, r io.Reader) error) (string, error) {
	name := "kubectl get " + c.kind
	bar := progress.Start(w, name, progress.Unknown)
	defer bar.Stop()
	none := c.empty()
	var reading error
	if !none {
		reading = read(name, bar.Reader(c))
	}
	ended := c.end()
	switch {
	case none && ended == nil:
		return "", fmt.Errorf("%s printed nothing", name)
	case ended != nil && reading != nil:
		return "", fmt.Errorf("%w (%v)", ended, reading)
	case ended != nil:
		return ended.Error(), nil
	}
	return "", reading
}
