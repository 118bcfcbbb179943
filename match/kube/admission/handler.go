package admission

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"time"

	v1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/tolero-dev/tolero/match/kube/admission/internal/plain"
	"github.com/tolero-dev/tolero/toleration"
)

const (
	// A kube-apiserver takes objects of up to 3 MiB, and a review has the old one and the new.
	maxBytes = 8 << 20
	// A kube-apiserver waits ten seconds for a webhook, unless told otherwise.
	readTimeout = 10 * time.Second
)

// handler answers reviews: it is the whole of HTTP.
type handler struct {
	// answer is asked about objects that have tolerations at path, or could have.
	answer  func(r *v1.AdmissionRequest, path string, list []toleration.Toleration) *v1.AdmissionResponse
	timeout time.Duration // for the body
}

// httpError is an answer to what is no review.
type httpError struct {
	code int
	text string
}

func (e *httpError) Error() string { return e.text }

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	request, err := h.read(w, r)
	if e := (*httpError)(nil); errors.As(err, &e) {
		http.Error(w, e.text, e.code)
		return
	}
	response := h.respond(request)
	response.UID = request.UID
	body, err := json.Marshal(v1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: v1.SchemeGroupVersion.String(), Kind: "AdmissionReview"},
		Response: response,
	})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body) // a client that has gone needs no answer
}

// respond answers what has no tolerations, or none that can be read, and asks about the rest.
func (h handler) respond(r *v1.AdmissionRequest) *v1.AdmissionResponse {
	path, err := podSpec(r)
	if err == nil && path == "" {
		return &v1.AdmissionResponse{Allowed: true}
	}
	var list []toleration.Toleration
	if err == nil {
		list, err = tolerationsOf(r.Object.Raw, path)
	}
	if err != nil {
		return refuse(http.StatusBadRequest, metav1.StatusReasonBadRequest, err)
	}
	return h.answer(r, path, list)
}

// read returns the request of a review, or an *httpError.
func (h handler) read(w http.ResponseWriter, r *http.Request) (*v1.AdmissionRequest, error) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return nil, &httpError{http.StatusMethodNotAllowed, fmt.Sprintf("method %q: want POST", r.Method)}
	}
	content := r.Header.Get("Content-Type")
	if kind, _, err := mime.ParseMediaType(content); err != nil || kind != "application/json" {
		return nil, &httpError{http.StatusUnsupportedMediaType, fmt.Sprintf("content type %q: want application/json", content)}
	}
	// A server without deadlines, such as a test's recorder, does without.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(h.timeout))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBytes))
	switch large := (*http.MaxBytesError)(nil); {
	case errors.As(err, &large):
		return nil, &httpError{http.StatusRequestEntityTooLarge, fmt.Sprintf("the body has more than %d bytes", maxBytes)}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, &httpError{http.StatusRequestTimeout, fmt.Sprintf("the body did not come within %v", h.timeout)}
	case err != nil:
		return nil, &httpError{http.StatusBadRequest, "the body ends too early: " + err.Error()}
	}
	return parse(body)
}

// parse returns the request of the review that body has, or an *httpError.
func parse(body []byte) (*v1.AdmissionRequest, error) {
	var review v1.AdmissionReview
	text := ""
	if err := json.Unmarshal(body, &review); err != nil {
		text = plain.Error("the body", err).Error()
	} else if want := v1.SchemeGroupVersion.String(); review.APIVersion != want {
		text = fmt.Sprintf("apiVersion %q: want %q", review.APIVersion, want)
	} else if review.Kind != "AdmissionReview" {
		text = fmt.Sprintf("kind %q: want %q", review.Kind, "AdmissionReview")
	} else if review.Request == nil {
		text = "request: missing"
	} else if review.Request.UID == "" {
		text = "request.uid: missing"
	}
	if text != "" {
		return nil, &httpError{http.StatusBadRequest, text}
	}
	return review.Request, nil
}

// refuse returns a response that does not allow a request.
func refuse(code int32, reason metav1.StatusReason, err error) *v1.AdmissionResponse {
	return &v1.AdmissionResponse{Result: &metav1.Status{
		Status: metav1.StatusFailure, Code: code, Reason: reason, Message: err.Error(),
	}}
}
