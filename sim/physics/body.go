// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// Body is a robot's body. It is not safe for concurrent use.
type Body struct {
	wheelDistance float64
	position      geom.Vec
	// The heading is base plus what the difference of the wheels' half steps
	// says: no rounding adds up however long the robot turns.
	base  float64
	turn  int64
	theta float64

	wheels *wheels // nil: as drawn

	contact bool
	touched bool       // it has touched something since the last call
	grip    float64    // share of the last move's way that was really made
	veer    float64    // by how much what it touched turned it in the last move, rad for each metre that the wheels rolled
	speeds  [2]float64 // of the wheels, left and right, steps/s: see SetSpeeds
	push    push
	near    vicinity
	facing  heading `checkpoint:"-"`
}

// NewBody returns a body at a pose with its wheels wheelDistance (m) apart.
func NewBody(pose geom.Pose, wheelDistance float64) *Body {
	b := &Body{wheelDistance: wheelDistance, near: vicinity{reach: senseReach}}
	b.Place(pose)
	return b
}

// Place puts the body down somewhere else.
func (b *Body) Place(pose geom.Pose) {
	b.position = pose.Position()
	b.base = geom.WrapAngle(pose.Theta)
	b.turn, b.theta = 0, b.base
	if b.wheels != nil {
		b.wheels.turned = [2]int64{}
	}
	b.contact, b.grip, b.veer = false, 1, 0
	b.EndCycle()
}

// Pose returns where the body is.
func (b *Body) Pose() geom.Pose { return geom.Pose{X: b.position.X, Y: b.position.Y, Theta: b.theta} }

// Position returns the body's middle, m.
func (b *Body) Position() geom.Vec { return b.position }

// Contact reports whether the last move touched something.
func (b *Body) Contact() bool { return b.contact }

// ContactSinceLast reports whether the body has touched something since the last call, or touches it now.
func (b *Body) ContactSinceLast() bool {
	touched := b.touched || b.contact
	b.touched = false
	return touched
}

// Grip returns which share of the last move was not lost by touching something:
// 1 when driving freely, 0 straight against a wall.
func (b *Body) Grip() float64 { return b.grip }

// Veer returns by how much what the body touched turned it in the last move, rad for each metre that its wheels rolled
// forward.
func (b *Body) Veer() float64 { return b.veer }

// perHalfStep returns by how much one half step of one wheel turns the body, rad.
func (b *Body) perHalfStep() float64 { return HalfStep / b.wheelDistance }

// SetSpeeds sets the speeds at which the wheels turn, steps a second, for a contact: the half steps of one call of
// [Body.Move] turn the body otherwise if the wheels make them in turn. Zeros, the default, leave it to the half steps.
func (b *Body) SetSpeeds(left, right float64) { b.speeds = [2]float64{left, right} }

// Move rolls the wheels by so many half steps, forward positive. The body slides along what it touches and turns as far
// as friction allows (see [Chassis.Slip]).
//
// It follows the arc exactly: see [Chord].
func (b *Body) Move(s *Scene, others *Others, left, right int64) {
	if b.wheels != nil {
		b.moveUneven(s, others, left, right)
		return
	}
	before := b.theta
	b.turn += right - left
	b.theta = geom.WrapAngle(b.base + float64(float64(b.turn)*b.perHalfStep()))
	if left+right == 0 {
		return
	}
	half := float64(float64(float64(right-left)*b.perHalfStep()) / 2)
	chord := Chord(float64(left+right)*(HalfStep/2), half)
	b.shift(s, others, b.facing.of(before+half).Scale(chord), chord, 2*half)
}

// Chord returns the length of the straight way between the ends of an arc of a length, m, that turns the body by twice
// half, rad: sin(half)/half ≈ 1 − half²/6 of the arc, with its mean heading.
func Chord(arc, half float64) float64 { return float64(arc * (1 - float64(half*half)/6)) }

