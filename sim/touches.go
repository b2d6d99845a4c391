// SPDX-License-Identifier: Apache-2.0

package sim

// apart is for how many infrared cycles a robot must have touched nothing until touching something is one more
// collision: one that rubs along a wall, or trembles at it, has one.
const apart = 10

// touches counts a robot's collisions, for robots of all levels alike: once an infrared cycle, whether it has touched
// something in it.
type touches struct {
	count uint64
	now   bool  // it touched something in the latest cycle
	last  int64 // the latest cycle in which it did; 0: none
}

// note notes whether the robot has touched something in a cycle.
func (t *touches) note(cycle int64, touching bool) {
	if touching && !t.now && (t.last == 0 || cycle-t.last > apart) {
		t.count++
	}
	if t.now = touching; touching {
		t.last = cycle
	}
}

// feelTouches notes whether the unit has touched something in a cycle.
func (u *unit) feelTouches(cycle int64) {
	if u.body != nil {
		u.touches.note(cycle, u.body.Met() && !u.inAir)
		return
	}
	u.touches.note(cycle, u.machine.mechanism.Contact() && !u.inAir)
}
