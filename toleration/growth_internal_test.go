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
