package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/tolero-dev/tolero/taint/lifecycle"
)

// trace is everything that is known of a run of kube-controller-manager.
type trace struct {
	config lifecycle.Config
	acts   []act
	looks  looks
	seen   []sighting
	log    []entry
	end    time.Time
}

// judge compares what was predicted with what was seen, and prints what was compared.
func judge(t *trace) error {
	nodes, err := predictNodes(t.looks.scaled(t.config), t.acts, t.looks, t.end)
	if err != nil {
		return err
	}
	pods, err := seenPods(t.seen, t.log)
	if err != nil {
		return err
	}
	var faults []error
	for _, c := range []struct {
		name            string
		predicted, seen []fact
		within          bounds
	}{
		{"taint/lifecycle: nodes tainted and zones disrupted", nodes, seenNodes(t.seen, t.log), ofNodes},
		{"match/evict: pods of tainted nodes", predictPods(t.seen, t.end), pods, inTime},
		{"match/device/evict: pods with tainted devices, rules' conditions", predictDevices(t.seen, t.end), seenDevices(t.seen, t.log, t.end), inTime},
	} {
		a, err := agree(c.predicted, c.seen, c.within)
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", c.name, err))
			continue
		}
		fmt.Printf("%s: %v\n", c.name, a)
		if err := enough(c.predicted); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", c.name, err))
		}
	}
	return errors.Join(faults...)
}

// enough returns an error if next to nothing was predicted: then agreement says nothing.
func enough(predicted []fact) error {
	kinds := make(map[string]int)
	for _, f := range predicted {
		kinds[f.what]++
	}
	if len(predicted) < 15 || len(kinds) < 5 {
		return fmt.Errorf("only %d facts of %d kinds", len(predicted), len(kinds))
	}
	return nil
}
