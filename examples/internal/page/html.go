package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"
)

//go:embed web
var web embed.FS

// modules are the files of the script, each after those that it imports.
var modules = []string{"dom", "data", "state", "view", "paint", "pointer", "matrix", "details", "lists", "silence", "table", "whatif", "main"}

// WriteHTML writes the page as one file. An error is that of w.
func (d *Document) WriteHTML(w io.Writer) error {
	data, err := json.Marshal(d) // escapes <, > and &, so that no name ends the element
	if err != nil {
		return err // never: it is plain data
	}
	page := strings.NewReplacer(
		"{{policy}}", d.Policy(), "{{title}}", html.EscapeString(d.Title), "{{style}}", style(), "{{script}}", script(), "{{data}}", string(data),
	)
	_, err = page.WriteString(w, file("page.html"))
	return err
}

// HTML returns the page as WriteHTML writes it.
func (d *Document) HTML() []byte {
	var out bytes.Buffer
	d.WriteHTML(&out) // a buffer does not fail
	return out.Bytes()
}

// Policy returns the Content-Security-Policy of the page: its own script and style, by
// their hashes, and nothing else. A live page may ask where it came from.
func (d *Document) Policy() string {
	connect := "'none'"
	if d.Live != "" {
		connect = "'self'"
	}
	return fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; connect-src %s; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'",
		hash(script()), hash(style()), connect)
}

// hash returns what a policy calls a script or style.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// file returns a file of the page; those that the program names are there.
func file(name string) string {
	text, err := web.ReadFile("web/" + name)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func style() string { return "\n" + file("page.css") }

// imports and exports are what only separate files need.
var (
	imports = regexp.MustCompile(`(?m)^import .*;\n`)
	exports = regexp.MustCompile(`(?m)^export `)
)

// script returns the modules as one. They share a scope, so that no two of them may
// declare the same name.
func script() string {
	var text strings.Builder
	text.WriteString("\n")
	for _, name := range modules {
		text.WriteString(exports.ReplaceAllString(imports.ReplaceAllString(file(name+".js"), ""), ""))
	}
	return text.String()
}
