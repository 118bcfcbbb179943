package taint

import (
	"errors"
	"strings"
)

// Limits of the Kubernetes API, in bytes.
const (
	maxPrefix = 253 // the prefix of a qualified name
	maxName   = 63  // the name part of a qualified name
	maxValue  = 63  // a label value
)

// CheckKey returns nil if key is a qualified name, as valid taints and
// tolerations need, and else an error with every fault. A qualified name is an
// optional DNS subdomain of at most 253 characters and a slash, then a name of 1
// to 63 letters, digits, "-", "_" and "." that begins and ends with a letter or
// digit (rules V1, V2, K2). The error does not repeat the key.
func CheckKey(key string) error {
	return asError(keyFaults(key))
}

// CheckValue returns nil if value is a label value, as valid taints need, and
// else an error with every fault. A label value is empty, or at most 63 letters,
// digits, "-", "_" and "." that begin and end with a letter or digit (rules V1,
// V2, K2). The error does not repeat the value.
func CheckValue(value string) error {
	return asError(valueFaults(value))
}

func asError(faults []string) error {
	if len(faults) == 0 {
		return nil
	}
	return errors.New(strings.Join(faults, "; "))
}

func keyFaults(key string) []string {
	prefix, name, hasPrefix := strings.Cut(key, "/")
	if !hasPrefix {
		return nameFaults(key)
	}
	if strings.Contains(name, "/") {
		return []string{`must be a name with an optional DNS subdomain and one "/" in front`}
	}
	return append(prefixFaults(prefix), nameFaults(name)...)
}

func prefixFaults(prefix string) []string {
	if prefix == "" {
		return []string{`the part before "/" must not be empty`}
	}
	var faults []string
	if len(prefix) > maxPrefix {
		faults = append(faults, `the part before "/" must be no more than 253 characters`)
	}
	if !isSubdomain(prefix) {
		faults = append(faults, `the part before "/" must consist of lower case letters, digits, "-" and ".", `+
			`and each of its labels must begin and end with a letter or digit`)
	}
	return faults
}

func nameFaults(name string) []string {
	if name == "" {
		return []string{"the name must not be empty"}
	}
	var faults []string
	if len(name) > maxName {
		faults = append(faults, "the name must be no more than 63 characters")
	}
	if !isName(name) {
		faults = append(faults, "the name "+nameForm)
	}
	return faults
}

func valueFaults(value string) []string {
	var faults []string
	if len(value) > maxValue {
		faults = append(faults, "must be no more than 63 characters")
	}
	if value != "" && !isName(value) {
		faults = append(faults, nameForm)
	}
	return faults
}

const nameForm = `must consist of letters, digits, "-", "_" and ".", and begin and end with a letter or digit`

// isName reports whether s is not empty, begins and ends with a letter or
// digit, and has only those, "-", "_" and "." between.
func isName(s string) bool {
	if s == "" || !isAlnum(s[0]) || !isAlnum(s[len(s)-1]) {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isAlnum(c) && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return true
}

// isSubdomain reports whether s is one or more labels separated by dots, each
// of lower case letters, digits and inner dashes. A label may have any length.
func isSubdomain(s string) bool {
	for label := range strings.SplitSeq(s, ".") {
		if !isName(label) || strings.ContainsAny(label, "_ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
			return false
		}
	}
	return true
}

func isAlnum(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
