package toleration

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/tolero-dev/tolero/taint"
)

// shape makes a list of about n tolerations.
type shape struct {
	name string
	make func(n int) []Toleration
}

func repeat(n int, one func(i int) Toleration) []Toleration {
	list := make([]Toleration, n)
	for i := range list {
		list[i] = one(i)
	}
	return list
}

func number(i int) string { return strconv.Itoa(i) }

// validShapes are lists that the API server accepts.
var validShapes = []shape{
	{"equal", func(n int) []Toleration {
		return repeat(n, func(int) Toleration { return Toleration{Key: "a", Value: "x"} })
	}},
	{"equal for any key", func(n int) []Toleration {
		return repeat(n, func(int) Toleration { return Toleration{Operator: OpExists} })
	}},
	{"values", func(n int) []Toleration {
		return repeat(n, func(i int) Toleration { return Toleration{Key: "a", Value: fmt.Sprint("x", i)} })
	}},
	{"integers", func(n int) []Toleration {
		return repeat(n, func(i int) Toleration { return Toleration{Key: "a", Value: number(i * 7919 % (2 * n))} })
	}},
	{"keys", func(n int) []Toleration {
		return repeat(n, func(i int) Toleration { return Toleration{Key: "a" + number(i), Operator: OpExists} })
	}},
	{"nested", func(n int) []Toleration {
		return repeat(n, func(i int) Toleration {
			return Toleration{Key: "a", Operator: []Operator{OpGt, OpLt}[i%2], Value: number(i * 3), TolerationSeconds: new(int64(i))}
		})
	}},
	{"nested the other way", func(n int) []Toleration {
		return repeat(n, func(i int) Toleration {
			return Toleration{Key: "a", Operator: []Operator{OpGt, OpLt}[i%2], Value: number(3 * (n - i)), TolerationSeconds: new(int64(i))}
		})
	}},
	{"alternating", func(n int) []Toleration { // odd integers for any effect, even ones for each known effect, from a bound down
		return repeat(n, func(i int) Toleration {
			effect := [...]taint.Effect{"", taint.NoSchedule, "", taint.NoExecute, "", taint.PreferNoSchedule}[i%6]
			if i > n-6 {
				return Toleration{Key: "a", Operator: OpGt, Value: number(n - 6), Effect: effect}
			}
			return Toleration{Key: "a", Value: number(i), Effect: effect}
		})
	}},
}

// invalidShapes are the worst of those that it refuses.
var invalidShapes = []shape{
	{"effects", func(n int) []Toleration {
		return repeat(n, func(i int) Toleration {
			return Toleration{Key: "a", Effect: taint.Effect(number(i)), Operator: OpExists}
		})
	}},
	{"any-key integers under many keys", func(n int) []Toleration {
		return repeat(n, func(i int) Toleration {
			switch j := i / 3; i % 3 {
			case 0:
				return Toleration{Value: number(2 * j)}
			case 1:
				return Toleration{Value: number(2*j + 1), Effect: taint.NoExecute}
			default:
				return Toleration{Key: "a" + number(j), Operator: OpGt, Value: number(n/3*2 - 1 - j%7), Effect: taint.NoExecute}
			}
		})
	}},
	{"many effects over the integers of a key", func(n int) []Toleration {
		return repeat(n, func(i int) Toleration {
			switch j := i / 3; i % 3 {
			case 0:
				return Toleration{Value: number(2 * j)}
			case 1:
				return Toleration{Key: "a", Value: number(2*j + 1)}
			default:
				return Toleration{Key: "a", Operator: OpGt, Value: number(n/3*2 - 1 - j%7), Effect: taint.Effect(number(j))}
			}
		})
	}},
	{"keys beside effects", func(n int) []Toleration {
		return repeat(n, func(i int) Toleration {
			if i%2 == 0 {
				return Toleration{Key: "a" + number(i), Value: "x" + number(i)}
			}
			return Toleration{Value: "y" + number(i), Effect: taint.Effect(number(i))}
		})
	}},
	{"keys and effects with interleaved integers", func(n int) []Toleration {
		side := int(math.Sqrt(float64(n) / 3)) // so many keys and so many effects
		return repeat(side*side*3, func(i int) Toleration {
			x, y := i/3%side, i/3/side
			switch i % 3 {
			case 0:
				return Toleration{Value: number(2 * x), Effect: taint.Effect(number(y))}
			case 1:
				return Toleration{Key: "a" + number(x), Value: number(2*y + 1)}
			default:
				return Toleration{Key: "a" + number(x), Operator: OpGt, Value: number(2*side - 1), Effect: taint.Effect(number(y))}
			}
		})
	}},
}

