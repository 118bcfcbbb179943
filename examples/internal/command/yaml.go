package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/toleration"
)

// YAML returns a toleration as an item of a list in a manifest, in one line to copy.
func YAML(t *toleration.Toleration) string {
	var fields []string
	add := func(name, value string) { fields = append(fields, name+": "+value) }
	if t.Key != "" {
		add("key", word(t.Key))
	}
	operator := t.Operator
	switch equal := t.Key != "" && (operator == "" || operator == toleration.OpEqual); {
	case equal && t.Value == "":
		operator = toleration.OpExists // of a taint that has no value, as people write it
	case equal:
		operator = toleration.OpEqual // the same, and nobody has to know it
	}
	if operator != "" {
		add("operator", word(string(operator)))
	}
	if t.Value != "" {
		add("value", fmt.Sprintf("%q", t.Value)) // it may look like a number or a boolean
	}
	if t.Effect != "" {
		add("effect", word(string(t.Effect)))
	}
	if t.TolerationSeconds != nil {
		add("tolerationSeconds", fmt.Sprint(*t.TolerationSeconds))
	}
	return "- {" + strings.Join(fields, ", ") + "}"
}

// notWords are what YAML reads as something else than text, in lower case.
var notWords = []string{"true", "false", "yes", "no", "on", "off", "y", "n", "null"}

// word returns text as YAML reads it: without quotes if it is a plain word.
func word(text string) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	if strings.Trim(text, letters+"0123456789._/-") != "" || !strings.ContainsRune(letters, rune(text[0])) || slices.Contains(notWords, strings.ToLower(text)) {
		return fmt.Sprintf("%q", text)
	}
	return text
}

// Notation explains how tolerations are written in one word.
const Notation = "How tolerations are written here: KEY==VALUE:EFFECT is the operator Equal, also as KEY=VALUE:EFFECT where it is left out; KEY:EFFECT is Exists, " +
	"KEY>N and KEY<N are Gt and Lt, \"*\" has no key, without :EFFECT it tolerates every effect, and @N is tolerationSeconds."
