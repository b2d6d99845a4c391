// SPDX-License-Identifier: Apache-2.0

package description

import "math"

// Noise is how a measurement differs from what is measured, in the device's unit.
type Noise struct {
	Mean, Deviation float64 // of what is added to each measurement
	Relative        float64 // deviation as a part of the value

	// BiasMean and BiasDeviation are those of an offset that is drawn once for a device, and negated in half of them.
	BiasMean, BiasDeviation float64

	Step        float64 // of the converter; 0: none
	Least, Most float64 // limits of the converter; equal: none
}

// Random reports whether measurements scatter.
func (n *Noise) Random() bool { return n.Deviation != 0 || n.Relative != 0 }

// Convert returns what the converter gives of a value. What is not finite stays as it is.
func (n *Noise) Convert(v float64) float64 {
	if math.IsInf(v, 0) {
		return v
	}
	if n.Step > 0 {
		v = float64(math.Round(v/n.Step) * n.Step)
	}
	if n.Least != n.Most {
		v = max(n.Least, min(v, n.Most))
	}
	return v
}

// check adds what is wrong with it.
func (n *Noise) check(add func(format string, args ...any)) {
	if !(n.Step >= 0) || !(n.BiasDeviation >= 0) || !(n.Least <= n.Most) {
		add("noise with a bias of deviation %g, a step of %g, and limits of %g and %g", n.BiasDeviation, n.Step, n.Least, n.Most)
	}
}
