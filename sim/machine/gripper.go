// SPDX-License-Identifier: Apache-2.0

package machine

import "github.com/epuck-ros2/epuck-driver/sim/geom"

// Gripper implements articulated.Mechanism: the first gripper of the description. It is closed while its joint is nearer to the
// lower limit than to the upper one.
func (m *Machine) Gripper() (at geom.Vec, reach float64, closed bool) {
	if m.gripper < 0 {
		return geom.Vec{}, 0, false
	}
	d := &m.devices[m.gripper]
	if d.off || d.joint < 0 || d.desc.Range == nil {
		return geom.Vec{}, 0, false
	}
	j := &m.joints[d.joint]
	return m.mount(d).at, d.desc.Range.Max, j.position < (j.lower+j.upper)/2
}
