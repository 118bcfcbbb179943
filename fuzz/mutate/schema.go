package main

import (
	"fmt"
	"go/ast"
	"strings"
)

// To compile the tests once for all mutants, the source is rewritten so that
// each mutant waits for a switch. A function F with the mutants 7 and 8 becomes
//
//	func F(mutantA0 int) bool {
//		switch mutant {
//		case 7: return mutant7_F(mutantA0)
//		case 8: return mutant8_F(mutantA0)
//		default: return mutant0_F(mutantA0)
//		}
//	}
//
// where mutant0_F is F as it was, the others are copies of it with one mutant
// each, and the variable mutant comes from the environment. Mutants outside
// functions, such as those of constants, are compiled one by one.

// mutantVariable is the environment variable that chooses a mutant by number.
const mutantVariable = "MUTANT"

// switchFile is the text of the file, added to each package with mutants, that
// declares the variable and the function that gives up a value. Endless recursion ends
// sooner with less stack.
const switchFile = `package %s

import (
	"os"
	"runtime/debug"
	"strconv"
)

var mutant = func() int {
	debug.SetMaxStack(64 << 20)
	number, _ := strconv.Atoi(os.Getenv("` + mutantVariable + `"))
	return number
}()

func mutantZero[T any](T) (zero T) { return }
`

// canSwitch reports whether mutants in fn can be chosen when the program runs.
// Functions that cannot be called by their name cannot be rewritten.
func canSwitch(fn *ast.FuncDecl) bool {
	if fn.Body == nil || fn.Name.Name == "_" {
		return false
	}
	return fn.Recv != nil || fn.Name.Name != "init" && fn.Name.Name != "main"
}

// withSwitches returns the text of src with the given mutants of it, each
// behind its number. They are in the order of the text.
func withSwitches(src *source, mutants []*Mutant) string {
	var functions, copies strings.Builder
	end := 0
	for first := 0; first < len(mutants); {
		fn, past := mutants[first].fn, first
		for past < len(mutants) && mutants[past].fn == fn {
			past++
		}
		functions.WriteString(src.text[end:src.offset(fn.Pos())])
		functions.WriteString(switchOver(src, mutants[first:past]))
		functions.WriteString("\n\n" + renamed(src, src.text, fn, 0))
		end = src.offset(fn.End())
		for _, m := range mutants[first:past] {
			// The compiler names this file where it refuses the mutant.
			fmt.Fprintf(&copies, "\n//line mutant%d.go:1\n%s\n", m.number, m.copy())
		}
		first = past
	}
	return functions.String() + src.text[end:] + copies.String()
}

// copy returns the function with the mutant in it, under a name of its own.
func (m *Mutant) copy() string {
	return renamed(m.src, m.source(), m.fn, m.number)
}

// renamed returns what is of fn in text, which is that of src with or without a mutant in
// fn, with the name that it has as a mutant.
func renamed(src *source, text string, fn *ast.FuncDecl, number int) string {
	head := text[src.offset(fn.Pos()):src.offset(fn.Name.Pos())]
	tail := text[src.offset(fn.Name.End()) : src.offset(fn.End())+len(text)-len(src.text)]
	return head + mutantName(fn, number) + tail
}

func mutantName(fn *ast.FuncDecl, number int) string {
	return fmt.Sprintf("mutant%d_%s", number, fn.Name.Name)
}

// switchOver returns the function that calls one of the mutants, which are all
// of the same function, or the original.
func switchOver(src *source, mutants []*Mutant) string {
	fn := mutants[0].fn
	head, receiver := "func ", ""
	if fn.Recv != nil {
		head, receiver = "func (mutantR "+src.of(fn.Recv.List[0].Type)+") ", "mutantR."
	}
	typeParams, typeArgs := typeParameters(src, fn)
	params, args := parameters(src, fn)
	results, ret := "", ""
	if fn.Type.Results != nil {
		results, ret = "("+strings.Join(src.types(fn.Type.Results), ", ")+") ", "return "
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s%s(%s) %s{\n\tswitch mutant {\n", head, fn.Name.Name, typeParams, params, results)
	for _, m := range mutants {
		fmt.Fprintf(&b, "\tcase %d:\n\t\t%s%s%s%s(%s)\n", m.number, ret, receiver, mutantName(fn, m.number), typeArgs, args)
	}
	fmt.Fprintf(&b, "\tdefault:\n\t\t%s%s%s%s(%s)\n\t}\n}", ret, receiver, mutantName(fn, 0), typeArgs, args)
	return b.String()
}

// typeParameters returns the type parameters of fn, and their names as
// arguments, both in brackets.
func typeParameters(src *source, fn *ast.FuncDecl) (params, args string) {
	if fn.Type.TypeParams == nil {
		return "", ""
	}
	var names []string
	for _, field := range fn.Type.TypeParams.List {
		for _, name := range field.Names {
			names = append(names, name.Name)
		}
	}
	return src.of(fn.Type.TypeParams), "[" + strings.Join(names, ", ") + "]"
}

// parameters returns the parameters of fn under new names, because some have
// none, and the same as arguments of a call.
func parameters(src *source, fn *ast.FuncDecl) (params, args string) {
	var declared, passed []string
	for i, typ := range src.types(fn.Type.Params) {
		name := fmt.Sprintf("mutantA%d", i)
		declared = append(declared, name+" "+typ)
		if strings.HasPrefix(typ, "...") {
			name += "..."
		}
		passed = append(passed, name)
	}
	return strings.Join(declared, ", "), strings.Join(passed, ", ")
}
