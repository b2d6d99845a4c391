// SPDX-License-Identifier: Apache-2.0

package shapes

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
)

// Filter is a content filter of one comparison (DDS 1.4, annex B): color with a text, or x, y or shapesize with a
// number. The zero value is not usable.
type Filter struct {
	field  string
	op     string
	text   string
	number int64
}

// The members that a filter may compare, by their names in the type.
const (
	fieldColor = "color"
	fieldX     = "x"
	fieldY     = "y"
	fieldSize  = "shapesize"
)

// comparison is a member, an operator and a number or a quoted text.
var comparison = regexp.MustCompile(`^\s*(color|x|y|shapesize)\s*(<=|>=|<>|!=|=|<|>)\s*(?:(-?[0-9]+)|'([^']*)')\s*$`)

// ParseFilter reads a filter such as "shapesize <= 20" or "color = 'RED'". It fails if s is not one comparison of a
// member with a value of its type; the error quotes s.
func ParseFilter(s string) (*Filter, error) {
	m := comparison.FindStringSubmatch(s)
	if m == nil || (m[1] == fieldColor) != (m[3] == "") {
		return nil, fmt.Errorf("%w: %q, want one comparison of color with a quoted text, or of x, y or shapesize with a number", errFilter, s)
	}
	f := &Filter{field: m[1], op: m[2], text: m[4]}
	if m[3] != "" {
		n, err := strconv.ParseInt(m[3], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%w: %q: %w", errFilter, s, err)
		}
		f.number = n
	}
	return f, nil
}

// Passes reports whether the shape passes the filter; true if f is nil.
func (f *Filter) Passes(s *Shape) bool {
	if f == nil {
		return true
	}
	var order int
	switch f.field {
	case fieldColor:
		order = cmp.Compare(s.Color, f.text)
	case fieldX:
		order = cmp.Compare(int64(s.X), f.number)
	case fieldY:
		order = cmp.Compare(int64(s.Y), f.number)
	default:
		order = cmp.Compare(int64(s.Size), f.number)
	}
	switch f.op {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	case ">=":
		return order >= 0
	case "=":
		return order == 0
	default:
		return order != 0
	}
}
