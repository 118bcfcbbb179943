package gen

import (
	"maps"
	"slices"

	"github.com/dave/jennifer/jen"
)

// Keys are told apart by their lengths first, and compared in pieces. They are long: 30
// bytes is the most frequent length in the corpus, and to compare strings of that length
// the runtime is called. A piece of a string whose length is known the compiler compares
// where it stands, by two words at most.

// pieceSize is the length of the longest string that the compiler compares to a
// constant without a call, where words have 8 bytes and may lie anywhere. On
// other processors there is a call for each piece.
const pieceSize = 16

// mostPieces is of how many pieces a key may be. For longer ones a call is the
// smaller part.
const mostPieces = 4

// fewKeys is how many keys of one length are compared one after the other. For
// more there is a switch, which the compiler makes a binary search.
const fewKeys = 4

// tolerates writes the answer of match.Tolerates. The result is false until a return says
// otherwise, and returns that do not are bare: they count less for the compiler, which
// inlines short functions only. What is tolerated whatever the key comes first: real lists
// have it for whole effects, where it is the cheapest test.
func (e *emitter) tolerates(p *plan) {
	body := e.tests(p.anyKey, returnTrue)
	if !e.everything() {
		body = append(body, e.byKey(p.groups)...)
	}
	e.declare(tolerates).Params(e.oneTaint()).Params(jen.Id("tolerated").Bool()).Block(body...)
}

// byKey returns statements that return whether a group tolerates a taint. What a single
// group tests is tested once for all of its keys.
func (e *emitter) byKey(groups []group) []jen.Code {
	switch {
	case len(groups) == 0:
		return []jen.Code{jen.Return()}
	case len(groups) > 1 || !simple(groups[0].terms) && !groups[0].terms[0].always():
		return []jen.Code{e.switchLength(groups...), jen.Return()}
	}
	keys, tests := groups[0].keys, e.anyOf(groups[0].terms)
	if len(keys) == 1 {
		all := e.isKey(keys[0])
		if tests != nil {
			all = append(all, parenthesised(tests))
		}
		return []jen.Code{jen.Return(join("&&", all))}
	}
	statement := e.switchLength(group{keys: keys})
	if tests != nil {
		statement = jen.If(join("||", tests)).Block(statement)
	}
	return []jen.Code{statement, jen.Return()}
}

// switchLength returns a switch over the lengths of the keys, and in each case the
// keys of that length, which are tolerated if the terms hold.
func (e *emitter) switchLength(groups ...group) jen.Code {
	byLength := make(map[int][]jen.Code)
	for _, g := range groups {
		ofLength := make(map[int][]string)
		for _, key := range g.keys {
			ofLength[len(key)] = append(ofLength[len(key)], key)
		}
		for length, keys := range ofLength {
			byLength[length] = append(byLength[length], e.ifKey(keys, g.terms))
		}
	}
	var cases []jen.Code
	for _, length := range slices.Sorted(maps.Keys(byLength)) {
		cases = append(cases, jen.Case(jen.Lit(length)).Block(byLength[length]...))
	}
	if e.Standalone {
		return jen.Switch(jen.Len(jen.Id("key"))).Block(cases...)
	}
	return jen.Switch(jen.Id("key").Op(":=").Add(e.key()), jen.Len(jen.Id("key"))).Block(cases...)
}

// ifKey returns a statement for the case that the key of a taint, which is as long, is one
// of keys. Without terms it returns whether it is.
func (e *emitter) ifKey(keys []string, terms []term) jen.Code {
	then := []jen.Code{returnTrue(nil)}
	if simple(terms) {
		then = []jen.Code{jen.Return(join("||", e.anyOf(terms)))}
	} else if terms != nil {
		then = e.tests(terms, returnTrue, jen.Return())
	}
	if len(keys) > fewKeys {
		return jen.Switch(jen.Id("key")).Block(caseOf(keys).Block(then...))
	}
	var tests []jen.Code
	for i, key := range keys {
		test := join("&&", e.inPieces(jen.Id("key"), key))
		if i > 0 {
			test = jen.Line().Add(test)
		}
		tests = append(tests, test)
	}
	if terms == nil {
		return jen.Return(join("||", tests))
	}
	return jen.If(join("||", tests)).Block(then...)
}

func returnTrue(*term) jen.Code { return jen.Return(jen.True()) }

// isKey returns tests that together say that the key of a taint is this one.
func (e *emitter) isKey(key string) []jen.Code {
	tests := e.inPieces(e.key(), key)
	if len(tests) > 1 {
		tests = append([]jen.Code{jen.Len(e.key()).Op("==").Lit(len(key))}, tests...)
	}
	return tests
}

// inPieces returns comparisons of a string, whose length is known to be that of
// key, with each piece of key.
func (e *emitter) inPieces(text *jen.Statement, key string) (tests []jen.Code) {
	if len(key) <= pieceSize || len(key) > mostPieces*pieceSize {
		return []jen.Code{text.Op("==").Lit(key)}
	}
	e.pieces = true
	for from := 0; from < len(key); from += pieceSize {
		to := min(from+pieceSize, len(key))
		low, high := jen.Lit(from), jen.Lit(to)
		if from == 0 {
			low = jen.Empty()
		}
		if to == len(key) {
			high = jen.Empty()
		}
		tests = append(tests, text.Clone().Index(low, high).Op("==").Lit(key[from:to]))
	}
	return tests
}
