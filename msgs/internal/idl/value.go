// SPDX-License-Identifier: Apache-2.0

package idl

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Value is a constant or default of a base type, which determines the field that is set: bool, integer, float or
// string.
type Value struct {
	Bool  bool
	Int   int64 // signed integers
	Uint  uint64
	Float float64
	Str   string
}

// parseDefault parses the default of a field of type t.
func parseDefault(t Type, s string) ([]Value, error) {
	if t.Base == Nested {
		return nil, fmt.Errorf("%w: a nested type takes no default", ErrValue)
	}
	if t.Container == Single {
		v, err := parseValue(t, s)
		return []Value{v}, err
	}
	if len(s) < 2 || s[0] != '[' || s[len(s)-1] != ']' {
		return nil, fmt.Errorf("%w: %q is not a list in brackets", ErrValue, s)
	}
	values := []Value{}
	for _, e := range splitList(s[1 : len(s)-1]) {
		v, err := parseValue(t, e)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	n := len(values)
	if t.Container == Array && n != t.Size || t.Container == BoundedSeq && n > t.Size {
		return nil, fmt.Errorf("%w: %d elements, the type has %d", ErrValue, n, t.Size)
	}
	return values, nil
}

// splitList splits at commas outside of quotes.
func splitList(s string) []string {
	if strings.TrimSpace(s) == "" {
		return nil
	}
	var parts []string
	var quote byte
	start := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && c == ',':
			parts = append(parts, strings.TrimSpace(s[start:i]))
			start = i + 1
		}
	}
	return append(parts, strings.TrimSpace(s[start:]))
}

// parseValue parses one value of the base type of t.
func parseValue(t Type, s string) (v Value, err error) {
	switch t.Base {
	case Bool:
		v.Bool, err = parseBool(s)
	case Int8, Int16, Int32, Int64:
		v.Int, err = strconv.ParseInt(s, 0, t.Base.Bits())
	case Byte, Char, Uint8, Uint16, Uint32, Uint64:
		v.Uint, err = strconv.ParseUint(s, 0, t.Base.Bits())
	case Float32, Float64:
		v.Float, err = strconv.ParseFloat(s, t.Base.Bits())
		if math.IsNaN(v.Float) || math.IsInf(v.Float, 0) {
			err = fmt.Errorf("not a finite number of %d bits", t.Base.Bits())
		}
	case String:
		v.Str, err = unquote(s)
		if err == nil && t.StringBound > 0 && len(v.Str) > t.StringBound {
			err = fmt.Errorf("%d bytes, at most %d", len(v.Str), t.StringBound)
		}
	default:
		err = fmt.Errorf("type %q takes none", t.Base)
	}
	if err != nil {
		return Value{}, fmt.Errorf("%w: %s %q: %w", ErrValue, t.Base, s, err)
	}
	return v, nil
}

// Bits returns the size of a number or boolean in bits; 0 for other bases.
func (b Base) Bits() int {
	switch b {
	case Bool, Byte, Char, Int8, Uint8:
		return 8
	case Int16, Uint16:
		return 16
	case Int32, Uint32, Float32:
		return 32
	case Int64, Uint64, Float64:
		return 64
	}
	return 0
}

func parseBool(s string) (bool, error) {
	switch strings.ToLower(s) {
	case "true", "1":
		return true, nil
	case "false", "0":
		return false, nil
	}
	return false, fmt.Errorf("neither true nor false")
}

// unquote returns the text of a string in double or single quotes, or without quotes.
func unquote(s string) (string, error) {
	if s == "" || s[0] != '"' && s[0] != '\'' {
		return s, nil
	}
	q, end := s[:1], 1
	for end < len(s) && s[end] != s[0] {
		if s[end] == '\\' {
			end++ // an escaped character does not end the string
		}
		end++
	}
	switch {
	case end >= len(s):
		return "", fmt.Errorf("unterminated quote")
	case end < len(s)-1:
		return "", fmt.Errorf("text after the closing quote")
	}
	inner := s[1:end]
	r := strings.NewReplacer(`\\`, `\`, `\`+q, q, `\n`, "\n", `\t`, "\t")
	return r.Replace(inner), nil
}
