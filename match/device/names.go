package device

import (
	"errors"
	"fmt"
	"strings"
)

// Limits of the Kubernetes API, in bytes.
const (
	maxLabel     = 63  // of a device's name, and of a driver's
	maxSubdomain = 253 // of a pool's name
)

// checkDriver returns why name cannot be that of a driver, or nil. Case does not
// matter here, but it does where names are compared.
func checkDriver(name string) error {
	if len(name) > maxLabel {
		return fmt.Errorf("must be no more than %d characters", maxLabel)
	}
	if !isSubdomain(strings.ToLower(name)) {
		return errors.New(`must be a DNS subdomain: letters, digits, "-" and "."`)
	}
	return nil
}

// checkPool returns why name cannot be that of a pool, or nil.
func checkPool(name string) error {
	if len(name) > maxSubdomain {
		return fmt.Errorf("must be no more than %d characters", maxSubdomain)
	}
	for part := range strings.SplitSeq(name, "/") {
		if !isSubdomain(part) {
			return errors.New(`must be lower case DNS subdomains separated by "/"`)
		}
	}
	return nil
}

// checkDevice returns why name cannot be that of a device, or nil.
func checkDevice(name string) error {
	if len(name) > maxLabel || !isLabel(name) {
		return fmt.Errorf(`must be at most %d lower case letters, digits and "-", and begin and end with a letter or digit`, maxLabel)
	}
	return nil
}

// isSubdomain reports whether s is labels separated by dots. Its length is not checked.
func isSubdomain(s string) bool {
	for label := range strings.SplitSeq(s, ".") {
		if !isLabel(label) {
			return false
		}
	}
	return true
}

// isLabel reports whether s is lower case letters, digits and "-", and begins and
// ends with a letter or digit. Its length is not checked.
func isLabel(s string) bool {
	if s == "" || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c != '-' && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}