// steps returns what it takes to make sets of the list and of part of it, and to
// ask all about the two.
func steps(list []Toleration) int {
	s, total := newSet(entriesOf(list))
	part, n := newSet(entriesOf(list[len(list)/3:]))
	total += n
	keys, _ := newSet(entriesOf(slices.DeleteFunc(slices.Clone(list), func(t Toleration) bool { return t.Key == "" })))
	others, _ := newSet(entriesOf(slices.DeleteFunc(slices.Clone(list), func(t Toleration) bool { return t.Key != "" })))
	for _, valid := range [...]bool{true, false} {
		for _, pair := range [...][2]Set{{s, part}, {part, s}, {s, s}, {s, {}}, {keys, others}} {
			_, _, n = pair[0].minus(pair[1], valid)
			total += n
			_, _, n = pair[0].common(pair[1], valid)
			total += n
		}
	}
	return total
}

// The steps of sets grow with the length of a valid list, and with its power of 1.5
// at worst; each is a binary search.
func TestSetGrowth(t *testing.T) {
	sizes := [...]int{300, 600, 1200, 2400, 4800}
	for _, s := range validShapes {
		for _, n := range sizes {
			if got := steps(s.make(n)); got > 40*n {
				t.Errorf("%s: %d tolerations take %d steps", s.name, n, got)
			}
		}
	}
	for _, s := range invalidShapes {
		for _, n := range sizes {
			if got := steps(s.make(n)); float64(got) > 6*math.Pow(float64(n), 1.5) {
				t.Errorf("%s: %d tolerations take %d steps", s.name, n, got)
			}
		}
	}
}

// What Grants, Lint and Merge look at grows with the length of a valid list.
func TestGrantsGrowth(t *testing.T) {
	for _, s := range validShapes {
		for _, n := range []int{300, 600, 1200, 2400, 4800} {
			list := s.make(n)
			for i := range list {
				if i%2 == 0 {
					list[i].TolerationSeconds = new(int64(i % 7))
				}
			}
			g := NewGrants(list)
			probed, p := 0, probes{}
			for _, key := range keysOf(&g.firsts) {
				p.probe(key, &g.firsts)
				probed += 1 + len(p.words) + len(p.integers)
			}
			if probed > 5*n {
				t.Errorf("%s: %d tolerations have %d probes", s.name, n, probed)
			}
			atoms := 0
			for _, c := range newColumns(list, indexes(n)) {
				atoms += len(c.atoms)
			}
			if atoms > 12*n {
				t.Errorf("%s: %d tolerations have %d atoms", s.name, n, atoms)
			}
			if remarks := (Rules{Comparisons: true}).Lint(list); len(remarks) > 2*n {
				t.Errorf("%s: %d remarks on %d tolerations", s.name, len(remarks), n)
			}
		}
	}
}

