package page

// silence says what happens if the nodes of a pool go silent now.
func (b *builder) silence() { b.Silence = []Silence{} }
