package manifest

import (
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestErrors(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", "f: empty: no document in it"},
		{"white space", " \n\n", "f: empty: no document in it"},
		{"comments", "# a\n---\n# b\n", "f: empty: no document in it"},
		{"UTF-16, big end first", "\xfe\xff\x00k", "f: the text is UTF-16, as PowerShell's > writes it; save it as UTF-8"},
		{"a brace", "}", "f: document 1, line 1: did not find expected node content"},
		{"YAML directive", "%YAML 1.1\n---\nkind: Pod\n\tspec: {}\n", "f: document 1, line 4: found a tab character that violates indentation"},
		{"UTF-16", "\xff\xfek\x00", "f: the text is UTF-16, as PowerShell's > writes it; save it as UTF-8"},
		{"JSON that is cut off", "{\"kind\":\"Pod\",\n\"spec\":{\n", "f: document 1, line 3: the JSON ends in the middle of a value"},
		{"JSON that is cut off in a value that is skipped", "{\"kind\":\"Pod\",\n\"status\":{\"x\":[1,\n", "f: document 1, line 3: the JSON ends in the middle of a value"},
		{"JSON without a comma", "{\"kind\":\n\"Pod\"\n\"spec\":1}", "f: document 1, line 3: invalid character '\"' after object key:value pair"},
		{"JSON error in a value that is skipped", "{\"kind\":\"Pod\",\n\"status\":{\n\n\"a\":tru}}", "f: document 1, line 4: invalid character '}' in literal true (expecting 'e')"},
		{"JSON error in an object that is skipped", "{\"kind\":\"Pod\",\n\"other\":{\n\n\"a\":tru}}", "f: document 1, line 4: invalid character '}' in literal true (expecting 'e')"},
		{"JSON error before another", "{\"kind\":\"Pod\"\n{\n\n\"a\":tru}}", "f: document 1, line 2: invalid character '{' after object key:value pair"},
		{"JSON error before a lesser one", "{\"kind\":\"Pod\"\n[\n\n\"a\" 1]}", "f: document 1, line 2: invalid character '[' after object key:value pair"},
		{"JSON without a colon in a spec", "{\"kind\":\"Pod\",\"spec\":{\"x\" 1}}", "f: document 1, line 1: expected colon after object key"},
		{"JSON without a colon in a selector", "{\"kind\":\"Pod\",\"spec\":{\"nodeSelector\":{\"x\" 1}}}", "f: document 1, line 1: invalid character '1' after object key"},
		{"JSON without a colon in an affinity", "{\"kind\":\"Pod\",\"spec\":{\"affinity\":{\"x\" 1}}}", "f: document 1, line 1: invalid character '1' after object key"},
		{"JSON without a colon in a job", "{\"kind\":\"CronJob\",\"spec\":{\"jobTemplate\":{\"x\" 1}}}", "f: document 1, line 1: expected colon after object key"},
		{"JSON without a colon in a template", "{\"kind\":\"PodTemplate\",\"template\":{\"x\" 1}}", "f: document 1, line 1: expected colon after object key"},
		{"JSON error in the second object", nodeJSON + "\n{\"kind\":}", "f: document 2, line 2: invalid character '}' looking for beginning of value"},
		{"text after JSON", nodeJSON + "\nkind: Pod\n", "f: document 2, line 2: invalid character 'k' looking for beginning of value"},
		{"YAML error after JSON", nodeJSON + "\n\n---\nkind: Pod\na: [\n", "f: document 2, line 6: did not find expected node content"},
		{"YAML flow", "kind: Node\n---\nkind: Pod\nspec: {a: [b}\n", "f: document 2, line 4: did not find expected ',' or ']'"},
		{"YAML tab", "kind: Node\n---\nkind: Pod\n\tspec: {}\n", "f: document 2, line 4: found a tab character that violates indentation"},
		{"YAML with two values", "---\n" + nodeJSON + "\n" + podJSON + "\n", "f: document 1, line 3: did not find expected key"},
		{"YAML with less indentation", "   kind: Node\n  spec: {}\n", "f: document 1, line 2: did not find expected key"},
		{"YAML alias without anchor", "kind: *a\n", "f: document 1, line 1: unknown anchor 'a' referenced"},
		{"binary", "kind\x00", "f: document 1, line 1: control characters are not allowed"},
		{"binary, after a document", "kind: Node\n---\nkind: Pod\nname: \x01\n", "f: document 2, line 4: control characters are not allowed"},
		{"binary, after a JSON document", nodeJSON + "\n---\n\x1b", "f: document 2, line 3: control characters are not allowed"},
		{"zstd", "\x28\xb5\x2f\xfd\x04", "f: the data is zstd, which is not read; unpack it first"},
		{"zip", "PK\x03\x04\x14", "f: the data is zip, which is not read; unpack it first"},
		{"xz", "\xfd7zXZ", "f: the data is xz, which is not read; unpack it first"},
		{"bzip2", "BZh91AY", "f: the data is bzip2, which is not read; unpack it first"},
		{"cut gzip", zipped(nodeJSON)[:30], "f: the gzip data ends too early"},
		{"cut gzip of YAML", zipped(nodeYAML)[:30], "f: the gzip data ends too early"},
		{"cut header of gzip", zipped(nodeYAML)[:6], "f: it begins as gzip does: the gzip data ends too early"},
		{"a number", "17", "f: document 1, line 1: not a Kubernetes object: want an object, found a number"},
		{"text", "hello\n", "f: document 1, line 1: not a Kubernetes object: want an object, found the text \"hello\""},
		{"a table", "NAME     STATUS   ROLES    AGE   VERSION   INTERNAL-IP\nnode-1   Ready\n", "f: document 1, line 1: not a Kubernetes object: want an object, found the text \"NAME     STATUS   ROLES    AGE   VERSION\""},
		{"no kind", "{}", "f: document 1, line 1: not a Kubernetes object: it has no kind"},
		{"no kind in YAML", "kind: Node\n---\nreplicas: 3\n", "f: document 2, line 2: not a Kubernetes object: it has no kind"},
		{"no kind in a list", `{"kind":"List","items":[{}]}`, "f: document 1, line 1: not a Kubernetes object: items[0] has no kind"},
		{"items that are none", `{"kind":"List","items":{}}`, "f: document 1, line 1: not a Kubernetes object: items: want a list, found an object"},
		{"an item that is none", `{"kind":"List","items":[null]}`, "f: document 1, line 1: not a Kubernetes object: items[0]: want an object, found null"},
		{"deep lists", strings.Repeat(`{"kind":"List","items":[`, 20), "f: document 1, line 1: lists within lists, more than 16 deep"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var l Loader
			err := l.Read("f", strings.NewReader(test.text))
			if err == nil || err.Error() != test.want {
				t.Errorf("error %v\nwant  %s", err, test.want)
			}
		})
	}
}

