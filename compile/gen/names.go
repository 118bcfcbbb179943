package gen

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"
	"unicode"
	"unicode/utf8"
)

// namedList is a list with its identifiers.
type namedList struct {
	List
	names
}

// names are the identifiers of a list.
type names struct {
	public  string // as asked for, exported or not
	private string // the same, unexported
	title   string // the same, exported as far as it has a capital
}

// name finds identifiers for the lists and refuses those that collide, and lists that are not
// valid.
func name(lists []List, o Options) ([]namedList, error) {
	if !token.IsIdentifier(o.Package) || o.Package == "_" {
		return nil, fmt.Errorf("the package name %q is not a Go identifier", o.Package)
	}
	if len(lists) == 0 {
		return nil, errNoLists
	}
	owners := make(map[string]string)
	named := make([]namedList, len(lists))
	for i, list := range lists {
		n, err := namesOf(list.Name, o)
		if err != nil {
			return nil, fmt.Errorf("list %d: %w", i+1, err)
		}
		for _, identifier := range n.declared(o) {
			if owner, taken := owners[identifier]; taken {
				return nil, fmt.Errorf("list %d: the names %q and %q both need the identifier %s", i+1, owner, list.Name, identifier)
			}
			owners[identifier] = list.Name
		}
		if err := o.Rules.Validate(list.Tolerations); err != nil {
			return nil, fmt.Errorf("list %d, %q: %w", i+1, list.Name, err)
		}
		named[i] = namedList{list, n}
	}
	return named, nil
}

func namesOf(name string, o Options) (names, error) {
	title := camelCase(name)
	first, _ := utf8.DecodeRuneInString(title)
	switch {
	case title == "":
		return names{}, fmt.Errorf("the name %q has no letter or digit for a Go identifier", name)
	case !unicode.IsLetter(first):
		return names{}, fmt.Errorf("the name %q gives no Go identifier: it begins with a digit", name)
	case o.Exported && !unicode.IsUpper(first):
		return names{}, fmt.Errorf("the name %q gives no exported identifier: its first letter has no capital", name)
	}
	n := names{private: lowerFirst(title), title: title}
	n.public = n.private
	if o.Exported {
		n.public = title
	} else if !o.Functions && reserved(n.public) {
		n.public += "List" // as a type it would be a keyword, or hide what the code uses
	}
	return n, nil
}

// camelCase joins the words of a name, each with a capital. All but letters and
// digits separates words.
func camelCase(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool {
		return r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	for i, word := range words {
		first, size := utf8.DecodeRuneInString(word)
		words[i] = string(unicode.ToUpper(first)) + word[size:]
	}
	return strings.Join(words, "")
}

// lowerFirst makes an identifier unexported.
func lowerFirst(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(first)) + s[size:]
}

// reserved reports whether an identifier means something else in a generated
// file, or at the level of a package.
func reserved(identifier string) bool {
	for _, imported := range imports {
		if identifier == imported {
			return true
		}
	}
	return token.IsKeyword(identifier) || types.Universe.Lookup(identifier) != nil || identifier == "init" || identifier == "main"
}

// The questions, as they are called in package match.
const (
	tolerates        = "Tolerates"
	firstUntolerated = "FirstUntolerated"
	decide           = "Decide"
	evictionDelay    = "EvictionDelay"
)

// declared returns all that the generated files may declare in the package.
func (n names) declared(o Options) []string {
	all := []string{n.integer(), n.list(), n.matcher(), "Test" + n.title, "Fuzz" + n.title, "Benchmark" + n.title}
	if !o.Functions {
		return append(all, n.public)
	}
	return append(all, n.stay(), n.public+tolerates, n.public+firstUntolerated, n.public+decide, n.public+evictionDelay)
}

func (n names) stay() string    { return n.private + "Stay" }
func (n names) integer() string { return n.private + "Integer" }
func (n names) list() string    { return n.private + "Tolerations" }
func (n names) matcher() string { return n.private + "Matcher" }
