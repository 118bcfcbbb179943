package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// Event is what kubectl says of an object of a kind. Without a Type it begins with all objects
// anew.
type Event struct {
	Kind   string
	Err    error           `json:"-"`    // why it begins anew, if it is known
	Type   string          `json:"type"` // such as DELETED
	Object json.RawMessage `json:"object"`
}

// The pauses before kubectl runs again. The next one is twice as long until it says something.
var shortest, longest = time.Second, 30 * time.Second

// Watch runs kubectl get --watch for a kind until ctx ends, and hands over what it says: first
// all objects. When kubectl ends, as it does when the API server has watched for long enough, it
// is run again. It is an error if the first one fails with nothing said.
func (o *Options) Watch(ctx context.Context, kind string, hand func(Event)) error {
	untimed := *o
	untimed.Timeout = 0 // there may be nothing to say
	pause, said, err := shortest, false, error(nil)
	for worked := false; ; {
		hand(Event{Kind: kind, Err: err})
		said, err = untimed.watchOnce(ctx, kind, hand)
		switch worked = worked || said || err == nil; {
		case ctx.Err() != nil:
			return nil
		case !worked:
			return fmt.Errorf("kubectl get %s: %w", kind, err)
		case said:
			pause = shortest
		}
		select {
		case <-ctx.Done(): // kubectl may have heard of the interrupt first
			return nil
		case <-time.After(pause):
		}
		pause = min(2*pause, longest)
	}
}

// watchOnce runs kubectl, and reports whether it said anything.
func (o *Options) watchOnce(ctx context.Context, kind string, hand func(Event)) (said bool, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	c, err := o.start(ctx, kind, "--watch", "--output-watch-events")
	if err != nil {
		return false, err
	}
	for decoder := json.NewDecoder(c); ; {
		e := Event{Kind: kind}
		if err = decoder.Decode(&e); err != nil || e.Type == "ERROR" {
			break
		}
		said = true
		hand(e)
	}
	if errors.Is(err, io.EOF) {
		return said, c.end()
	}
	stop()
	_ = c.end()
	return said, cmp.Or(err, errors.New("the API server has ended the watch"))
}
