// SPDX-License-Identifier: Apache-2.0

package xmltree

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"
)

// Numbers reads n numbers with space between them, and reports whether they are that: a fault names what it is of.
func (e *Element) Numbers(what, text string, n int) ([]float64, bool) {
	words := strings.Fields(text)
	if len(words) != n {
		e.Failf("%s is %q: %d numbers, not %d", what, short(text), len(words), n)
		return nil, false
	}
	values := make([]float64, n)
	for i, w := range words {
		v, err := strconv.ParseFloat(w, 64)
		if err != nil || strings.Contains(w, "_") || math.IsNaN(v) || math.IsInf(v, 0) {
			e.Failf("%s is %q: %q is no finite number", what, short(text), short(w))
			return nil, false
		}
		values[i] = v
	}
	return values, true
}

// short cuts a text for an error.
func short(text string) string {
	const most = 60
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// Number is an attribute that is a number; without it, or with one that can't be, the default.
func (e *Element) Number(name string, otherwise float64) float64 {
	text, ok := e.Attribute(name)
	if !ok {
		return otherwise
	}
	if v, ok := e.Numbers(name, text, 1); ok {
		return v[0]
	}
	return otherwise
}

// Vector is an attribute of three numbers; without it, or with one that can't be, the default.
func (e *Element) Vector(name string, otherwise r3.Vec) r3.Vec {
	text, ok := e.Attribute(name)
	if !ok {
		return otherwise
	}
	if v, ok := e.Numbers(name, text, 3); ok {
		return r3.Vec{X: v[0], Y: v[1], Z: v[2]}
	}
	return otherwise
}

// Content is the text of a child; without it, or if it is empty, the default.
func (e *Element) Content(name, otherwise string) string {
	if c := e.Child(name); c != nil && c.Text != "" {
		return c.Text
	}
	return otherwise
}

// ContentNumber is the number that a child holds.
func (e *Element) ContentNumber(name string, otherwise float64) float64 {
	c := e.Child(name)
	if c == nil {
		return otherwise
	}
	if v, ok := c.Numbers("it", c.Text, 1); ok {
		return v[0]
	}
	return otherwise
}

// ContentVector is the three numbers that a child holds.
func (e *Element) ContentVector(name string, otherwise r3.Vec) r3.Vec {
	c := e.Child(name)
	if c == nil {
		return otherwise
	}
	if v, ok := c.Numbers("it", c.Text, 3); ok {
		return r3.Vec{X: v[0], Y: v[1], Z: v[2]}
	}
	return otherwise
}

// Count is the whole number that a child holds. A fraction is cut off, as libsdformat does: files of generators have
// some.
func (e *Element) Count(name string, otherwise int) int {
	v := e.ContentNumber(name, float64(otherwise))
	if math.Abs(v) > math.MaxInt32 {
		e.Failf("%s is %g, which is beyond any count", name, v)
		return otherwise
	}
	return int(v)
}

// ContentTruth is the truth that a child holds: true, false, 1 or 0.
func (e *Element) ContentTruth(name string, otherwise bool) bool {
	c := e.Child(name)
	if c == nil {
		return otherwise
	}
	v, err := strconv.ParseBool(strings.ToLower(c.Text))
	if err != nil {
		c.Failf("it is %q, neither true nor false", short(c.Text))
		return otherwise
	}
	return v
}
