// SPDX-License-Identifier: Apache-2.0

package proto

// document is a file as it is written.
type document struct {
	params []*field // of the PROTO's header, with their defaults
	roots  []ref    // of a PROTO its body
	proto  string   // the PROTO's name, empty for a world
}

// param gives a field of the PROTO's header, nil if there is none; it counts as read.
func (d *document) param(name string) *field {
	for _, f := range d.params {
		if f.name == name {
			f.read = true
			return f
		}
	}
	return nil
}

// node is a node of the file.
type node struct {
	kind   string
	line   int
	fields []*field
	// seen is that the builder asked for it, dropped that it said why it has no meaning: then nothing of it is listed.
	seen, dropped bool
}

// ref is a node in its place.
type ref struct {
	*node
	again bool // by USE: it was written elsewhere
}

// field is a field of a node, or of a PROTO's header.
type field struct {
	name string
	line int
	val  value
	read bool
}

// value is what a field has: numbers, strings, booleans or nodes. All empty is NULL, or a list of nothing.
type value struct {
	numbers  []float64
	strings  []string
	booleans []bool
	nodes    []ref
	list     bool
	again    bool // by IS: it was written elsewhere
}

// empty reports whether a value is NULL or a list of nothing.
func (v *value) empty() bool {
	return len(v.numbers) == 0 && len(v.strings) == 0 && len(v.booleans) == 0 && len(v.nodes) == 0
}

// kinds is how many kinds of things a value has. More than one is no value.
func (v *value) kinds() (n int) {
	for _, there := range [...]bool{len(v.numbers) > 0, len(v.strings) > 0, len(v.booleans) > 0, len(v.nodes) > 0} {
		if there {
			n++
		}
	}
	return n
}

// field gives a field, nil if there is none. It does not count as read.
func (n *node) field(name string) *field {
	for _, f := range n.fields {
		if f.name == name {
			return f
		}
	}
	return nil
}