// Glide moves the body by turns of the wheels that are no whole half steps, as Move does.
func (b *Body) Glide(s *Scene, others *Others, left, right float64) { b.arc(s, others, left, right) }

// arc rolls the wheels by so many half steps from the present heading on.
func (b *Body) arc(s *Scene, others *Others, left, right float64) {
	l, r := float64(left*HalfStep), float64(right*HalfStep)
	if w := b.wheels; w != nil {
		l, r = w.roll(left, right)
		w.turned = [2]int64{}
	}
	turn := (r - l) / b.wheelDistance
	before := b.theta
	b.base, b.turn = geom.WrapAngle(before+turn), 0
	b.theta = b.base
	way, half := float64((l+r)/2), float64(turn/2)
	if way != 0 {
		way = Chord(way, half)
		b.shift(s, others, b.facing.of(before+half).Scale(way), way, turn)
	}
}

// shift moves the body by step, whose length forward is chord (m), while the wheels turn it by turn (rad), as far as
// there is space. What movable shapes take of it is kept for them to give way when the cycle ends.
func (b *Body) shift(s *Scene, others *Others, step geom.Vec, chord, turn float64) {
	to, hit := b.clear(s, others, b.position.Add(step))
	made := to.Sub(b.position)
	b.veer = 0
	if hit && s.friction > 0 && !(s.moves != nil && b.atMovable(s, to)) { // that of movable shapes is for their solver
		if lost := step.Sub(made); lost.Dot(lost) > touch*touch {
			if v, omega := b.Twist(b.speeds[0], b.speeds[1]); v != 0 {
				turn = float64(omega*chord) / v
			}
			chassis := Chassis{HalfTrack: b.wheelDistance / 2, Friction: s.friction}
			way, spin := chassis.Slip(step, turn, lost, lost.Scale(BodyRadius/lost.Norm()))
			to, _ = b.clear(s, others, b.position.Add(way))
			made = to.Sub(b.position)
			b.base = geom.WrapAngle(b.base + spin)
			b.theta = geom.WrapAngle(b.theta + spin)
			b.veer = spin / chord
		}
	}
	b.grip = 1
	if hit {
		b.grip = max(0, min(1, made.Dot(step)/step.Dot(step)))
		if s.moves != nil && b.atMovable(s, to) {
			b.push.lost = b.push.lost.Add(step.Sub(made))
			b.grip += float64(b.push.given * (1 - b.grip))
		}
		b.touched = true
	}
	b.contact = hit
	b.position = to
}

// atMovable reports whether the body at a place touches a movable shape.
func (b *Body) atMovable(s *Scene, at geom.Vec) bool {
	for _, i := range b.near.list {
		if s.moves[i] && s.shapes[i].Within(at, BodyRadius+10*touch) {
			return true
		}
	}
	return false
}

// rounds bounds how often clear looks at everything again: in a corner pushing
// out of one wall may push into another.
const rounds = 4

// clear returns the place nearest to p where the body fits, or the old place
// if it finds none.
func (b *Body) clear(s *Scene, others *Others, p geom.Vec) (geom.Vec, bool) {
	hit := false
	if others == nil {
		others = &none
	}
	near := b.near.near(s, b.position)
	for range rounds {
		again := false
		for _, i := range near {
			if v, overlap := s.shapes[i].Push(p, BodyRadius); overlap {
				p, again = p.Add(v), again || v.Dot(v) > touch*touch
			}
		}
		for _, q := range others.Discs {
			if v, overlap := geom.PushDiscs(p, q, 2*BodyRadius); overlap {
				p, again = p.Add(v), again || v.Dot(v) > touch*touch
			}
		}
		for _, i := range others.Solids {
			if v, overlap := s.solids[i].Push(p, BodyRadius); overlap {
				p, again = p.Add(v), again || v.Dot(v) > touch*touch
			}
		}
		if !again {
			return p, hit
		}
		hit = true
	}
	return b.position, true
}
