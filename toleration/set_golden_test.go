package toleration_test

import (
	"fmt"
	"testing"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Signatures are stored by others: these must never change.
func TestSetSignaturesAreGolden(t *testing.T) {
	for _, c := range []struct{ list, text, signature string }{
		{"", "", ""},
		{"a?In x", "", ""},
		{"*", "*", "2a000000"},
		{"a,*", "*", "2a000000"},
		{"b=x:NoSchedule,a>5:NoExecute@60,a=5:NoExecute", "a>4:NoExecute,b==x:NoSchedule",
			"3e0161094e6f4578656375746501343d01620a4e6f5363686564756c650178"},
		{"a<5,a>4,a:NoSchedule", "a<0,a>-1,a:NoSchedule",
			"3c01610001303e016100022d312a01610a4e6f5363686564756c6500"},
		{`"\x00\xff\u2028"="ü":Odd`, `"\x00\xff\u2028"=="ü":Odd`,
			"3d0500ffe280a8034f646402c3bc"},
		{"node.kubernetes.io/not-ready:NoExecute@300,node.kubernetes.io/unreachable:NoExecute@300", "node.kubernetes.io/not-ready:NoExecute,node.kubernetes.io/unreachable:NoExecute",
			"2a1c6e6f64652e6b756265726e657465732e696f2f6e6f742d7265616479094e6f45786563757465002a1e6e6f64652e6b756265726e657465732e696f2f756e726561636861626c65094e6f4578656375746500"},
	} {
		s := toleration.NewSet(mustParseList(t, c.list))
		if got := s.String(); got != c.text {
			t.Errorf("%s: text %s", c.list, got)
		}
		if got := fmt.Sprintf("%x", s.Signature()); got != c.signature {
			t.Errorf("%s: signature %s", c.list, got)
		}
	}
}

func TestGrantsSignaturesAreGolden(t *testing.T) {
	for _, c := range []struct{ list, signature string }{
		{"", "00000000"},
		{"a:NoSchedule@60,a:NoExecute@0", "00000000"},
		{"*", "00ffffffffffffffff7f0000"},
		{"*:NoExecute@60,a", "003c0000"},
		{"a=x@60,a=y@9223372037,a>5:NoExecute@1,a=7@2,a@60,b@300", "0000000001613c01017985fa85ae22010000000000000006010162ac020000"},
		{`"-k"<"-5"@3,a>"-1"@3`, "00000000022d6b000002800000000000000003fffffffffffffffb000161000001000000000000000003"},
	} {
		g := toleration.NewGrants(mustParseList(t, c.list))
		if got := fmt.Sprintf("%x", g.Signature()); got != c.signature {
			t.Errorf("%s: signature %s", c.list, got)
		}
	}
}

func TestZeroSetAndGrants(t *testing.T) {
	var s toleration.Set
	var g toleration.Grants
	x := taint.MustParse("a=x:NoExecute")
	if !s.Empty() || s.Contains(&x) || s.Everything(taint.Hard) || !s.Everything(0) || s.String() != "" {
		t.Error("the zero set is not empty")
	}
	if !s.Equal(toleration.NewSet(nil)) || !s.Equal(toleration.NewSet([]toleration.Toleration{})) {
		t.Error("the zero set is not that of no tolerations")
	}
	if _, found := g.First(&x); found || g.Forever() || len(g.AppendIndexes(nil)) != 0 {
		t.Error("the zero grants have a toleration")
	}
	if after, evicted := g.Delay([]taint.Taint{x}); after != 0 || !evicted {
		t.Errorf("zero grants: %v, %v", after, evicted)
	}
	none := toleration.NewGrants(nil)
	if !g.Equal(none) || !none.Equal(g) || string(g.AppendSignature(nil)) != string(none.AppendSignature(nil)) {
		t.Error("the zero grants are not those of no tolerations")
	}
}

func TestSetDoesNotAllocate(t *testing.T) {
	list := mustParseList(t, "a=x,a>5:NoExecute@60,b,*:NoSchedule,c=5,c=7@0")
	other := toleration.NewSet(mustParseList(t, "a=x:NoExecute,c=5"))
	s, g := toleration.NewSet(list), toleration.NewGrants(list)
	node := []taint.Taint{taint.MustParse("a=7:NoExecute"), taint.MustParse("c=x:NoExecute"), taint.MustParse("q:NoSchedule")}
	for name, call := range map[string]func(){
		"Contains":   func() { s.Contains(&node[0]) },
		"Covers":     func() { s.Covers(other) },
		"Equal":      func() { s.Equal(other) },
		"Everything": func() { s.Everything(taint.AllEffects) },
		"First":      func() { g.First(&node[1]) },
		"Delay":      func() { g.Delay(node) },
	} {
		if allocs := testing.AllocsPerRun(100, call); allocs != 0 {
			t.Errorf("%s: %v allocations", name, allocs)
		}
	}
}
