// SPDX-License-Identifier: Apache-2.0

package description

import (
	"fmt"
	"math"
)

// Row is a point of a table: at this quantity the device says this value, with noise of this part of it.
type Row struct {
	Quantity, Value, Noise float64
}

// Table is how a device answers to what it measures, by rising quantity, as Webots' lookupTable. Between rows the
// answer is interpolated, outside it stays at the first or the last row's. An empty table answers with the quantity.
type Table []Row

// check says what can't be of a table.
func (t Table) check() error {
	if len(t) > MaxRows {
		return fmt.Errorf("its table has %d rows, more than %d", len(t), MaxRows)
	}
	for i, r := range t {
		for _, v := range [3]float64{r.Quantity, r.Value, r.Noise} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("row %d of its table is not finite", i+1)
			}
		}
		if i > 0 && !(r.Quantity > t[i-1].Quantity) {
			return fmt.Errorf("row %d of its table: %g does not come after %g", i+1, r.Quantity, t[i-1].Quantity)
		}
		if r.Noise < 0 {
			return fmt.Errorf("row %d of its table: noise %g", i+1, r.Noise)
		}
	}
	return nil
}

// Answer is what a device says of a quantity, and the deviation of its noise, both in the device's unit.
func (t Table) Answer(quantity float64) (value, deviation float64) {
	if len(t) == 0 {
		return quantity, 0
	}
	for i, r := range t {
		if quantity > r.Quantity {
			continue
		}
		if i == 0 {
			return r.Value, math.Abs(r.Value * r.Noise)
		}
		a := t[i-1]
		part := (quantity - a.Quantity) / (r.Quantity - a.Quantity)
		value = a.Value + float64(part*(r.Value-a.Value))
		return value, math.Abs(float64(value * (a.Noise + float64(part*(r.Noise-a.Noise)))))
	}
	last := t[len(t)-1]
	return last.Value, math.Abs(last.Value * last.Noise)
}

// Quantity is what a device measured that said a value: the inverse of Answer. Beyond the first and the last row the
// line through the two nearest ones is extrapolated. Where several quantities have the same answer it is the least. A
// table with less than two rows, or whose rows all say the same, has no inverse: NaN.
func (t Table) Quantity(value float64) float64 {
	if len(t) == 0 {
		return value
	}
	lowest, highest := -1, -1 // the pieces at the ends that are not level
	for i := 1; i < len(t); i++ {
		a, b := t[i-1], t[i]
		if a.Value == b.Value {
			continue
		}
		if lowest < 0 {
			lowest = i
		}
		highest = i
		if min(a.Value, b.Value) <= value && value <= max(a.Value, b.Value) {
			return t.along(i, value)
		}
	}
	if lowest < 0 {
		return math.NaN()
	}
	first, last := t[lowest-1].Value, t[highest].Value
	if math.Abs(value-first) < math.Abs(value-last) {
		return t.along(lowest, value)
	}
	return t.along(highest, value)
}

// along is the quantity of a value on the line through the rows i−1 and i.
func (t Table) along(i int, value float64) float64 {
	a, b := t[i-1], t[i]
	return a.Quantity + float64((value-a.Value)*(b.Quantity-a.Quantity))/(b.Value-a.Value)
}
