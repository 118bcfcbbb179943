package whatif

import (
	"fmt"
	"math"
	"testing"
)

// A directory uses the places of groups that are gone, and retains nothing of these, nor of
// members that are gone.
func TestDirectoryRetainsNothing(t *testing.T) {
	var d directory[string]
	for i := range 100 {
		position, index := d.add(fmt.Sprint("group-", i), "member")
		if position != 0 || index != 0 || d.groups.Places() != 1 {
			t.Fatalf("group %d is at %d, its member at %d, and there are %d places", i, position, index, d.groups.Places())
		}
		d.remove(position, index)
		if g := d.groups.At(0); g.name != "" || g.members != nil || g.shared != 0 {
			t.Fatalf("%+v is left of a group", *g)
		}
	}
	for _, name := range []string{"x", "y", "z"} {
		d.add("group", name)
	}
	if moved, ok := d.remove(0, 0); moved != "z" || !ok {
		t.Errorf("%q takes the place of the first of three, %t", moved, ok)
	}
	if moved, ok := d.remove(0, 1); moved != "" || ok {
		t.Errorf("%q takes the place of the last one, %t", moved, ok)
	}
	if all := d.groups.At(0).members[:3]; all[1] != "" || all[2] != "" {
		t.Errorf("members %q, want one", all)
	}
}

// Members that somebody may read are copied once, and not for each member that goes.
func TestSharedMembersAreCopiedOnce(t *testing.T) {
	var d directory[int]
	for i := range 5 {
		d.add("group", i)
	}
	shared := d.share(0)
	d.remove(0, 0)
	first := &d.groups.At(0).members[0]
	if first == &shared[0] || shared[0] != 0 {
		t.Error("what is shared has changed")
	}
	d.remove(0, 0)
	if first != &d.groups.At(0).members[0] {
		t.Error("the members are copied again, and nobody shares them")
	}
}

// Names have different hashes, almost always: of 1000 names, some pair has the same of 2^32
// with a probability of about one in 9000. Each bit is set in some of them.
func TestNamesHaveDifferentHashes(t *testing.T) {
	var d directory[int]
	d.add("first", 0)
	hashes, all := make(map[uint32]bool), uint32(0)
	for i := range 1000 {
		h := d.hash(fmt.Sprint(i))
		hashes[h] = true
		all |= h
	}
	if all != math.MaxUint32 {
		t.Errorf("only the bits %x are used", all)
	}
	if len(hashes) < 990 {
		t.Errorf("1000 names have %d hashes", len(hashes))
	}
}

// Names are looked up once, and again only if the first name with their hash is another.
func TestNamesLookedUpAgain(t *testing.T) {
	const groups = 200
	for mask, want := range map[uint32]int{math.MaxUint32: 0, 0: groups - 1} {
		func() {
			defer func(m uint32) { hashMask = m }(hashMask)
			hashMask = mask
			var d directory[int]
			var names []string
			for i := range groups {
				names = append(names, fmt.Sprint(i))
				if positions, again := d.appendPositions(nil, names); i == 0 && (positions[0] != none || again != 0) {
					t.Errorf("no names: %d, %d", positions, again)
				}
				d.add(names[i], i)
			}
			positions, again := d.appendPositions([]uint32{7}, names)
			if again != want || len(positions) != 1+groups || positions[0] != 7 {
				t.Errorf("mask %x: %d names are looked up again, want %d", mask, again, want)
			}
			for i, position := range positions[1:] {
				if position != uint32(i) {
					t.Errorf("mask %x: name %d is at %d", mask, i, position)
				}
			}
		}()
	}
}

// zeros uses memory that is large enough.
func TestZerosUsesMemory(t *testing.T) {
	s := []int{1, 2, 3, 4}
	if got := zeros(s, 4); &got[0] != &s[0] || got[0]+got[3] != 0 || len(got) != 4 {
		t.Errorf("%v is not in the same memory", got)
	}
}
