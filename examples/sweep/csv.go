package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"time"
)

var csvHeader = []string{
	"pods", "first_pod", "tolerations", "free", "avoid", "refused", "evict_now", "evict_after", "evict_after_delays",
	"reasons", "other_taints", "other_nodes", "bound_pods", "bound_evict_now", "bound_evict_after",
}

// writeCSV writes one record for each toleration list. In columns that hold a
// list, the items are separated by "; ".
func (r *report) writeCSV(out *bytes.Buffer) error {
	w := csv.NewWriter(out)
	w.Write(csvHeader) // errors stay with the writer
	for i := range r.rows {
		row := &r.rows[i]
		var delays, reasons []string
		for _, q := range row.evictAfter {
			delays = append(delays, fmt.Sprintf("%s: %d", time.Duration(q.of), q.n))
		}
		for _, reason := range row.reasons {
			reasons = append(reasons, reason.String())
		}
		record := []string{number(row.pods), row.name, row.text}
		for _, n := range []int64{row.free, row.avoid, row.refused, row.evictNow, row.later()} {
			record = append(record, number(n))
		}
		record = append(record, strings.Join(delays, "; "), strings.Join(reasons, "; "))
		bound := row.bound.free + row.bound.avoid + row.bound.refused
		for _, n := range []int64{row.others.taints, row.others.nodes, bound, row.bound.evictNow, row.bound.later()} {
			record = append(record, number(n))
		}
		w.Write(record)
	}
	w.Flush()
	return w.Error()
}

func number(n int64) string { return strconv.FormatInt(n, 10) }
