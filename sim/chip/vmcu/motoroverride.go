// SPDX-License-Identifier: Apache-2.0

package vmcu

// MotorOverride changes the speed forward that the motors are commanded, and leaves the turning to the robot unless it
// sets that, too; a co-simulator sets it. The zero value changes nothing.
type MotorOverride struct {
	Held    bool
	Forward int // steps/s of the middle, while held
	Limited bool
	Limit   int // steps/s of the middle, forward or backward, while limited
	Turning bool
	Half    int // steps/s by which the right wheel is faster than the middle, while turning
}

// Apply returns the speeds of the wheels, steps/s, where left and right are commanded.
func (o MotorOverride) Apply(left, right int) (int, int) {
	if o == (MotorOverride{}) {
		return left, right
	}
	middle, half := (left+right)/2, (right-left)/2
	if o.Held {
		middle = o.Forward
	}
	if o.Limited {
		middle = max(-o.Limit, min(o.Limit, middle))
	}
	if o.Turning {
		half = o.Half
	}
	return middle - half, middle + half
}

// OverrideMotors sets the override; with the zero value the last commanded speeds apply again.
func (m *MCU) OverrideMotors(o MotorOverride) {
	m.override = o
	m.drive(m.target[0], m.target[1])
}

// drive commands the motors' speeds, steps/s.
func (m *MCU) drive(left, right int) {
	m.target = [2]int{left, right}
	left, right = m.override.Apply(left, right)
	m.left.setSpeed(left)
	m.right.setSpeed(right)
}
