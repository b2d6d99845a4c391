// SPDX-License-Identifier: Apache-2.0

package dynamic

import (
	"fmt"
	"math/big"

	"go.yaml.in/yaml/v3"
)

// ReadYAML parses any YAML 1.1 document to nil, bool, int64, float64, string, []any or [Map]. Integers beyond int64 and
// dates become strings. An error wraps [ErrValue].
func ReadYAML(text string) (any, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrValue, err)
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	var f filler
	return f.tree(doc.Content[0], 0)
}

// tree returns a node with its descendants.
func (f *filler) tree(n *yaml.Node, depth int) (any, error) {
	n, err := f.resolve(n)
	if err != nil {
		return nil, err
	}
	if depth > maxDepth {
		return nil, valuef("values are nested %d levels deep", depth)
	}
	switch n.Kind {
	case yaml.SequenceNode:
		list := make([]any, 0, len(n.Content))
		for _, c := range n.Content {
			v, err := f.tree(c, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	case yaml.MappingNode:
		m := make(Map, 0, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			v, err := f.tree(n.Content[i+1], depth+1)
			if err != nil {
				return nil, err
			}
			m = append(m, Entry{n.Content[i].Value, v})
		}
		return m, nil
	}
	v := scalarOf(n)
	if i, ok := v.(*big.Int); ok {
		if !i.IsInt64() {
			return n.Value, nil
		}
		return i.Int64(), nil
	}
	return v, nil
}

// Get returns the value of a key.
func (m Map) Get(key string) (any, bool) {
	for _, e := range m {
		if e.Key == key {
			return e.Value, true
		}
	}
	return nil, false
}
