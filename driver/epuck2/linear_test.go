// SPDX-License-Identifier: Apache-2.0

package epuck2

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestLinear(t *testing.T) {
	l := Linear{Bias: [3]float64{1, 2, 3}, Matrix: [9]float64{2, 0, 0, 0, 0, 1, 0, -1, 0}}
	if got := l.Apply([3]float64{2, 2, 4}); got != [3]float64{2, 1, 0} {
		t.Errorf("got %v", got)
	}
}

// What is taken off and multiplied is linear about the bias: the middle of two vectors stays the middle.
func TestLinearKeepsTheMiddle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Float64Range(-10, 10)
		var l Linear
		var a, b, middle [3]float64
		for i := range l.Matrix {
			l.Matrix[i] = number.Draw(t, "matrix")
		}
		for i := range 3 {
			l.Bias[i], a[i], b[i] = number.Draw(t, "bias"), number.Draw(t, "a"), number.Draw(t, "b")
			middle[i] = (a[i] + b[i]) / 2
		}
		x, y, z := l.Apply(a), l.Apply(b), l.Apply(middle)
		for i := range 3 {
			if math.Abs((x[i]+y[i])/2-z[i]) > 1e-9 {
				t.Fatalf("axis %d: %v and %v have %v in the middle", i, x[i], y[i], z[i])
			}
		}
	})
}
