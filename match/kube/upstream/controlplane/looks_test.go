package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/taint/lifecycle"
)

func TestLooks(t *testing.T) {
	if l := (looks{at(0), at(1.05), at(2.1), at(13.65)}).filled(time.Second); len(l) != 14 {
		t.Errorf("%d looks, eleven of them 1.05 s apart, not 14", len(l))
	}
	l := looks{at(0), at(1.01), at(4.04), at(5.05)}.filled(time.Second)
	if len(l) != 6 || l[2].Sub(at(2.02)).Abs() > time.Microsecond || l[3].Sub(at(3.03)).Abs() > time.Microsecond {
		t.Fatalf("%v", l)
	}
	for _, test := range []struct{ seconds, number float64 }{{0, 0}, {0.505, 0.5}, {2.525, 2.5}, {5.05, 5}, {5.05 + 1.005, 6}, {-2.01, -2}} {
		if got := l.number(at(test.seconds), time.Second); math.Abs(got-test.number) > 1e-6 {
			t.Errorf("%v s have the number %v, not %v", test.seconds, got, test.number)
		}
		if got := l.at(test.number, time.Second); got.Sub(at(test.seconds)).Abs() > time.Microsecond {
			t.Errorf("number %v is at %v, not %v s", test.number, got.Sub(epoch), test.seconds)
		}
	}
}

func TestLooksWith(t *testing.T) {
	found := func(seconds float64) entry { return entry{at: at(seconds), text: "Controller observed a new Node"} }
	log := []entry{found(-3), found(-2.999), {at: at(-1), text: "Something else"}, found(2.001)}
	l := looks{at(1), at(2)}.with(log, time.Second)
	if len(l) != 3 || !l[0].Equal(at(-3)) || !l[1].Equal(at(1)) || !l[2].Equal(at(2)) {
		t.Errorf("%v", l)
	}
}

func TestLooksScaled(t *testing.T) {
	c := looks{at(0), at(1.1), at(2.2)}.scaled(lifecycle.Config{MonitorPeriod: time.Second, GracePeriod: 11 * time.Second, Rate: 1})
	if c.GracePeriod.Round(time.Millisecond) != 10*time.Second || c.Rate < 1.099 || c.Rate > 1.101 {
		t.Errorf("%+v", c)
	}
}

func TestReadLooks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit.log")
	const log = `{"objectRef":{"name":"a0"},"requestReceivedTimestamp":"2026-01-02T15:04:05.000000Z"}
{"objectRef":{"name":"canary"},"requestReceivedTimestamp":"2026-01-02T15:04:05.500000Z"}
{"objectRef":{"name":"canary"},"requestRec`
	if err := os.WriteFile(file, []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := readLooks(file)
	if err != nil || len(l) != 1 || !l[0].Equal(at(0.5)) {
		t.Errorf("%v, %v", l, err)
	}
}
