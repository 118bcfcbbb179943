package bits_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile/internal/bits"
)

type id uint16

var ids = rapid.Map(rapid.Uint16Range(0, 300), func(n uint16) id { return id(n) })

// model is a set as a map.
type model map[id]bool

func draw(t *rapid.T, label string) (*bits.Set[id], *bits.Blocks[id], model) {
	var s bits.Set[id]
	var b bits.Blocks[id]
	m := model{}
	for range rapid.IntRange(0, 60).Draw(t, label) {
		n := ids.Draw(t, "id")
		if rapid.IntRange(0, 3).Draw(t, "remove") == 0 {
			s.Remove(n)
			b.Remove(n)
			delete(m, n)
			continue
		}
		s.Add(n)
		b.Add(n)
		m[n] = true
	}
	return &s, &b, m
}

func (m model) check(t *rapid.T, what string, s *bits.Set[id]) {
	t.Helper()
	want := slices.Sorted(maps.Keys(m))
	if got := slices.Collect(s.All()); !slices.Equal(got, want) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
}

func TestSetsAgreeWithMaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, aBlocks, inA := draw(t, "a")
		b, bBlocks, inB := draw(t, "b")
		inA.check(t, "a", a)
		if aBlocks.Empty() != (len(inA) == 0) {
			t.Fatalf("blocks are empty: %v", aBlocks.Empty())
		}
		var blocks bits.Set[id]
		aBlocks.AddTo(&blocks)
		inA.check(t, "the blocks of a", &blocks)

		var c bits.Set[id]
		c.CopyFrom(a)
		c.And(b)
		both := maps.Clone(inA)
		maps.DeleteFunc(both, func(n id, _ bool) bool { return !inB[n] })
		both.check(t, "a and b", &c)

		c.CopyFrom(a)
		c.AndNot(b)
		rest := maps.Clone(inA)
		maps.DeleteFunc(rest, func(n id, _ bool) bool { return inB[n] })
		rest.check(t, "a and not b", &c)

		c.CopyFrom(a)
		c.Clear()
		model{}.check(t, "nothing", &c)
		aBlocks.AddTo(&c)
		inA.check(t, "blocks of a", &c)
		bBlocks.AddTo(&c)
		either := maps.Clone(inA)
		maps.Copy(either, inB)
		either.check(t, "blocks of a and b", &c)
		inA.check(t, "a after all", a)
	})
}

// Blocks have exactly what was added and not removed, whichever words become empty.
func TestBlocksLeftOver(t *testing.T) {
	universe := []id{0, 1, 63, 64, 65, 128, 192}
	for added := range 1 << len(universe) {
		for removed := range 1 << len(universe) {
			var b bits.Blocks[id]
			var want []id
			for i, n := range universe {
				if added>>i&1 != 0 {
					b.Add(n)
				}
			}
			for i, n := range universe {
				if removed>>i&1 != 0 {
					b.Remove(n)
				} else if added>>i&1 != 0 {
					want = append(want, n)
				}
			}
			var s bits.Set[id]
			b.AddTo(&s)
			if got := slices.Collect(s.All()); !slices.Equal(got, want) || b.Empty() != (len(want) == 0) {
				t.Fatalf("%b without %b: %v, want %v", added, removed, got, want)
			}
		}
	}
}

func TestLargeIDs(t *testing.T) {
	var s bits.Set[id]
	var b bits.Blocks[id]
	want := []id{1024, 65535}
	for _, n := range want {
		s.Add(n)
		b.Add(n)
	}
	var c bits.Set[id]
	b.AddTo(&c)
	for _, s := range []*bits.Set[id]{&s, &c} {
		if got := slices.Collect(s.All()); !slices.Equal(got, want) {
			t.Errorf("the set has %d, want %d", got, want)
		}
	}
}

func TestAllStopsEarly(t *testing.T) {
	var s bits.Set[id]
	s.Add(3)
	s.Add(200)
	for n := range s.All() {
		if n != 3 {
			t.Errorf("the first is %d", n)
		}
		break
	}
}

// The loops of And and AndNot have no bounds checks. Add has one, which shows that
// the compiler would say so.
func TestLoopsHaveNoBoundsChecks(t *testing.T) {
	if os.Getenv("TOLERO_LONG") == "" {
		t.Skip("builds a program: with TOLERO_LONG=1")
	}
	out, err := exec.Command("go", "test", "-c", "-o", os.DevNull, "-gcflags=-d=ssa/check_bce", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("go test -c: %v\n%s", err, out)
	}
	source, err := os.ReadFile("set.go")
	if err != nil {
		t.Fatal(err)
	}
	checked := func(statement string) bool {
		before, _, found := strings.Cut(string(source), statement)
		if !found {
			t.Fatalf("set.go has no %s", statement)
		}
		return strings.Contains(string(out), fmt.Sprintf("set.go:%d:", strings.Count(before, "\n")+1))
	}
	if !checked("s.words[id/wordSize] |=") {
		t.Errorf("the compiler does not tell of a bounds check in Add:\n%s", out)
	}
	for _, statement := range []string{"a[i] &= b[i]", "a[i] &^= b[i]"} {
		if checked(statement) {
			t.Errorf("%s has a bounds check:\n%s", statement, out)
		}
	}
}
