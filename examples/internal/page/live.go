package page

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/why"
)

// Limits of a live page.
const (
	maxQuestion = 64 << 10 // bytes of a question
	maxAsking   = 2        // questions that are answered at a time
)

// Live is a page that answers questions: a handler of HTTP that only reads. Its first path
// segment is a secret token, without which there is nothing to find.
//
// Make one with NewLive. It may be used concurrently and must not be copied.
type Live struct {
	token  string
	page   []byte
	source *source
	views  []*matrix
	asking chan struct{}
}

// NewLive returns the page of an input, with a new token. It retains the input.
func NewLive(in *Input) (*Live, error) {
	l := &Live{token: rand.Text(), source: newSource(in), asking: make(chan struct{}, maxAsking)}
	d, err := newDocument(l.source, true)
	if err != nil {
		return nil, err
	}
	l.views = d.Matrices
	l.page, err = render("page.html", d)
	return l, err
}

// Path returns the path of the page, with the token.
func (l *Live) Path() string { return "/" + l.token + "/" }

// ServeHTTP answers GET of the page and POST of a question to ask/plan, ask/why,
// ask/cell and ask/outage, and nothing else.
func (l *Live) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	for name, value := range map[string]string{
		"Content-Security-Policy": policy(true) + "; frame-ancestors 'none'", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
		"Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
	} {
		header.Set(name, value)
	}
	given, rest, found := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if !found || subtle.ConstantTimeCompare([]byte(given), []byte(l.token)) != 1 {
		http.NotFound(w, r)
		return
	}
	answer := map[string]func(io.Reader) ([]byte, error){"ask/plan": l.plan, "ask/why": l.why, "ask/cell": l.cell, "ask/outage": l.outage}[rest]
	switch {
	case rest == "":
		if allowed(w, r, http.MethodGet, http.MethodHead) {
			header.Set("Content-Type", "text/html; charset=utf-8")
			w.Write(l.page) // the reader may be gone
		}
	case answer != nil:
		if allowed(w, r, http.MethodPost) {
			l.ask(w, r, answer)
		}
	default:
		http.NotFound(w, r)
	}
}

// allowed answers requests with another method than those given.
func allowed(w http.ResponseWriter, r *http.Request, methods ...string) bool {
	for _, method := range methods {
		if r.Method == method {
			return true
		}
	}
	w.Header().Set("Allow", strings.Join(methods, ", "))
	http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	return false
}

// ask answers a question. Pages of other origins cannot send its type of content.
func (l *Live) ask(w http.ResponseWriter, r *http.Request, answer func(io.Reader) ([]byte, error)) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		http.Error(w, "want application/json", http.StatusUnsupportedMediaType)
		return
	}
	select {
	case l.asking <- struct{}{}:
		defer func() { <-l.asking }()
	case <-r.Context().Done(): // typed over
		return
	}
	text, err := answer(http.MaxBytesReader(w, r.Body, maxQuestion))
	if large := new(http.MaxBytesError); errors.As(err, &large) {
		http.Error(w, "the question is too large", http.StatusRequestEntityTooLarge)
		return
	}
	if err != nil {
		http.Error(w, "not a question: "+err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(text) // the reader may be gone
}

// read reads a question, which is all that r has.
func read(r io.Reader, question any) error {
	dec := json.NewDecoder(r)
	dec.DisallowUnknownFields()
	if err := dec.Decode(question); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.Join(errors.New("something follows it"), err)
	}
	return nil
}

func (l *Live) plan(r io.Reader) ([]byte, error) {
	q := new(question)
	if err := read(r, q); err != nil {
		return nil, err
	}
	return render("planned", l.source.plan(l.views[0], q))
}

// why answers as tolero why does, for a pod or workload and, perhaps, a node.
func (l *Live) why(r io.Reader) ([]byte, error) {
	var q struct {
		Pod  string `json:"pod"`
		Node string `json:"node"`
	}
	if err := read(r, &q); err != nil {
		return nil, err
	}
	args := []string{"--", q.Pod}
	if q.Node != "" {
		args = []string{"-node=" + q.Node, "--", q.Pod}
	}
	return l.answer(l.source.ask(l.source.Cluster, why.Command, "", args...))
}

// answer shows what a command prints, or what is wrong.
func (l *Live) answer(text string, err error) ([]byte, error) {
	if err != nil {
		text = err.Error()
	}
	return render("blocks", blocksOf(text))
}

// cell explains a cell, which the question names as links do.
func (l *Live) cell(r io.Reader) ([]byte, error) {
	var q struct {
		ID string `json:"id"`
	}
	if err := read(r, &q); err != nil {
		return nil, err
	}
	for _, m := range l.views {
		for _, row := range m.Rows {
			for j := range row.Cells {
				if row.Cells[j].Link == q.ID {
					return render("panel", l.source.panel(m, row, m.Columns[j]))
				}
			}
		}
	}
	return nil, fmt.Errorf("no cell %q", q.ID)
}
