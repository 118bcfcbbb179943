package main

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// maxSiblings is how many other constants of its group a constant is replaced
// by. It covers the effects and operators of Kubernetes; of a long list, such
// as that of the known keys, a few neighbours do.
const maxSiblings = 4

// groups gives for the name of a constant, with the name of its package and a
// dot in front if that is another one, the names to replace it by.
type groups map[string][]string

// addFile adds the constants of a file. prefix is "" or a package name and a
// dot.
func (g groups) addFile(file *ast.File, prefix string) {
	for _, decl := range file.Decls {
		if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.CONST {
			g.addGroup(gen, prefix)
		}
	}
}

func (g groups) addGroup(decl *ast.GenDecl, prefix string) {
	var names, values []string
	for _, spec := range decl.Specs {
		spec := spec.(*ast.ValueSpec)
		for i, name := range spec.Names {
			if name.Name == "_" || prefix != "" && !name.IsExported() {
				continue
			}
			value := ""
			if i < len(spec.Values) {
				if lit, ok := spec.Values[i].(*ast.BasicLit); ok {
					value = lit.Value
				}
			}
			names, values = append(names, prefix+name.Name), append(values, value)
		}
	}
	for i, name := range names {
		for j := 1; j < len(names) && len(g[name]) < maxSiblings; j++ {
			k := (i + j) % len(names)
			if values[i] == "" || values[i] != values[k] {
				g[name] = append(g[name], names[k])
			}
		}
	}
}

// name adds the mutants of an identifier: true and false swapped, a constant
// replaced by others of its group.
func (f *finder) name(n *ast.Ident) {
	if f.isDefinition(n) {
		return
	}
	switch n.Name {
	case "true":
		f.replaceNode(n, "false")
	case "false":
		f.replaceNode(n, "true")
	}
	for _, other := range f.src.groups[n.Name] {
		f.replaceNode(n, other)
	}
}

// selector adds the mutants of a constant of another package.
func (f *finder) selector(n *ast.SelectorExpr) {
	if x, ok := n.X.(*ast.Ident); ok {
		for _, other := range f.src.groups[x.Name+"."+n.Sel.Name] {
			f.replaceNode(n, other)
		}
	}
}

// isDefinition reports whether n, at the current place, is the name of what is
// declared or of a field or method, and so no constant.
func (f *finder) isDefinition(n *ast.Ident) bool {
	if len(f.around) == 0 {
		return false
	}
	switch parent := f.around[len(f.around)-1].(type) {
	case *ast.SelectorExpr:
		return n == parent.Sel
	case *ast.ValueSpec:
		return n.Pos() < parent.Names[len(parent.Names)-1].End()
	case *ast.KeyValueExpr:
		return n == parent.Key && !f.inMap()
	case *ast.FuncDecl, *ast.TypeSpec, *ast.LabeledStmt, *ast.BranchStmt:
		return true
	case *ast.Field:
		return n != parent.Type
	}
	return false
}

// inMap reports whether the composite literal around the current place is seen
// to be a map or an array, whose keys are values and not names of fields.
func (f *finder) inMap() bool {
	lit, ok := f.around[len(f.around)-2].(*ast.CompositeLit)
	if !ok {
		return false
	}
	switch lit.Type.(type) {
	case *ast.MapType, *ast.ArrayType:
		return true
	}
	return false
}

// imported returns the path of each import of file by the name that the file
// uses for it.
func imported(file *ast.File) map[string]string {
	paths := map[string]string{}
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		paths[name] = path
	}
	return paths
}
