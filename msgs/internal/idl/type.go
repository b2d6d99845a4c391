// SPDX-License-Identifier: Apache-2.0

package idl

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// parseType parses the first word of a line: "float64", "string<=10[]",
// "std_msgs/Header", "Point32[<=4]". A name without package is in pkg.
func parseType(pkg, s string) (Type, error) {
	var t Type
	element, suffix, found := strings.Cut(s, "[")
	if found {
		size, closed := strings.CutSuffix(suffix, "]")
		if !closed {
			return t, fmt.Errorf("%w: %q lacks a ]", ErrType, s)
		}
		if err := t.parseContainer(size); err != nil {
			return t, err
		}
	}
	name, bound, bounded := strings.Cut(element, "<=")
	if err := t.parseBase(pkg, name); err != nil || !bounded {
		return t, err
	}
	if t.Base != String {
		return t, fmt.Errorf("%w: only a string has a bound, %q", ErrType, s)
	}
	n, err := parseSize(bound)
	t.StringBound = n
	return t, err
}

// parseContainer parses the text between the brackets.
func (t *Type) parseContainer(size string) (err error) {
	switch bound, bounded := strings.CutPrefix(size, "<="); {
	case size == "":
		t.Container = UnboundedSeq
	case bounded:
		t.Container = BoundedSeq
		t.Size, err = parseSize(bound)
	default:
		t.Container = Array
		t.Size, err = parseSize(size)
	}
	return err
}

// parseSize parses an array length or a bound.
func parseSize(s string) (int, error) {
	n, err := strconv.ParseUint(s, 10, 31)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("%w: size %q is not a number from 1 to %d", ErrType, s, math.MaxInt32)
	}
	return int(n), nil
}

// parseBase parses the name of the element type.
func (t *Type) parseBase(pkg, name string) error {
	switch b := Base(name); b {
	case Bool, Byte, Char, Int8, Uint8, Int16, Uint16, Int32, Uint32, Int64, Uint64, Float32, Float64, String:
		t.Base = b
		return nil
	}
	if strings.HasPrefix(name, "wstring") {
		return fmt.Errorf("%w: wstring has no common encoding and is not supported", ErrType)
	}
	parts := strings.Split(name, "/")
	if len(parts) == 3 && parts[1] == "msg" {
		parts = []string{parts[0], parts[2]}
	}
	if len(parts) == 2 {
		pkg, name = parts[0], parts[1]
	}
	if len(parts) > 2 || !packageName.MatchString(pkg) || !typeName.MatchString(name) {
		return fmt.Errorf("%w: %q", ErrType, name)
	}
	t.Base, t.Ref = Nested, pkg+"/msg/"+name
	return nil
}
