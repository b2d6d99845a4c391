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
	// chargeCurrent is what the charger supplies.
	chargeCurrent = 900
)

// Shares of the capacity at which the supply changes. Below weakShare the cell has less than 3.35 V at rest, which the
// Pi-puck's software calls critical, and the motors have no torque, until there is recoveredShare again. An empty cell,
// 3.3 V, is cut off: nothing is supplied until the charger has brought it to weakShare. How low the real robot goes has
// not been measured.
const (
	weakShare      = 0.0143
	recoveredShare = 0.05
	// changingShare is from where on changes are near, so that time goes in small steps.
	changingShare = 0.02
)

// resistance is the inner resistance of the cell, V/mA; plausible.
const resistance = 0.0001

// draw is what is taken of a battery, mA, or mW of one that counts energy.
type draw struct {
	rest    int64 // by computer and board
	motor   int64 // by a motor that turns
	speed   int64 // more for each thousand steps/s
	charger int64 // what the charger supplies
}

// Battery is the robot's battery: the lithium cell of an e-puck2, which counts charge in whole microcoulombs, or that
// of a robot by its description, which counts energy in whole microjoules. No rounding adds up and any step size gives
// the same. It is not safe for concurrent use.
type Battery struct {
	capacity, charge int64 // µC or µJ
	draw             draw
	charging, docked bool // by its plug, at a station
	weak, dead       bool
	current          int64 // that leaves the cell, mA or mW
	computer         int64 // more than the rest current, mA
}

// NewBattery returns an e-puck2's battery of a capacity (C) with a share of it, 0 to 1, in it.
func NewBattery(capacity, share float64) *Battery {
	return newBattery(capacity, share, draw{restCurrent, motorCurrent, speedCurrent, chargeCurrent})
}

// Limits of a battery by a description: sums of them do not overflow.
const (
	maxEnergy = 1e12 // J
	maxPower  = 1e6  // W
)

// NewEnergyBattery returns a battery of a robot by its description, for the most energy that it holds (J) with a share
// of that, 0 to 1, in it: a load takes power at all times, a charger supplies power (W).
func NewEnergyBattery(most, share, load, charger float64) *Battery {
	power := func(v float64) int64 { return int64(math.Round(max(0, min(maxPower, v)) * 1000)) }
	return newBattery(max(0, min(maxEnergy, most)), share, draw{rest: power(load), charger: power(charger)})
}

func newBattery(capacity, share float64, d draw) *Battery {
	b := &Battery{capacity: max(1, int64(math.Round(capacity*1e6))), draw: d}
	b.SetCharge(share)
	b.Advance(0, 0, 0)
	return b
}

// SetCharge sets the share of the capacity that is in it, 0 to 1.
func (b *Battery) SetCharge(share float64) {
	b.charge = int64(math.Round(float64(b.capacity) * max(0, min(1, share))))
	b.weak, b.dead = false, false
	b.supply()
}

// Charge returns the share of the capacity that is in it, 0 to 1.
func (b *Battery) Charge() float64 { return float64(b.charge) / float64(b.capacity) }

// Capacity returns what fits in, C or J.
func (b *Battery) Capacity() float64 { return float64(b.capacity) / 1e6 }

// Content returns what is in it, C or J.
func (b *Battery) Content() float64 { return float64(b.charge) / 1e6 }

// Draw returns what leaves the battery, A or W; it is negative while it is charged.
func (b *Battery) Draw() float64 { return float64(b.current) / 1000 }

// Full reports whether nothing more fits in.
func (b *Battery) Full() bool { return b.charge == b.capacity }

// SetCharger plugs the charger in (true) or out; the current follows with the
// next Advance.
func (b *Battery) SetCharger(on bool) { b.charging = on }

// SetComputer sets the computer's current above its current at rest, A.
func (b *Battery) SetComputer(current float64) { b.computer = int64(math.Round(current * 1000)) }

// SetDocked sets whether the robot is at a charging station; the current follows with the next Advance.
func (b *Battery) SetDocked(on bool) { b.docked = on }

// Charging reports whether the charger is plugged in or the robot is at a charging station.
func (b *Battery) Charging() bool { return b.charging || b.docked }

// Weak reports whether the motors have no torque.
func (b *Battery) Weak() bool { return b.weak }

// Dead reports whether nothing is supplied: the cell is empty, or has not been charged enough since it was.
func (b *Battery) Dead() bool { return b.dead }

// part returns a share of the capacity, µC.
func (b *Battery) part(share float64) int64 { return int64(float64(float64(b.capacity) * share)) }

// supply finds out what is supplied.
func (b *Battery) supply() {
	switch {
	case b.charge == 0:
		b.dead, b.weak = true, true
	case b.charge >= b.part(recoveredShare):
		b.dead, b.weak = false, false
	case b.charge < b.part(weakShare):
		b.weak = true
	default:
		b.dead = false
	}
}

// resting returns the current that leaves the cell while the motors are stopped, mA.
func (b *Battery) resting() int64 {
	current := b.draw.rest + b.computer
	if b.Charging() {
		current -= b.draw.charger
	}
	return current
}

// Changing reports whether the supply may change soon.
func (b *Battery) Changing() bool {
	if b.Charging() && b.weak {
		return true
	}
	return b.resting() > 0 && !b.dead && b.charge <= b.part(changingShare)
}

// Undisturbed returns for how many milliseconds the supply does not change at least while the motors are stopped, if it
// is not about to.
func (b *Battery) Undisturbed() int64 {
	if current := b.resting(); current > 0 && !b.dead {
		return max(0, (b.charge-b.part(changingShare))/current)
	}
	return math.MaxInt64
}

// Advance advances the battery by milliseconds with the motors at speeds, steps/s. A full
// battery takes nothing more from the charger.
func (b *Battery) Advance(milliseconds int64, left, right float64) {
	b.current = b.resting() + b.draw.of(left) + b.draw.of(right)
	b.charge = max(0, min(b.capacity, b.charge-b.current*milliseconds))
	if b.charge == b.capacity && b.current < 0 {
		b.current = 0
	}
	b.supply()
}

// of returns what a motor takes at a speed, steps/s.
func (d *draw) of(speed float64) int64 {
	if speed == 0 {
		return 0
	}
	return d.motor + int64(float64(math.Abs(speed)*float64(d.speed))/1000)
}

// Voltage returns what a meter at the cell of an e-puck2 shows, V.
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
