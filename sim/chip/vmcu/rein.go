// SPDX-License-Identifier: Apache-2.0

package vmcu

// Rein is a hand on the motors from outside the robot, a co-simulator's: it changes the way forward and leaves the
// turning to the robot. The zero value lets go.
type Rein struct {
	Held    bool
	Forward int // steps/s of the middle, while held
	Limited bool
	Limit   int // steps/s of the middle, forward or backward, while limited
}

// Apply returns what the wheels do, steps/s, where they were told left and right.
func (r Rein) Apply(left, right int) (int, int) {
	if !r.Held && !r.Limited {
		return left, right
	}
	middle, half := (left+right)/2, (right-left)/2
	if r.Held {
		middle = r.Forward
	}
	if r.Limited {
		middle = max(-r.Limit, min(r.Limit, middle))
	}
	return middle - half, middle + half
}

// SetRein takes the motors by a rein, or lets them go: then they do what they were told last.
func (m *MCU) SetRein(r Rein) {
	m.rein = r
	m.drive(m.told[0], m.told[1])
}

// drive tells the motors their speeds, steps/s.
func (m *MCU) drive(left, right int) {
	m.told = [2]int{left, right}
	left, right = m.rein.Apply(left, right)
	m.left.setSpeed(left)
	m.right.setSpeed(right)
}
