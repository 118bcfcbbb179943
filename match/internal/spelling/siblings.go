package spelling

import "strings"

// siblings reports whether the names of two keys have the same number of words and differ in
// one that has a digit, or that is too short for the slip between them. Case does not matter.
func siblings(a, b string) bool {
	_, a = split(a)
	_, b = split(b)
	as, bs := words(a), words(b)
	if len(as) != len(bs) {
		return false
	}
	for i := range as {
		if !strings.EqualFold(as[i], bs[i]) && (tooShort(as[i], bs[i]) || hasDigit(as[i]) || hasDigit(bs[i])) {
			return true
		}
	}
	return false
}

// words cuts a name at its dots, hyphens and underscores.
func words(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(".-_", r) })
}

// tooShort reports whether one of two words is too short for the slip between them; see
// distance.
func tooShort(a, b string) bool { return min(len(a), len(b)) < 4 && !keepsLetters(a, b) }

// keepsLetters reports whether one word has three letters and the other has the same letters
// and one more after the first, such as "gpu" and "gpus", or the same with two neighbors
// swapped, not the first. A word with a changed letter or another first letter, such as "cpu"
// and "vgpu", is another word.
func keepsLetters(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) != 3 || a[0] != b[0] || slips(a, b) != 1 {
		return false
	}
	changed := 0
	for i := range a {
		if a[i] != b[i] {
			changed++
		}
	}
	return len(b) > len(a) || changed > 1
}

func hasDigit(word string) bool { return strings.ContainsAny(word, "0123456789") }
