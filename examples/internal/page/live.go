package page

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
)

// Limits of a live page.
const (
	maxQuestion = 64 << 10 // bytes of a question
	maxAsking   = 2        // questions that are answered at a time
)

// Live is a page that answers what would be if: a handler of HTTP that only reads. Its
// first path segment is a secret token, without which there is nothing to find.
//
// Make one with NewLive. It may be used concurrently and must not be copied.
type Live struct {
	token  string
	page   []byte
	policy string
	cluster
	asking chan struct{}
}

// NewLive returns the page of a fleet, with a new token. It retains strings of the fleet.
func NewLive(f *Fleet) *Live {
	d := New(f)
	d.Live = "whatif"
	l := &Live{token: rand.Text(), page: d.HTML(), policy: d.Policy() + "; frame-ancestors 'none'", asking: make(chan struct{}, maxAsking)}
	l.cluster.load(f)
	return l
}

// Path returns the path of the page, with the token.
func (l *Live) Path() string { return "/" + l.token + "/" }

// ServeHTTP answers GET of the page and POST of a [Question], and nothing else.
func (l *Live) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	for name, value := range map[string]string{
		"Content-Security-Policy": l.policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
		"Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
	} {
		header.Set(name, value)
	}
	given, rest, found := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if !found || subtle.ConstantTimeCompare([]byte(given), []byte(l.token)) != 1 {
		http.NotFound(w, r)
		return
	}
	switch rest {
	case "":
		if allowed(w, r, http.MethodGet, http.MethodHead) {
			header.Set("Content-Type", "text/html; charset=utf-8")
			w.Write(l.page) // the reader may be gone
		}
	case "whatif":
		if allowed(w, r, http.MethodPost) {
			l.ask(w, r)
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
func (l *Live) ask(w http.ResponseWriter, r *http.Request) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		http.Error(w, "want application/json", http.StatusUnsupportedMediaType)
		return
	}
	q, err := readQuestion(http.MaxBytesReader(w, r.Body, maxQuestion))
	if large := new(http.MaxBytesError); errors.As(err, &large) {
		http.Error(w, "the question is too large", http.StatusRequestEntityTooLarge)
		return
	}
	if err != nil {
		http.Error(w, "not a question: "+err.Error(), http.StatusBadRequest)
		return
	}
	select {
	case l.asking <- struct{}{}:
		defer func() { <-l.asking }()
	case <-r.Context().Done(): // typed over
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	json.NewEncoder(w).Encode(l.answer(q)) // the reader may be gone
}

func readQuestion(r io.Reader) (*Question, error) {
	dec := json.NewDecoder(r)
	dec.DisallowUnknownFields()
	q := &Question{}
	if err := dec.Decode(q); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.Join(errors.New("something follows it"), err)
	}
	return q, nil
}
