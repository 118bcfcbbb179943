package gen

import "github.com/dave/jennifer/jen"

// Keys are compared in pieces. They are long: 30 bytes is the most frequent
// length in the corpus, and to compare strings of that length the runtime is
// called. A piece of a string whose length is known the compiler compares where
// it stands, by two words at most. BenchmarkOrder shows what that is worth.

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

// knownKey is the key of a taint in a variable, in code that knows its length.
func knownKey() *jen.Statement { return jen.Id("key") }

// inPieces returns comparisons of a string, whose length is known to be that of
// key, with each piece of key.
func (e *emitter) inPieces(left func() *jen.Statement, operator, key string) []jen.Code {
	if len(key) <= pieceSize || len(key) > mostPieces*pieceSize {
		return []jen.Code{left().Op(operator).Lit(key)}
	}
	e.pieces = true
	var tests []jen.Code
	for from := 0; from < len(key); from += pieceSize {
		to := min(from+pieceSize, len(key))
		low, high := jen.Lit(from), jen.Lit(to)
		if from == 0 {
			low = jen.Empty()
		}
		if to == len(key) {
			high = jen.Empty()
		}
		tests = append(tests, left().Index(low, high).Op(operator).Lit(key[from:to]))
	}
	return tests
}

// isNot returns the test that the key of a taint is another.
func (e *emitter) isNot(key string) *jen.Statement {
	tests := e.inPieces(e.key, "!=", key)
	if len(tests) > 1 {
		tests = append([]jen.Code{jen.Len(e.key()).Op("!=").Lit(len(key))}, tests...)
	}
	return join("||", tests)
}

// isOneOf returns the test that the known key is one of some of its length.
func (e *emitter) isOneOf(keys []string) *jen.Statement {
	var tests []jen.Code
	for i, key := range keys {
		test := join("&&", e.inPieces(knownKey, "==", key))
		if i > 0 {
			test = jen.Line().Add(test)
		}
		tests = append(tests, test)
	}
	return join("||", tests)
}

// isNoneOf returns the opposite of isOneOf.
func (e *emitter) isNoneOf(keys []string) *jen.Statement {
	if len(keys) == 1 {
		return join("||", e.inPieces(knownKey, "!=", keys[0]))
	}
	return jen.Op("!").Parens(e.isOneOf(keys))
}

// switchLength returns a switch over the length of the key, which is known in
// its cases.
func (e *emitter) switchLength(cases []jen.Code) jen.Code {
	if e.Standalone {
		return jen.Switch(jen.Len(knownKey())).Block(cases...)
	}
	return jen.Switch(knownKey().Op(":=").Add(e.key()), jen.Len(knownKey())).Block(cases...)
}
