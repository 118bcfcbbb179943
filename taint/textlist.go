package taint

// TextList is a list of taints with a text form, for flags, environment
// variables and configuration files:
//
//	var taints taint.TextList
//	flag.TextVar(&taints, "taints", taint.TextList{}, "taints of new nodes")
//
// It converts to and from []Taint. [Taint] itself has no text methods, because
// encoding/json would then write it as a string and not as the Kubernetes API
// does; a TextList is written to JSON as a string.
//
// The zero TextList is empty. Copies share the taints. It may be read
// concurrently; UnmarshalText writes to it.
type TextList []Taint

// String returns the text of [FormatList].
func (l TextList) String() string {
	return FormatList(l)
}

// MarshalText returns the text of [FormatList]. A list that UnmarshalText would refuse is an
// error.
func (l TextList) MarshalText() ([]byte, error) {
	text := AppendList([]byte{}, l)
	if _, err := ParseList(string(text)); err != nil {
		return nil, err
	}
	return text, nil
}

// UnmarshalText replaces the list by the one that [ParseList] reads. It
// validates; an error leaves the list as it was.
func (l *TextList) UnmarshalText(text []byte) error {
	taints, err := ParseList(string(text))
	if err != nil {
		return err
	}
	*l = taints
	return nil
}
