// SPDX-License-Identifier: Apache-2.0

package plant

// collisionGap is for how many infrared cycles a robot must have touched nothing until touching something is one more
// collision: one that rubs along a wall, or trembles at it, has one.
const collisionGap = 10

// collisionCounter counts a robot's collisions, for robots of all levels alike: once an infrared cycle it is given whether
// the robot has touched something in it.
type collisionCounter struct {
	count uint64
	now   bool  // it touched something in the latest cycle
	last  int64 // the latest cycle in which it did; 0: none
}

// update records whether the robot has touched something in a cycle.
func (c *collisionCounter) update(cycle int64, touching bool) {
	if touching && !c.now && (c.last == 0 || cycle-c.last > collisionGap) {
		c.count++
	}
	if c.now = touching; touching {
		c.last = cycle
	}
}
