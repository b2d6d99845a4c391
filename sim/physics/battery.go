// SPDX-License-Identifier: Apache-2.0

package physics

import "math"

// The currents of the robot, mA, which are µC each millisecond. No measured
// figures are known; these empty the usual battery in three to seven hours.
const (
	// restCurrent is what computer and board take.
	restCurrent = 250
	// motorCurrent is what a turning motor takes, speedCurrent what each
	// thousand steps/s add to it.
	motorCurrent = 60
	speedCurrent = 90
	// chargeCurrent is what the charger gives.
	chargeCurrent = 900
)

// resistance is the inner resistance of the cell, V/mA; plausible.
const resistance = 0.0001

// Battery is the robot's lithium cell. It counts whole microcoulombs: no
// rounding adds up and any stride gives the same. It is not safe for concurrent use.
type Battery struct {
	capacity, charge int64 // µC
	charging         bool
	current          int64 // that leaves the cell, mA
	computer         int64 // more than the rest current, mA
}

// NewBattery returns a battery of a capacity (C) with a share of it, 0 to 1, in it.
func NewBattery(capacity, share float64) *Battery {
	b := &Battery{capacity: max(1, int64(math.Round(capacity*1e6)))}
	b.SetCharge(share)
	b.Advance(0, 0, 0)
	return b
}

// SetCharge sets the share of the capacity that is in it, 0 to 1.
func (b *Battery) SetCharge(share float64) {
	b.charge = int64(math.Round(float64(b.capacity) * max(0, min(1, share))))
}

// Charge returns the share of the capacity that is in it, 0 to 1.
func (b *Battery) Charge() float64 { return float64(b.charge) / float64(b.capacity) }

// Content returns the charge that is in it, C.
func (b *Battery) Content() float64 { return float64(b.charge) / 1e6 }

// SetCharger plugs the charger in (true) or out; the current follows with the
// next Advance.
func (b *Battery) SetCharger(on bool) { b.charging = on }

// SetComputer says what the computer takes beside what it takes at rest, A.
func (b *Battery) SetComputer(current float64) { b.computer = int64(math.Round(current * 1000)) }

// Charging reports whether the charger is plugged in.
func (b *Battery) Charging() bool { return b.charging }

// Advance lets milliseconds pass with the motors at speeds, steps/s. A full
// battery takes no more from the charger.
func (b *Battery) Advance(milliseconds int64, left, right float64) {
	b.current = restCurrent + b.computer + motor(left) + motor(right)
	if b.charging {
		b.current -= chargeCurrent
	}
	b.charge = max(0, min(b.capacity, b.charge-b.current*milliseconds))
	if b.charge == b.capacity && b.current < 0 {
		b.current = 0
	}
}

func motor(speed float64) int64 {
	if speed == 0 {
		return 0
	}
	return motorCurrent + int64(float64(math.Abs(speed)*speedCurrent)/1000)
}

// Voltage returns what a meter at the cell shows, V.
func (b *Battery) Voltage() float64 {
	v, _ := interpolate(cell()[:], b.Charge())
	return v - float64(resistance*float64(b.current))
}

// cell is the rest voltage (V) over the charge of a lithium cell, between the
// ends that the Pi-puck's own software takes for empty and full with the rest
// current's drop added; plausible between.
func cell() *[7]point {
	return &[7]point{
		{distance: 0.00, value: 3.325},
		{distance: 0.05, value: 3.50},
		{distance: 0.10, value: 3.62},
		{distance: 0.30, value: 3.73},
		{distance: 0.60, value: 3.87},
		{distance: 0.80, value: 4.00},
		{distance: 1.00, value: 4.163},
	}
}
