// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// areaMass is the mass of a robot whose description has none, kg/m² of the disc around it: that of an e-puck2.
const areaMass = physics.Mass / (physics.BodyRadius * physics.BodyRadius)

// massOf returns the mass of a robot with solids of that radius (m), kg; 0 without wheels: it can't be moved.
func massOf(desc *description.Robot, reach float64) float64 {
	if desc.Drive == nil {
		return 0
	}
	if mass := desc.Mass(); mass > 0 {
		return mass
	}
	return float64(areaMass * float64(reach*reach))
}

// Mass implements articulated.Mechanism.
func (m *Machine) Mass() float64 { return m.mass }

// Lost implements articulated.Mechanism.
func (m *Machine) Lost() geom.Vec { return m.lost }

// Yield implements articulated.Mechanism. The forward speed, which inertial sensors measure, is that of the whole movement.
func (m *Machine) Yield(way geom.Vec) {
	m.pose.X += way.X
	m.pose.Y += way.Y
	m.watched, m.lost = -1, geom.Vec{}
	ahead := m.direction().Rotate(geom.Direction(m.base.ahead))
	m.forward += float64(way.Dot(ahead) / dt)
	m.acceleration = (m.forward - m.before) / dt
}
