// SPDX-License-Identifier: Apache-2.0

package description

import (
	"encoding/json"
	"math"
)

// Bound is the greatest value that something may have. The zero value says nothing about it, which is neither a bound
// of 0 nor no bound.
type Bound struct {
	Given bool
	Value float64 // at least 0; +Inf is no bound
}

// AtMost returns a bound; a value of 0 permits nothing but 0.
func AtMost(value float64) Bound { return Bound{Given: true, Value: value} }

// Unlimited returns a bound that permits everything.
func Unlimited() Bound { return AtMost(math.Inf(1)) }

// Most returns the greatest value that is permitted: +Inf without a bound, and if nothing is said.
func (b Bound) Most() float64 {
	if !b.Given {
		return math.Inf(1)
	}
	return b.Value
}

// possible reports whether a bound is one.
func (b Bound) possible() bool { return !b.Given || b.Value >= 0 }

// MarshalJSON returns null if nothing is said, "unlimited", or the number.
func (b Bound) MarshalJSON() ([]byte, error) {
	switch {
	case !b.Given:
		return []byte("null"), nil
	case math.IsInf(b.Value, 1):
		return []byte(`"unlimited"`), nil
	}
	return json.Marshal(b.Value)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (b *Bound) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case "null":
		*b = Bound{}
		return nil
	case `"unlimited"`:
		*b = Unlimited()
		return nil
	}
	b.Given = true
	return json.Unmarshal(text, &b.Value)
}
