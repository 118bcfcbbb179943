package gen

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/tolero-dev/tolero/toleration"
)

// Version is the version of the generator, which the header of a generated file
// tells. It changes when the same input gives other code.
const Version = "v6"

// List is a toleration list and its name.
//
// The zero List has no name, which [Generate] refuses. It is plain data: a copy
// shares the tolerations, which nothing in this package writes to or retains.
type List struct {
	// Name becomes the identifier: its letters and digits, with a capital at
	// the beginning of each word, so that "DaemonSet/node-agent" becomes
	// DaemonSetNodeAgent. It must begin with a letter.
	Name string
	// Source says where the list comes from, for the comment. It may be empty.
	Source string
	// Tolerations is the list. It may be empty.
	Tolerations []toleration.Toleration
}

// Options says what form the code has. The zero Options lacks the name of the
// package; what else is zero is a sensible choice. Options is plain data.
type Options struct {
	// Package is the name of the package that the file belongs to.
	Package string
	// Functions asks for functions, such as AgentTolerates, in place of the
	// methods of a type, such as Agent.Tolerates.
	Functions bool
	// Exported makes the types or functions visible to other packages.
	Exported bool
	// Standalone asks for code that imports nothing. A taint is then three
	// strings, and a node's list is its length and a function that returns the
	// i-th taint. Times are nanoseconds, as in a time.Duration. The generated
	// test imports this module all the same.
	Standalone bool
	// Rules are those of the cluster that the code is for. A list with Gt or Lt is
	// an error unless they have Comparisons.
	Rules toleration.Rules
	// Command is how to make the file again, for the header. It may be empty.
	Command string
}

// Generate returns formatted Go source that answers for the lists, in their
// order. It returns an error that names the cause if there is no list, if the
// package or a list has a name that gives no identifier, if two lists want the
// same identifier, or if a list is not valid in the cluster. It retains nothing of
// its arguments, and may be called concurrently.
//
// The time is proportional to the length of the lists, as is the size of the
// code, except for lists with many tolerations for all keys.
func Generate(lists []List, o Options) ([]byte, error) {
	named, err := name(lists, o)
	if err != nil {
		return nil, err
	}
	e := newEmitter(o, lists)
	for _, l := range named {
		e.list(l)
	}
	if e.pieces {
		e.file.HeaderComment("//")
		e.file.HeaderComment(fmt.Sprintf("Keys of %d to %d bytes are compared in pieces, each of which takes no call.", pieceSize+1, mostPieces*pieceSize))
	}
	return e.source()
}

// GenerateTest returns the source of a test file for what [Generate] returns for
// the same arguments, and fails where that does. For each list the file has a
// test that compares the code with package match over all that the list tells
// apart, a fuzz target that does it for any taint, and a benchmark. It imports
// package gentest.
func GenerateTest(lists []List, o Options) ([]byte, error) {
	named, err := name(lists, o)
	if err != nil {
		return nil, err
	}
	e := newEmitter(o, lists)
	for _, l := range named {
		e.test(l)
	}
	return e.source()
}

// emitter writes one file.
type emitter struct {
	Options
	file    *jen.File
	self    names               // of the list that is written
	meaning *toleration.Meaning // of the same list

	pieces bool // whether the file compares keys in pieces

	// integer is the function of the file that reads integers, named after the
	// first list that needs it, and empty until then.
	integer string
}

// Paths of what generated code may import.
const (
	module         = "github.com/tolero-dev/tolero/"
	taintPath      = module + "taint"
	tolerationPath = module + "toleration"
	matchPath      = module + "match"
	gentestPath    = module + "compile/gen/gentest"
	timePath       = "time"
	testingPath    = "testing"
)

// imports are the names of these packages. Package-level identifiers of the
// generated code must be different.
var imports = map[string]string{
	taintPath: "taint", tolerationPath: "toleration", matchPath: "match", gentestPath: "gentest", timePath: "time", testingPath: "testing",
}

func newEmitter(o Options, lists []List) *emitter {
	e := &emitter{Options: o, file: jen.NewFile(o.Package)}
	e.file.ImportNames(imports)
	e.header(lists)
	return e
}

// source returns the file, formatted.
func (e *emitter) source() ([]byte, error) {
	var b bytes.Buffer
	if err := e.file.Render(&b); err != nil {
		return nil, fmt.Errorf("the generated code does not parse, which is a mistake in the generator: %w", err)
	}
	return b.Bytes(), nil
}

var errNoLists = errors.New("there is no toleration list to generate code for")