// Equal, Minus and the signatures of Grants look at a bounded number of crossings, and
// what decides which tolerations count has none.
func TestGrantsGrowthOfInvalidLists(t *testing.T) {
	for _, s := range []shape{
		{"words for any key, and keys", func(n int) []Toleration {
			return repeat(n, func(i int) Toleration {
				if i%2 == 0 {
					return Toleration{Value: "x" + number(i), TolerationSeconds: new(int64(i + 1))}
				}
				return Toleration{Key: "a" + number(i), Operator: OpExists, TolerationSeconds: new(int64(i))}
			})
		}},
		{"integers for any key, and keys", func(n int) []Toleration {
			return repeat(n, func(i int) Toleration {
				if i%2 == 0 {
					return Toleration{Value: number(i), TolerationSeconds: new(int64(i + 1))}
				}
				return Toleration{Key: "a" + number(i), Operator: OpGt, Value: number(i), TolerationSeconds: new(int64(i))}
			})
		}},
	} {
		for _, n := range []int{100, 400, 1600, 3200} {
			list := s.make(n)
			g := NewGrants(list)
			h := NewGrants(list[1:])
			probed := 0
			asked := func(a, b int64) bool { probed++; return false }
			for _, valid := range []bool{true, false} {
				g.find(&h, valid, asked)
				h.find(&g, valid, asked)
			}
			if probed > 60*n+5*maxCrossings {
				t.Errorf("%s: %d tolerations take %d probes", s.name, n, probed)
			}
			if size := len(g.Signature()); size > 40*n+16*maxCrossings {
				t.Errorf("%s: the signature of %d tolerations has %d bytes", s.name, n, size)
			}
			if got, want := crowded(&g.firsts), n > 100; n != 400 && got != want {
				t.Errorf("%s: %d tolerations are crowded: %v", s.name, n, got)
			}
			if !g.Equal(NewGrants(list)) || g.Equal(h) || !g.Covers(g) || g.Covers(h) && crowded(&g.firsts) {
				t.Errorf("%s: %d tolerations are not equal to themselves, or to fewer", s.name, n)
			}
			if counting := g.AppendIndexes(nil); len(counting) != n || g.Forever() {
				t.Errorf("%s: %d of %d tolerations count", s.name, len(counting), n)
			}
		}
	}
}

