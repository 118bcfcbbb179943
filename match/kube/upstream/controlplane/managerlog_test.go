package main

import (
	"testing"
	"time"
)

func TestParseEntry(t *testing.T) {
	now := time.Date(2026, 3, 4, 0, 0, 0, 0, time.Local)
	e, ok := parseEntry(`I0102 15:04:05.250000    4711 timed_workers.go:136] "Adding \"x\"" item="default/a" zone=":\x00:a" n=3 createTime="2026-01-02 15:04:05.000000001 +0000 UTC m=+7.5"`+"\n", now)
	if !ok || e.text != `Adding "x"` || e.value("item") != "default/a" || e.value("zone") != ":\x00:a" || e.value("n") != "3" || e.value("tem") != "" {
		t.Errorf("%+v, %t", e, ok)
	}
	if want := time.Date(2026, 1, 2, 15, 4, 5, 250e6, time.Local); !e.at.Equal(want) {
		t.Errorf("%v", e.at)
	}
	if created, err := e.instant("createTime"); err != nil || !created.Equal(at(0).Add(1)) {
		t.Errorf("%v, %v", created, err)
	}
	for _, line := range []string{"", "Flag --x has been deprecated", `I0102 15:04:05.250000    4711 x.go:1] no quotes`, `Ixx02 15:04:05.250000 4711 x.go:1] "x"`} {
		if e, ok := parseEntry(line, now); ok {
			t.Errorf("%q: %+v", line, e)
		}
	}
}
