// SPDX-License-Identifier: Apache-2.0

package dynamic

import (
	"encoding/base64"
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// scalar converts a node to a value of the field's kind.
func (f *Field) scalar(n *yaml.Node) (any, error) {
	if f.Kind == String {
		return f.text(n)
	}
	if n.Kind != yaml.ScalarNode {
		return nil, valuef("Value '%s' is expected to be a dictionary but is a %s", pyText(n), pyType(n))
	}
	v := scalarOf(n)
	switch {
	case v == nil:
		return nil, valuef("Value 'None' is expected to be a dictionary but is a NoneType")
	case f.Kind == Bool:
		return truth(v), nil
	case f.Kind == Byte:
		return f.octet(n, v)
	case f.Kind.float():
		return f.float(v)
	}
	return f.integer(v)
}

// text converts every value to its text, as Python's str does.
func (f *Field) text(n *yaml.Node) (any, error) {
	s := pyText(n)
	if !utf8.ValidString(s) {
		return nil, valuef("The '%s' field must be UTF-8", f.Name)
	}
	if f.StringBound > 0 && len(s) > f.StringBound {
		return nil, valuef("The '%s' field must be string value not longer than %d", f.Name, f.StringBound)
	}
	return s, nil
}

// truth reports whether v is true in Python.
func truth(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case *big.Int:
		return v.Sign() != 0
	case float64:
		return v != 0
	case string:
		return v != ""
	}
	return false
}

// octet converts a number, one character, or !!binary.
func (f *Field) octet(n *yaml.Node, v any) (any, error) {
	if n.ShortTag() == "!!binary" && n.Style&yaml.TaggedStyle != 0 {
		data, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(n.Value), ""))
		if err != nil || len(data) != 1 {
			return nil, valuef("The '%s' field must be of type 'bytes' or 'ByteString' with length 1", f.Name)
		}
		return uint64(data[0]), nil
	}
	if s, ok := v.(string); ok {
		if r, size := utf8.DecodeRuneInString(s); size == len(s) && size > 0 && r <= 0xff {
			return uint64(r), nil
		}
		return nil, valuef("The '%s' field must be of type 'bytes' or 'ByteString' with length 1", f.Name)
	}
	return f.integer(v)
}

// float converts numbers and texts of numbers.
func (f *Field) float(v any) (any, error) {
	x := 0.0
	switch v := v.(type) {
	case bool:
		if v {
			x = 1
		}
	case *big.Int:
		x, _ = new(big.Float).SetInt(v).Float64()
	case float64:
		x = v
	case string:
		var err error
		x, err = strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(v), "_", ""), 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) || strings.ContainsAny(v, "xXpP") {
			return nil, valuef("could not convert string to float: %s", pyString(v))
		}
	}
	if f.Kind == Float32 {
		if !math.IsInf(x, 0) && math.Abs(x) > math.MaxFloat32 {
			return nil, valuef("The '%s' field must be a float in [%g, %g]", f.Name, -math.MaxFloat32, math.MaxFloat32)
		}
	}
	return x, nil
}

// integer converts whole numbers and their texts; other numbers are truncated.
func (f *Field) integer(v any) (any, error) {
	i := new(big.Int)
	switch v := v.(type) {
	case bool:
		if v {
			i.SetInt64(1)
		}
	case *big.Int:
		i = v
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, valuef("cannot convert float %s to integer", map[bool]string{true: "NaN", false: "infinity"}[math.IsNaN(v)])
		}
		i, _ = big.NewFloat(v).Int(nil)
	case string:
		var ok bool
		if i, ok = i.SetString(strings.TrimSpace(v), 10); !ok {
			return nil, valuef("invalid literal for int() with base 10: %s", pyString(v))
		}
	}
	bits := 8 * f.Kind.size()
	if f.Kind.signed() {
		if !i.IsInt64() || f.checkSigned(i.Int64()) != nil {
			limit := new(big.Int).Lsh(big.NewInt(1), uint(bits-1))
			return nil, valuef("The '%s' field must be an integer in [-%v, %v]", f.Name, limit, new(big.Int).Sub(limit, big.NewInt(1)))
		}
		return i.Int64(), nil
	}
	if !i.IsUint64() || f.checkUnsigned(i.Uint64()) != nil {
		limit := new(big.Int).Lsh(big.NewInt(1), uint(bits))
		return nil, valuef("The '%s' field must be an unsigned integer in [0, %v]", f.Name, limit.Sub(limit, big.NewInt(1)))
	}
	return i.Uint64(), nil
}

// pyText returns Python's str of a YAML value.
func pyText(n *yaml.Node) string {
	if n.Kind == yaml.ScalarNode {
		switch v := scalarOf(n).(type) {
		case string:
			return v
		case nil:
			return "None"
		case *big.Int:
			return v.String()
		case bool:
			return pyBool(v)
		case float64:
			return pyFloat(v)
		}
	}
	return pyRepr(n, 0)
}

// pyRepr returns Python's repr of a YAML value.
func pyRepr(n *yaml.Node, depth int) string {
	if depth > maxDepth {
		return "..."
	}
	open, end, step := "[", "]", 1
	switch n.Kind {
	case yaml.ScalarNode:
		if s, ok := scalarOf(n).(string); ok {
			return pyString(s)
		}
		return pyText(n)
	case yaml.MappingNode:
		open, end, step = "{", "}", 2
	case yaml.SequenceNode:
	default:
		return "..." // an alias within the value
	}
	parts := make([]string, 0, len(n.Content)/step)
	for i := 0; i+step <= len(n.Content); i += step {
		part := pyRepr(n.Content[i], depth+1)
		if step == 2 {
			part += ": " + pyRepr(n.Content[i+1], depth+1)
		}
		parts = append(parts, part)
	}
	return open + strings.Join(parts, ", ") + end
}

// pyType returns Python's name of a YAML value's type.
func pyType(n *yaml.Node) string {
	switch n.Kind {
	case yaml.SequenceNode:
		return "list"
	case yaml.MappingNode:
		return "dict"
	}
	switch scalarOf(n).(type) {
	case nil:
		return "NoneType"
	case bool:
		return "bool"
	case *big.Int:
		return "int"
	case float64:
		return "float"
	}
	return "str"
}

// parseDefault reads the default of a definition, which is written as YAML.
func parseDefault(f *Field, text string) (any, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) != 1 || f.Kind == Nested {
		return nil, valuef("takes none")
	}
	n := doc.Content[0]
	if f.Container == Single {
		return f.scalar(n)
	}
	var fill filler
	return fill.list(f, n)
}
