package spelling

import (
	"fmt"
	"strings"
	"testing"
)

func keys(list ...string) *Keys {
	k := new(Keys)
	for _, key := range list {
		k.Add(key)
	}
	return k
}

// Keys are compared in the order in which they were added until the limit, and not if
// they are too long.
func TestLimits(t *testing.T) {
	long := strings.Repeat("k", MaxKey+1)
	s := keys("abcdx", "abcde", "abcde", "", long)
	if s.Len() != 2 || !s.Has("abcde") || s.Has("") || s.Has(long) {
		t.Errorf("%d keys", s.Len())
	}
	if key, found := s.Nearest("abcdE"); !found || key != "abcdx" {
		t.Errorf("got %q, %v", key, found)
	}
	if _, found := s.Nearest(long); found {
		t.Error("found a key that is too long")
	}
	s.compared = MaxComparisons - 2
	if key, found := s.Nearest("abcdE"); !found || key != "abcdx" || s.Exhausted() {
		t.Errorf("got %q, %v, exhausted %v", key, found, s.Exhausted())
	}
	s.compared = MaxComparisons - 1
	if key, found := s.Nearest("abcd"); !found || key != "abcdx" {
		t.Errorf("got %q, %v", key, found)
	}
	if _, found := s.Nearest("abcd"); found {
		t.Error("one comparison too many")
	}
	if !s.Exhausted() {
		t.Error("not exhausted")
	}
}

func TestNearest(t *testing.T) {
	for _, c := range []struct{ key, others, want string }{
		{"gpu", "cpu", ""}, {"dedicated", "dedicate other", "dedicate"}, {"dedicates.", "dedicate", "dedicate"}, {"dedicated", "dedicat", ""}, {"dedicated", "dedica", ""},
		{"abcd", "abdc", "abdc"}, {"abcd", "badc", ""}, {"gpu", "GPU", "GPU"}, {"example.com/a", "example.com/b", ""},
		{"example.com/a", "example.org/a", "example.org/a"}, {"a", "example.com/a", "example.com/a"}, {"example.com/a", "example.con/a b", "example.con/a"},
		{"example.com/ab", "example.con/xy", ""}, {"example.com/dedicated", "example.con/dedicate", "example.con/dedicate"},
		{"dedicated", "example.com/dedicated dedicates", "dedicates"},
		{"Dedicated", "Dediecatedd dedicated", "dedicated"}, {"nvidia.com/gpus", "nvidi.com/gpu nvidia.com/gpu", "nvidia.com/gpu"},
		{"nvidia.com/gpus", "NVIDIA.com/gpus nvidia.com/gpu", "NVIDIA.com/gpus"}, {"abc.com/gpu", "xyz.com/gpus", ""}, {"xyz.com/gpus", "abc.com/gpu", ""}, {"xyz.com/gpu", "abc.com/gpus", ""},
		// Names of three letters.
		{"nvidia.com/gpus", "nvidia.com/gpu", "nvidia.com/gpu"}, {"nvidia.com/gpu", "nvidia.com/gpus", "nvidia.com/gpus"}, {"nvidia.com/gup", "nvidia.com/gpu", "nvidia.com/gpu"},
		{"nvidia.com/gpu", "nvidia.com/cpu", ""}, {"nvidia.com/gpu", "nvidia.com/gp", ""}, {"nvidia.com/gpu", "nvidia.com/gpuss", ""}, {"nvidia.com/gpu", "nvidia.com/gdu", ""},
		{"nvidia.com/gpu", "nvidia.com/gpd", ""}, {"nvidia.com/gpu", "nvidia.com/pug", ""}, {"nvidia.com/vgpu", "nvidia.com/gpu", ""}, {"nvidia.com/egpu", "nvidia.com/gpu", ""}, {"nvidia.com/gpu", "nvidia.com/vgpu nvidia.com/pgu nvidia.com/ggpu", "nvidia.com/ggpu"}, {"gpus", "gpu", ""}, {"gup", "gpu", ""}, {"nvidia.com/gpus", "gpu", ""},
	} {
		got, found := keys(strings.Fields(c.others)...).Nearest(c.key)
		if got != c.want || found != (c.want != "") {
			t.Errorf("%s of %s: %q", c.key, c.others, got)
		}
	}
}

