// SPDX-License-Identifier: Apache-2.0

package shapes

import "math/rand/v2"

// The board that shapes move on, pixels: what the vendors' demonstrations show.
const (
	boardWidth  = 240
	boardHeight = 270
	maxVelocity = 5 // pixels a round
)

// motion moves a shape in a straight line between the walls.
type motion struct {
	rand *rand.Rand
	x, y int32 // velocity, pixels a round
}

// newMotion chooses a velocity.
func newMotion(seed uint64) motion {
	m := motion{rand: rand.New(rand.NewPCG(seed, 0))}
	m.x, m.y = m.velocity(), m.velocity()
	return m
}

func (m *motion) velocity() int32 {
	v := m.rand.Int32N(maxVelocity) + 1
	if m.rand.IntN(2) == 0 {
		return -v
	}
	return v
}

// start chooses a position.
func (m *motion) start() (x, y int32) { return m.rand.Int32N(boardWidth), m.rand.Int32N(boardHeight) }

// move moves the shape by one step.
func (m *motion) move(s *Shape) {
	bounce(&s.X, &m.x, boardWidth)
	bounce(&s.Y, &m.y, boardHeight)
}

// bounce moves one coordinate; at a wall it reverses the velocity.
func bounce(at, velocity *int32, wall int32) {
	*at += *velocity
	if *at < 0 || *at > wall {
		*at = min(max(*at, 0), wall)
		*velocity = -*velocity
	}
}
