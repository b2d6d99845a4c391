// SPDX-License-Identifier: Apache-2.0

// Package simulated runs the acceptance test on a simulated robot, in simulated time, and simulates the person: it
// places cards, tilts the robot and presses its button.
package simulated

import (
	"context"
	"fmt"
	"io/fs"
	"math"

	"github.com/epuck-ros2/epuck-driver/acceptance/checks"
	"github.com/epuck-ros2/epuck-driver/acceptance/misbuilt"
	"github.com/epuck-ros2/epuck-driver/robot"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// side is the length of the arena's sides, m; the robot starts at its centre.
const side = 2.0

const arena = `
arena: {size: [2, 2]}
robots: [{name: epuck, ground: standard}]
`

// Robot is a simulated robot with its own clock, and the person who tests it.
type Robot struct {
	clock *sim.Clock
	robot tested
	// Tested is the robot for the checks.
	Tested checks.Robot
}

// tested is a robot with chips, and what a person does with it.
type tested interface {
	sim.Robot
	misbuilt.Robot
	BatteryFS() fs.FS
	Tilt(roll, pitch float64) error
	PressButton(pressed bool)
	TurnSelector(position int) error
}

// New returns a robot with a seed and with the faults of the given names, see package misbuilt. The error matches
// misbuilt.ErrUnknown.
func New(seed uint64, faults ...string) (*Robot, error) {
	list, err := misbuilt.FindAll(faults...)
	if err != nil {
		return nil, err
	}
	right, err := Faultless()
	if err != nil {
		return nil, err
	}
	return Make(right, seed, list...)
}

// Faultless returns the description of a robot without faults, with ground sensors.
func Faultless() (world.Robot, error) {
	w, err := sim.ParseWorld([]byte(arena))
	if err != nil {
		return world.Robot{}, err
	}
	return w.Robots[0], nil
}

// Make returns a robot by its description, at the centre of an empty arena. The error matches
// world.ErrWorld for a robot of another level than firmware.
func Make(described world.Robot, seed uint64, faults ...misbuilt.Fault) (*Robot, error) {
	w, err := sim.ParseWorld([]byte(arena))
	if err != nil {
		return nil, err
	}
	described.Position, described.Yaw = world.Point{}, 0
	w.Robots[0] = described
	clock := sim.NewClock()
	s, err := sim.New(w, sim.Options{Seed: seed, Now: clock.Now, Sleep: clock.Sleep, Wait: clock.Wait})
	if err != nil {
		return nil, err
	}
	list := sim.RobotsOf[tested](s)
	if len(list) != 1 {
		return nil, fmt.Errorf("%w: robots[0].level: the acceptance test needs a robot of the level firmware", world.ErrWorld)
	}
	r := &Robot{clock: clock, robot: list[0]}
	bus, board, err := misbuilt.Apply(r.robot, faults...)
	if err != nil {
		return nil, err
	}
	r.Tested = checks.Robot{Bus: bus, Board: board, Files: r.robot.BatteryFS(), Now: clock.Now, Sleep: clock.Sleep}
	return r, nil
}

// Truth returns the robot's true state.
func (r *Robot) Truth() sim.GroundTruth { return r.robot.GroundTruth() }

// Do implements checks.Person.
func (r *Robot) Do(_ context.Context, q checks.Request) (checks.Answer, error) {
	switch q.Task {
	case checks.OnFloor:
		return checks.Answer{}, r.robot.Place(sim.Pose{})
	case checks.CardAt:
		return checks.Answer{}, r.robot.Place(facing(robot.Infrared()[q.Sensor], q.Distance))
	case checks.CardAhead:
		return checks.Answer{}, r.robot.Place(facing(robot.ToF(), q.Distance))
	case checks.NoseUp:
		return checks.Answer{}, r.robot.Tilt(0, -math.Pi/6)
	case checks.LeftUp:
		return checks.Answer{}, r.robot.Tilt(math.Pi/6, 0)
	case checks.PressButton:
		r.robot.PressButton(true)
	case checks.ReleaseButton:
		r.robot.PressButton(false)
	case checks.TurnSelector:
		return checks.Answer{}, r.robot.TurnSelector(q.Position)
	case checks.SeeLight:
		return answer(r.Truth() == lit(r.Truth(), q)), nil
	case checks.HearMelody:
		return answer(r.Truth().Melody > 0), nil
	}
	return checks.Answer{}, nil
}

// answer returns the answer of a person for whom the requested observation is true or false.
func answer(so bool) checks.Answer {
	if so {
		return checks.Answer{}
	}
	return checks.Answer{Note: "not so"}
}

// lit returns the state of a robot with only the requested LED lit.
func lit(t sim.GroundTruth, q checks.Request) sim.GroundTruth {
	t.LEDs, t.BoardLEDs = vmcu.LEDs{}, [3]byte{}
	switch n := q.Light; {
	case n >= checks.BoardLights:
		t.BoardLEDs[n-checks.BoardLights] = byte(q.Colour)
	case n%2 == 0:
		t.LEDs.Red[n/2] = true
	default:
		for i := range 3 {
			t.LEDs.RGB[n/2][i] = 100 * (byte(q.Colour) >> i & 1)
		}
	}
	return t
}

// Judge implements checks.Person: it accepts each result.
func (*Robot) Judge(context.Context, *checks.Result) (checks.Answer, error) {
	return checks.Answer{}, nil
}

// facing returns the pose in which a sensor faces the wall on the right of the arena at a distance, m.
func facing(s robot.Sensor, distance float64) sim.Pose {
	heading := -s.Heading
	ahead := s.X*math.Cos(heading) - s.Y*math.Sin(heading)
	return sim.Pose{X: side/2 - distance - ahead, Theta: heading}
}
