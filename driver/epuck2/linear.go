// SPDX-License-Identifier: Apache-2.0

package epuck2

// Linear is a correction of a vector: matrix·(v − bias).
type Linear struct {
	Bias   [3]float64
	Matrix [9]float64 // row-major
}

// Apply corrects a vector.
func (l *Linear) Apply(v [3]float64) (out [3]float64) {
	for i := range 3 {
		for j := range 3 {
			out[i] += float64(l.Matrix[3*i+j] * (v[j] - l.Bias[j]))
		}
	}
	return out
}
