// SPDX-License-Identifier: Apache-2.0

package world

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// locator finds the nodes of a parsed file, for line numbers and to distinguish a
// missing field from a zero. The zero value locates nothing: the World was made
// by hand.
type locator struct {
	root *yaml.Node
}

// find returns the node at a path of field names and list indices, and whether
// all of the path exists; otherwise the node of its longest part that does.
func (l locator) find(path []any) (*yaml.Node, bool) {
	n := resolve(l.root)
	for _, step := range path {
		var next *yaml.Node
		switch step := step.(type) {
		case string:
			next = field(n, step, 0)
		case int:
			if n != nil && n.Kind == yaml.SequenceNode && step < len(n.Content) {
				next = resolve(n.Content[step])
			}
		}
		if next == nil {
			return n, false
		}
		n = next
	}
	return n, n != nil && n.Tag != "!!null"
}

// has reports whether the file gives a value for the path.
func (l locator) has(path ...any) bool {
	_, ok := l.find(path)
	return ok
}

// maxMerge bounds the depth of merge keys.
const maxMerge = 8

// field returns the value of a key, also one that a merge key brings in.
func field(n *yaml.Node, key string, depth int) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode || depth > maxMerge {
		return nil
	}
	var merged *yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		switch k := n.Content[i]; {
		case k.Value == key:
			return resolve(n.Content[i+1])
		case k.Tag == "!!merge":
			from := resolve(n.Content[i+1])
			list := []*yaml.Node{from}
			if from != nil && from.Kind == yaml.SequenceNode {
				list = from.Content
			}
			for _, m := range list {
				if v := field(resolve(m), key, depth+1); v != nil && merged == nil {
					merged = v
				}
			}
		}
	}
	return merged
}

// resolve goes through documents and aliases.
func resolve(n *yaml.Node) *yaml.Node {
	for n != nil {
		switch {
		case n.Kind == yaml.DocumentNode && len(n.Content) > 0:
			n = n.Content[0]
		case n.Kind == yaml.AliasNode:
			n = n.Alias
		default:
			return n
		}
	}
	return nil
}

// pathAt returns the path of the deepest node that a line can mean: where
// several begin on it, that of what they are in.
func (l locator) pathAt(line int) string {
	n := resolve(l.root)
	var path []any
	for {
		next, step := childAt(n, line)
		if next == nil {
			break
		}
		n, path = next, append(path, step) // an alias is elsewhere in the file
	}
	return pathString(path)
}

// childAt returns the only child that begins on a line, or the last one that
// begins before it.
func childAt(n *yaml.Node, line int) (child *yaml.Node, step any) {
	if n == nil || n.Kind != yaml.MappingNode && n.Kind != yaml.SequenceNode {
		return nil, nil
	}
	width := 1 // a mapping's keys and values alternate
	if n.Kind == yaml.MappingNode {
		width = 2
	}
	for i := 0; i+width <= len(n.Content); i += width {
		first := n.Content[i]
		switch {
		case first.Line > line:
			return child, step
		case first.Line == line && i > 0 && n.Content[i-width].Line == line:
			return nil, nil
		}
		child, step = n.Content[i+width-1], any(i)
		if width == 2 {
			step = first.Value
		}
	}
	return child, step
}

// pathString writes a path as boxes[2].size[0].
func pathString(path []any) string {
	var b strings.Builder
	for i, step := range path {
		switch step := step.(type) {
		case int:
			fmt.Fprintf(&b, "[%d]", step)
		default:
			if i > 0 {
				b.WriteByte('.')
			}
			fmt.Fprint(&b, step)
		}
	}
	return b.String()
}
