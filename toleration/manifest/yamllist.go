package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
)

// batchSize is how much text of a list is converted at a time. The YAML parser
// needs thirty times the size of the text, which is too much for all pods of a
// cluster at once. Larger batches are not faster. Only tests change it.
var batchSize = 256 << 10

// cutList is a document that is a list, as kubectl prints it, cut into pieces
// that are documents on their own.
type cutList struct {
	whole   document
	frame   []byte     // the document with an empty list in place of the items
	batches []document // the items, each batch a list
	from    int        // the line of the first item
	lines   int        // how many lines the items take
}

// cutItems cuts a document at the items of its list. ok is false if it is small
// or does not look like what kubectl prints, with "items:" on a line of its own.
func cutItems(doc document) (list cutList, ok bool) {
	if len(doc.text) <= batchSize {
		return list, false
	}
	head, body, line := cutAfter(doc, "items:")
	list = cutList{whole: doc, from: line}
	rest := list.cutBatches(body)
	if len(list.batches) == 0 {
		return list, false
	}
	list.frame = bytes.Join([][]byte{head, []byte("items: []\n"), rest}, nil)
	return list, true
}

// cutAfter cuts the text of a document around the first line that holds only
// want, and returns the line on which the rest begins.
func cutAfter(doc document, want string) (before, after []byte, line int) {
	line = doc.line
	for text, rest := cutLine(doc.text); len(text) > 0; text, rest = cutLine(rest) {
		line++
		if string(bytes.TrimRight(text, " \t\r\n")) == want {
			return doc.text[:len(doc.text)-len(text)-len(rest)], rest, line
		}
	}
	return doc.text, nil, line
}

// cutBatches takes the items from the beginning of body and returns the rest.
// All items begin with a dash at the same indentation; the first line that is
// indented no further and has none is not theirs.
func (list *cutList) cutBatches(body []byte) (rest []byte) {
	indent, start, at := -1, 0, 0
	line := list.from
	batch := document{line: line}
	for text, rest := cutLine(body); len(text) > 0; text, rest = cutLine(rest) {
		if spaces := len(text) - len(bytes.TrimLeft(text, " ")); !isPreamble(text) {
			starts := (indent < 0 || spaces == indent) && startsItem(text[spaces:])
			if starts {
				indent = spaces
			} else if indent < 0 || spaces <= indent {
				break
			}
			if starts && at-start >= batchSize {
				batch.text = body[start:at]
				list.batches = append(list.batches, batch)
				batch, start = document{line: line}, at
			}
		}
		at += len(text)
		line++
	}
	if indent >= 0 {
		batch.text = body[start:at]
		list.batches = append(list.batches, batch)
	}
	list.lines = line - list.from
	return body[at:]
}

// startsItem reports whether text begins with the dash of a list.
func startsItem(text []byte) bool {
	return bytes.HasPrefix(text, []byte("-")) && endsWord(text[len("-"):])
}

// toJSON converts the list piece by piece. If that fails and there are aliases, an
// item may refer to an anchor in another one, so it converts the whole.
func (list *cutList) toJSON() ([]byte, error) {
	text, err := list.join()
	if err != nil && bytes.IndexByte(list.whole.text, '*') >= 0 {
		return convert(list.whole)
	}
	return text, err
}

func (list *cutList) join() ([]byte, error) {
	fields, err := list.fields()
	if err != nil {
		return nil, err
	}
	text := []byte(`{"items":[`)
	for i, batch := range list.batches {
		items, err := convert(batch)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, items[1:len(items)-1]...) // a batch begins with a dash: it is a list
	}
	text = append(text, ']')
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		key, _ := json.Marshal(name) // a string cannot fail
		text = append(append(text, ','), key...)
		text = append(append(text, ':'), fields[name]...)
	}
	return append(text, '}'), nil
}

// fields converts the fields beside the items.
func (list *cutList) fields() (map[string]json.RawMessage, error) {
	frame, err := convert(document{list.frame, list.whole.line})
	if err != nil {
		if at, ok := errors.AsType[*lineError](err); ok && at.line >= list.from {
			at.line += list.lines
		}
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(frame, &fields); err != nil {
		return nil, errors.New("fields and a list side by side")
	}
	delete(fields, "items")
	return fields, nil
}