// Misspelled leaves out keys that differ on purpose, and Nearest does not.
func TestSiblings(t *testing.T) {
	for _, c := range []struct {
		a, b     string
		siblings bool
	}{
		{"team-a", "team-b", true}, {"pool1", "pool2", true}, {"example.com/gpu-a100", "example.com/gpu-h100", true}, {"dedicated", "dedicated2", true},
		{"node_pool.x86", "node_pool.arm", true}, {"team-gpu", "team-cpu", true}, {"team-gpu", "team-gpu2", true}, {"team-a", "team-ab", true}, {"team-gpu", "team-vgpu", true},
		{"node-pool1", "nodepool2", false}, {"team-abcd", "team-abxd", false},
		{"team-gpu", "team-gpus", false}, {"example.com/gpu", "example.com/gpus", false}, {"team-a", "Team-a", false}, {"dedicated-a", "dedicatd-a", false}, {"node-pool", "nodepool", false},
	} {
		if got := siblings(c.a, c.b); got != c.siblings || siblings(c.b, c.a) != c.siblings {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
		if _, found := keys(c.a).Misspelled(c.b); found == c.siblings {
			t.Errorf("%s is misspelled %s: %v", c.a, c.b, found)
		}
	}
	if near, found := keys("team-a").Nearest("team-b"); !found || near != "team-a" {
		t.Errorf("nearest is %q", near)
	}
}

func TestMisspelled(t *testing.T) {
	s := keys("example.com/dedicated", "nodes.example.com/abcd")
	for key, want := range map[string]string{
		"example.com/deddicatted": "example.com/dedicated",
		"example.com/dedicatd":    "example.com/dedicated", "example.co/dedicated": "example.com/dedicated", "dedicated": "", "other.example.com/abcd": "",
	} {
		if got, found := s.Misspelled(key); got != want || found != (want != "") {
			t.Errorf("%s: %q", key, got)
		}
		if got, found := s.MisspelledAmong(key, 2); got != want || found != (want != "") {
			t.Errorf("%s, among two: %q", key, got)
		}
	}
}

// The limit of the distance is that of the whole table.
func TestSlips(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "ab", 2}, {"ab", "", 2}, {"", "abc", 3}, {"abc", "", 3}, {"abcd", "abcd", 0}, {"abcd", "abdc", 1}, {"abcd", "badc", 2},
		{"abcd", "bcda", 2}, {"abcd", "cdab", 3}, {"abcd", "bcd", 1}, {"bcd", "abcd", 1}, {"abcd", "abxcdx", 2}, {"abcdef", "cdef", 2},
		{"abcd", "dcba", 3}, {"a", "b", 1}, {"ab", "ba", 1}, {"ab", "cd", 2}, {"abc", "def", 3},
	} {
		if got := slips(c.a, c.b); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// The slips of all pairs of words of up to four letters are those of the whole table, or three.
func TestSlipsExhaustively(t *testing.T) {
	words := []string{""}
	for from, n := 0, 1; n <= 4; n++ {
		to := len(words)
		for _, word := range words[from:to] {
			words = append(words, word+"a", word+"b", word+"c")
		}
		from = to
	}
	for _, a := range words {
		for _, b := range words {
			if got, want := slips(a, b), min(3, table(a, b)); got != want {
				t.Fatalf("%q to %q: %d, want %d", a, b, got, want)
			}
		}
	}
	for _, c := range []struct{ a, b string }{{"abcdefgh", "abdcefhg"}, {"abcdefgh", "bcdefgha"}, {"abcdefgh", "xabcdefghy"}, {"abcdefgh", "abxdeygz"}, {"aaaaaaaa", "aaaaaa"}} {
		if got, want := slips(c.a, c.b), min(3, table(c.a, c.b)); got != want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, want)
		}
	}
}

// table fills the table of the distances between all beginnings of a and b.
func table(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		for j := range rows[i] {
			switch {
			case i == 0 || j == 0:
				rows[i][j] = i + j
			case a[i-1] == b[j-1]:
				rows[i][j] = rows[i-1][j-1]
			default:
				rows[i][j] = 1 + min(rows[i-1][j-1], rows[i-1][j], rows[i][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

// The longest key is 317 bytes long, and one Keys compares 10,000 pairs.
func TestBounds(t *testing.T) {
	longest := strings.Repeat("k", 317)
	s := keys(longest, longest+"k")
	if s.Len() != 1 {
		t.Errorf("%d keys", s.Len())
	}
	for _, c := range []struct {
		key   string
		found bool
	}{{"l" + longest[1:], true}, {"l" + longest, false}} {
		near, found := s.Nearest(c.key)
		among, foundAmong := s.MisspelledAmong(c.key, 5)
		want := map[bool]string{true: longest}[c.found]
		if found != c.found || foundAmong != c.found || near != want || among != want {
			t.Errorf("%d bytes: %t, %t", len(c.key), found, foundAmong)
		}
	}
	s = new(Keys)
	for i := range 10_000 {
		s.Add(fmt.Sprint("some-key-", i))
	}
	if s.Nearest("other"); s.Exhausted() {
		t.Error("10,000 comparisons are too many")
	}
	if s.Nearest("other"); !s.Exhausted() {
		t.Error("10,001 comparisons are not too many")
	}
	s = &Keys{keys: s.keys}
	s.Add("one-more")
	if s.Nearest("other"); !s.Exhausted() {
		t.Error("10,001 keys are not too many")
	}
	if near, found := keys("some-abcd", "some-wxyz").MisspelledAmong("some-wxyy", 1); found {
		t.Errorf("%s is not among the first", near)
	}
}
