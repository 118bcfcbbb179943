package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"runtime/debug"
	"strings"
	"unicode"

	"github.com/tolero-dev/tolero/examples/internal/command"
)

//go:embed web
var web embed.FS

// file returns a file of the page; those that the program names are there.
func file(name string) string {
	text, err := web.ReadFile("web/" + name)
	if err != nil {
		panic(err)
	}
	return string(text)
}

var templates = template.Must(template.New("page.html").Funcs(template.FuncMap{
	"style":  func() template.CSS { return template.CSS("\n" + file("page.css")) },
	"script": func() template.JS { return template.JS("\n" + file("page.js")) },
	"policy": policy,
	"number": func(n int64) string { return command.Thousands(n) },
	"plural": func(n int64, what string) string { return command.Plural(n, what) },
	"text":   readable,
	"halves": halves,
	"short":  func(text string) string { return cutTo(readable(text), 40) },
	"add1":   func(n int) int { return n + 1 },
}).Parse(file("page.html")))

// policy returns the Content-Security-Policy of the page: its own script and style, by their
// hashes, and pictures that are in it. A live page may ask where it came from, and only its one
// function makes markup of the answers, which come from templates.
func policy(live bool) string {
	connect := "'none'"
	if live {
		connect = "'self'"
	}
	return fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; img-src data:; connect-src %s; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types tolero",
		hash("\n"+file("page.js")), hash("\n"+file("page.css")), connect)
}

// hash returns what a policy calls a script or style.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// readable returns a text without control characters, and its long words cut.
func readable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || r == '\n' {
			return r
		}
		return unicode.ReplacementChar
	}, cuts(text))
}

// halves returns the beginning and the end of a name: where there is no room, the page cuts
// between them, because names often differ at the end only.
func halves(text string) [2]string {
	const end = 12
	runes := []rune(cut(readable(text)))
	n := max(0, len(runes)-end)
	return [2]string{string(runes[:n]), string(runes[n:])}
}

// render returns a part of the page.
func render(name string, data any) ([]byte, error) {
	var out bytes.Buffer
	err := templates.ExecuteTemplate(&out, name, data)
	return out.Bytes(), err
}

// HTML returns the page as one file that needs no network. While it runs, the whole process
// collects garbage more often, so one call at a time.
func HTML(in *Input) ([]byte, error) {
	// Beside an input of 1,000,000 pods, the garbage that is usually left would be larger than the page needs.
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	d, err := newDocument(newSource(in), false)
	if err != nil {
		return nil, err
	}
	return render("page.html", d)
}