func zipped(text string) string {
	var b strings.Builder
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, text) // nothing fails in memory
	_ = w.Close()
	return b.String()
}

// Binary data without a line feed is refused where it begins, in little memory.
func TestBinaryIsNotHeld(t *testing.T) {
	in := &endless{}
	var l Loader
	if err := l.Read("f", in); err == nil || err.Error() != "f: document 1, line 1: control characters are not allowed" || in.read > 1<<20 {
		t.Errorf("%v, after %d bytes", err, in.read)
	}
}

// endless has zeros, up to as many as fit into memory.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	if e.read += len(p); e.read > 50<<20 {
		return 0, io.EOF
	}
	clear(p)
	return len(p), nil
}

func TestErrEmpty(t *testing.T) {
	var l Loader
	if err := l.Read("f", strings.NewReader("")); !errors.Is(err, ErrEmpty) {
		t.Errorf("got %v", err)
	}
}

// TestDeepNesting shows that recursion is bounded whatever the input.
func TestDeepNesting(t *testing.T) {
	const deep = 1_000_000
	for _, text := range []string{
		`{"kind":"CronJob","spec":` + strings.Repeat(`{"jobTemplate":{"spec":`, deep),
		`{"kind":"Pod","spec":{"tolerations":` + strings.Repeat(`[`, deep),
		`{"kind":"Pod","spec":{"tolerations":[{"key":` + strings.Repeat(`{"a":`, deep),
		`{"kind":"Pod","status":` + strings.Repeat(`[`, deep),
		strings.Repeat(`[`, deep),
		"kind: Pod\nstatus: " + strings.Repeat("[", deep),
	} {
		var l Loader
		if err := l.Read("f", strings.NewReader(text)); err == nil {
			t.Errorf("no error for %.60s...", text)
		}
	}
}