// The limit is on the product of the values for any key and the keys.
func TestCrowded(t *testing.T) {
	for _, c := range []struct {
		words, parts, keys int
		want               bool
	}{
		{256, 0, 256, false},
		{257, 0, 256, true},
		{0, 257, 256, true},
		{128, 129, 256, true},
		{1 << 16, 0, 1, false},
		{1<<16 + 1, 0, 1, true},
		{1 << 17, 0, 0, false},
	} {
		f := firsts{row{words: make([]firstWord, c.words), parts: make([]firstPart, c.parts)}, make([]row, c.keys)}
		if got := crowded(&f); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// All of many keys are looked at if there are no crossings, and many of them if there
// are too many.
func TestGrantsMinusOfManyKeys(t *testing.T) {
	for _, c := range []struct{ words, keys int }{{0, 33000}, {1000, 100}} {
		list := append(repeat(c.words, func(i int) Toleration { return Toleration{Value: "x" + number(i)} }),
			repeat(c.keys, func(i int) Toleration { return Toleration{Key: "k" + number(100000+i), Operator: OpExists} })...)
		fewer := slices.Clone(list)
		last := &fewer[c.words+c.keys-1]
		if c.words > 0 {
			last = &fewer[c.words+9]
		}
		last.TolerationSeconds = new(int64(5))
		x, found := NewGrants(list).Minus(NewGrants(fewer))
		if !found || x.Key != last.Key {
			t.Errorf("%+v: %v, %v", c, x, found)
		}
	}
}

// The signature of a list with too many crossings is the same in every release.
func TestCrowdedSignature(t *testing.T) {
	list, _ := ParseListLenient("*=x@1,*=9@2,a<3@3,a>5@4,a=y@5,a=4@6,a@7,a@8")
	g := NewGrants(list)
	want := "\x07\x01\x02\x03\x04\x05\x06\x07" + // seven count: all but a@8
		"\x00\x00" + "\x01\x01x\x01" + // any key: none for the rest, the first for x
		"\x02" + "\x03\x00\x00\x00\x00\x00\x00\x00\x09\x02" + "\x03\x00\x00\x00\x00\x00\x00\x00\x0a\x00" + "\x00" +
		"\x01a\x07" + "\x01\x01y\x05" +
		"\x02" + "\x03\x80\x00\x00\x00\x00\x00\x00\x00\x03" + "\x03\x00\x00\x00\x00\x00\x00\x00\x03\x07" +
		"\x03\x00\x00\x00\x00\x00\x00\x00\x04\x06" + "\x03\x00\x00\x00\x00\x00\x00\x00\x05\x07" +
		"\x03\x00\x00\x00\x00\x00\x00\x00\x06\x04" + "\x00"
	if got := string(g.appendRows(nil)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// What is said of lists with too many crossings depends on what counts in them, and on
// nothing else.
func TestCrowdedGrants(t *testing.T) {
	n := 300
	list := append(repeat(n, func(i int) Toleration { return Toleration{Value: "x" + number(i), TolerationSeconds: new(int64(i))} }),
		repeat(n, func(i int) Toleration {
			return Toleration{Key: "a" + number(i), Operator: OpExists, TolerationSeconds: new(int64(i))}
		})...)
	g := NewGrants(list)
	if !crowded(&g.firsts) {
		t.Fatal("it has few crossings")
	}
	if s := g.Signature(); s[0] != 1 {
		t.Errorf("the signature starts with %d", s[0])
	}
	same := [][]Toleration{
		append(slices.Clone(list), list...),
		append(slices.Clone(list), Toleration{Key: "a1", Value: "y"}, Toleration{Value: "x1"}, Toleration{Operator: "In"}, Toleration{Effect: taint.NoSchedule}),
	}
	for i, l := range same {
		if h := NewGrants(l); !g.Equal(h) || !h.Equal(g) || g.Signature() != h.Signature() || !h.Covers(g) {
			t.Errorf("list %d differs", i)
		}
	}
	other := [][]Toleration{list[1:], list[:n], nil, slices.Clone(list), slices.Clone(list)}
	other[3][0].TolerationSeconds = new(int64(77))
	other[4] = append(other[4], Toleration{Key: "new", Value: "y"})
	for i, l := range other {
		if h := NewGrants(l); g.Equal(h) || h.Equal(g) || g.Signature() == h.Signature() || h.Covers(g) {
			t.Errorf("list %d does not differ", i)
		}
	}
	if x, found := g.Minus(Grants{}); !found || taint.Validate([]taint.Taint{x}) != nil || g.level(x.Key, x.Value) == 0 {
		t.Errorf("%v, %v", x, found)
	}
}

// What Uncovered looks up for a list grows with the length of both lists.
func TestUncoveredGrowth(t *testing.T) {
	for _, s := range validShapes {
		for _, n := range []int{300, 1200, 4800} {
			list := s.make(n)
			c := newCover(list)
			for i := range list {
				c.minus(&list[i])
			}
			parts := 0
			for _, l := range c.keys {
				parts += len(l.parts)
			}
			if parts > 3*n || len(c.gaps) > n {
				t.Errorf("%s: %d tolerations have %d parts and %d gaps", s.name, n, parts, len(c.gaps))
			}
		}
	}
}

// What was found for a key is kept for the tolerations to come.
func TestUncoveredLooksUpOnce(t *testing.T) {
	cover, _ := ParseListLenient("a>5@90")
	c := newCover(cover)
	for _, text := range []string{"a>6:NoExecute@60", "a>7:NoExecute@60", "a>8:NoExecute@60"} {
		x, _ := ParseLenient(text)
		if witness, found := c.minus(&x); found {
			t.Errorf("%s: %v", text, witness)
		}
	}
	if len(c.gaps) != 1 || len(c.keys) != 1 {
		t.Errorf("%d gaps and %d keys", len(c.gaps), len(c.keys))
	}
}
