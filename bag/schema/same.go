// SPDX-License-Identifier: Apache-2.0

package schema

import "strings"

// Definition is what a recording has of a type: its definition in an encoding, and the type hash (RIHS01 …). Both may
// be empty.
type Definition struct {
	Encoding, Text, Hash string
}

// Same reports whether two definitions of the type of a name are of the same messages, as far as they can be compared:
// by their hashes, recorded or computed; if a nested type is not defined, by the fields of those that are; and in an
// encoding that this package does not read, by the text without white space. Comments, constants, defaults and the
// names of files make no difference. It returns true if one of them has nothing to compare.
func Same(rosType string, a, b Definition) bool {
	if a.Hash != "" && b.Hash != "" {
		return a.Hash == b.Hash
	}
	one, other := a.TypeHash(rosType), b.TypeHash(rosType)
	switch {
	case one != "" && other != "":
		return one == other
	case a.Text == "" && a.Encoding == "" || b.Text == "" && b.Encoding == "":
		return true
	}
	defsA, errA := readAny(rosType, a)
	defsB, errB := readAny(rosType, b)
	if errA == nil && errB == nil {
		return defsA.agree(defsB)
	}
	return a.Encoding != b.Encoding || strings.Join(strings.Fields(a.Text), " ") == strings.Join(strings.Fields(b.Text), " ")
}

// TypeHash returns the hash that was recorded, or that of the definition of the type of a name; "" if neither is known.
func (d Definition) TypeHash(rosType string) string {
	if d.Hash != "" || d.Encoding == "" {
		return d.Hash
	}
	t, err := Parse(rosType, d.Encoding, d.Text, nil)
	if err != nil {
		return ""
	}
	return t.Hash()
}

// readAny is read, also for definitions of ROS 1, which differ from ROS 2's in the names of types only.
func readAny(rosType string, d Definition) (definitions, error) {
	if d.Encoding == "ros1msg" {
		d.Encoding = encodingMsg
	}
	return read(rosType, d.Encoding, d.Text)
}

// agree reports whether the types that both define have the same fields.
func (d definitions) agree(other definitions) bool {
	for name, text := range d {
		if theirs, ok := other[name]; ok && withoutDefaults(text) != withoutDefaults(theirs) {
			return false
		}
	}
	return true
}

// withoutDefaults returns the types and names of fields.
func withoutDefaults(fields string) string {
	var out strings.Builder
	for line := range strings.Lines(fields) {
		rosType, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		name, _, _ := strings.Cut(rest, " ")
		out.WriteString(rosType + " " + name + "\n")
	}
	return out.String()
}
