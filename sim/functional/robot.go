// SPDX-License-Identifier: Apache-2.0

package functional

import (
	"fmt"
	"slices"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/plant"
	"github.com/epuck-ros2/epuck-driver/sim/scene"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Do runs f with the robot's sensors and actuators at the present time, while the world does not advance. f must not
// call the simulation.
func (r *Robot) Do(f func(*Control)) {
	x := r.d.World()
	x.Enter()
	defer x.Unlock()
	x.SortedGrid() // a robot may have left
	f(&r.d.control)
}

// Level returns world.LevelFunctional.
func (r *Robot) Level() string { return world.LevelFunctional }

// Outline returns the robot's solids around its frame, and that frame's name.
func (r *Robot) Outline() (solids []geom.Shape, frame string) { return Outline() }

// SetComputer sets the current of the robot's computer above its current at rest, A.
func (r *Robot) SetComputer(current float64) {
	r.d.World().Enter()
	defer r.d.World().Unlock()
	r.d.Battery().SetComputer(current)
}

// GroundTruth advances the world to the clock's time and returns the robot's true state.
func (r *Robot) GroundTruth() plant.GroundTruth {
	d, x := &r.d, r.d.World()
	x.Enter()
	defer x.Unlock()
	t := d.GroundTruth()
	t.LeftWheel, t.RightWheel, t.LeftSpeed, t.RightSpeed = d.wheel[0], d.wheel[1], d.speed[0], d.speed[1]
	t.BoardLEDs, t.Melody, t.Selector = d.boardLamps, d.sound.Playing(x.Kernel.Time()), world.DefaultSelector
	t.V, t.Omega = d.twist()
	return t
}

// Equipment returns what the robot carried when it was made.
func (r *Robot) Equipment() world.Equipment { return r.d.Made().Equipment }

// SetSound sets the amplitude of the sound around the robot, in counts of its 16-bit microphones; 0 is silence.
func (r *Robot) SetSound(amplitude float64) { r.Do(func(*Control) { r.d.sound.Set(amplitude) }) }

// SendRemote points a TV remote at the robot and sends a command code, 0 to 127, else ErrRange. It reports it and does
// nothing else: what the codes do to a real robot is its firmware's.
func (r *Robot) SendRemote(code int) error {
	if code < 0 || code > 127 {
		return fmt.Errorf("%w: remote code %d, must be 0 to 127", scene.ErrRange, code)
	}
	r.Do(func(*Control) { r.d.remote, r.d.presses = uint8(code), r.d.presses+1 })
	return nil
}

// Parts returns the equipment that the robot carries now.
func (r *Robot) Parts() (on []world.Part) {
	r.Do(func(*Control) {
		on = slices.DeleteFunc(world.Parts(), func(p world.Part) bool { return !r.d.Carries(p) })
	})
	return on
}

// RemovePart takes a part off: without its sensor Distance is +Inf, and Ground 0. It returns ErrNoPart for a part that
// this robot can't have.
func (r *Robot) RemovePart(p world.Part) error { return r.refit(p, false) }

// AddPart puts a part on. It returns ErrNoPart for a part that this robot can't have.
func (r *Robot) AddPart(p world.Part) error { return r.refit(p, true) }

func (r *Robot) refit(p world.Part, on bool) error {
	if err := plant.KnownPart(world.Parts(), p); err != nil {
		return err
	}
	r.Do(func(*Control) { r.d.SetCarried(p, on) })
	return nil
}
