package toleration

// TextList is a list of tolerations with a text form, for flags, environment
// variables and configuration files:
//
//	var tolerations toleration.TextList
//	flag.TextVar(&tolerations, "tolerations", toleration.TextList{}, "tolerations of the pods")
//
// It converts to and from []Toleration. [Toleration] itself has no text methods,
// because encoding/json would then write it as a string and not as the
// Kubernetes API does; a TextList is written to JSON as a string.
//
// The zero TextList is empty. Copies share the tolerations. It may be read
// concurrently; UnmarshalText writes to it.
type TextList []Toleration

// String returns the text of [FormatList].
func (l TextList) String() string {
	return FormatList(l)
}

// MarshalText returns the text of [FormatList]. A list that is not valid for some cluster,
// which UnmarshalText would refuse, is an error, that of [Rules.Validate].
func (l TextList) MarshalText() ([]byte, error) {
	if err := (Rules{Comparisons: true}).Validate(l); err != nil {
		return nil, err
	}
	return AppendList([]byte{}, l), nil
}

// UnmarshalText replaces the list by the one that [ParseList] reads. It
// validates; an error leaves the list as it was.
func (l *TextList) UnmarshalText(text []byte) error {
	tolerations, err := ParseList(string(text))
	if err != nil {
		return err
	}
	*l = tolerations
	return nil
}
