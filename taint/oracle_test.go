package taint_test

import (
	"regexp"
	"strings"

	"github.com/tolero-dev/tolero/taint"
)

// The Kubernetes rules for names, as its documents and its own validation give
// them: regular expressions and lengths. The code under test uses neither.
const (
	nameForm   = `([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]`
	domainForm = `[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*`
	effectForm = `(NoSchedule|PreferNoSchedule|NoExecute)`
)

var (
	keyPattern   = regexp.MustCompile(`^((` + domainForm + `)/)?(` + nameForm + `)$`)
	valuePattern = regexp.MustCompile(`^(` + nameForm + `)?$`)

	// The parts of a spec, which keyPattern and valuePattern then judge. Keys
	// and values have neither ":" nor "=" in them, so nothing is ambiguous.
	addPattern    = regexp.MustCompile(`^(?P<key>[^:=]*)(=(?P<value>[^:=]*))?:(?P<effect>` + effectForm + `)$`)
	removePattern = regexp.MustCompile(`^(?P<key>[^:=]*)((=(?P<value>[^:=]*))?:(?P<effect>` + effectForm + `))?-$`)
)

// isKey reports whether key is a qualified name (rules V1, K2).
func isKey(key string) bool {
	parts := keyPattern.FindStringSubmatch(key)
	return parts != nil && len(parts[2]) <= 253 && len(key)-len(parts[1]) <= 63
}

// isValue reports whether value is a label value (rules V1, K2).
func isValue(value string) bool {
	return valuePattern.MatchString(value) && len(value) <= 63
}

// isTaint reports whether t is valid by itself (rule V1).
func isTaint(t taint.Taint) bool {
	return isKey(t.Key) && isValue(t.Value) && (t.Effect == "NoSchedule" || t.Effect == "PreferNoSchedule" || t.Effect == "NoExecute")
}

// readSpec takes a spec apart by pattern, and reports whether it has that form
// with valid parts (rules K1, K2).
func readSpec(pattern *regexp.Regexp, spec string) (t taint.Taint, ok bool) {
	parts := pattern.FindStringSubmatch(spec)
	if parts == nil {
		return t, false
	}
	t.Key = parts[pattern.SubexpIndex("key")]
	t.Value = parts[pattern.SubexpIndex("value")]
	t.Effect = taint.Effect(parts[pattern.SubexpIndex("effect")])
	return t, isKey(t.Key) && isValue(t.Value)
}

// identity is the key and effect of a taint in one string (rules V1, K3).
func identity(t taint.Taint) string {
	return t.Key + "\x00" + string(t.Effect)
}

// modelParse is what ParseChange should make of specs: what to add, what to
// remove, and whether all is well (rules K1, K2).
func modelParse(specs []string) (add, remove []taint.Taint, ok bool) {
	added := map[string]bool{}
	for _, spec := range specs {
		if strings.HasSuffix(spec, "-") {
			t, ok := readSpec(removePattern, spec)
			if !ok {
				return nil, nil, false
			}
			remove = append(remove, taint.Taint{Key: t.Key, Effect: t.Effect})
			continue
		}
		t, ok := readSpec(addPattern, spec)
		if !ok || added[identity(t)] {
			return nil, nil, false
		}
		added[identity(t)] = true
		add = append(add, t)
	}
	for _, r := range remove {
		for _, a := range add {
			if a.Key == r.Key && (r.Effect == "" || a.Effect == r.Effect) {
				return nil, nil, false
			}
		}
	}
	return add, remove, true
}

// modelApply is what Apply should make of a node's taints, and how many faults
// it should find (rules K3, K4).
func modelApply(add, remove, node []taint.Taint, overwrite bool) (want []taint.Taint, exist, missing int) {
	onNode := map[string]bool{}
	for _, t := range node {
		onNode[identity(t)] = true
	}
	if !overwrite {
		for _, t := range add {
			if onNode[identity(t)] {
				exist++
			}
		}
		if exist > 0 {
			return nil, exist, 0
		}
	}
	present := map[string]bool{}
	for i, t := range append(append([]taint.Taint{}, add...), node...) {
		if i < len(add) || !present[identity(t)] {
			want = append(want, t)
		}
		present[identity(t)] = true
	}
	for _, r := range remove {
		var kept []taint.Taint
		for _, t := range want {
			if identity(t) == identity(r) || r.Effect == "" && t.Key == r.Key {
				continue
			}
			kept = append(kept, t)
		}
		if len(kept) == len(want) {
			missing++
		}
		want = kept
	}
	return want, 0, missing
}
