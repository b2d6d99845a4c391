// SPDX-License-Identifier: Apache-2.0

package misbuilt

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// ErrUnknown is matched when no fault has a name.
var ErrUnknown = errors.New("misbuilt: unknown fault")

// Fault is a fault of a robot.
type Fault struct {
	Name string // lower case, words joined by hyphens
	What string // one sentence
	make func() effect
	// robot changes the simulated robot itself; it may be nil.
	robot func(Robot) error
}

// Robot is a simulated robot that can have faults, such as a [sim.Firmware].
type Robot interface {
	// Bus is the bus of the robot's own chips, BoardBus that of the Pi-puck's.
	Bus() *vbus.Bus
	BoardBus() *vbus.Bus
	// GroundTruth returns the true state, of which the time is used.
	GroundTruth() sim.GroundTruth
	// SetCharge fills the battery to a share of its capacity, 0 to 1.
	SetCharge(share float64) error
}

// Faults returns all faults: wheels, sensors of the main processor, chips, bus and battery, LEDs and sound.
func Faults() []Fault {
	list := append(wheelFaults(), sensorFaults()...)
	return append(append(append(list, chipFaults()...), busFaults()...), lightFaults()...)
}

// Find returns the fault with a name. The error matches [ErrUnknown].
func Find(name string) (Fault, error) {
	for _, f := range Faults() {
		if f.Name == name {
			return f, nil
		}
	}
	return Fault{}, fmt.Errorf("%w %q: epuck-driver sim faults lists them", ErrUnknown, name)
}

// FindAll returns the faults with the names. The error matches [ErrUnknown].
func FindAll(names ...string) ([]Fault, error) {
	var list []Fault
	for _, name := range names {
		f, err := Find(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return list, nil
}

// Apply applies faults to a robot, the first one nearest to its chips, and returns the robot's bus and the board's
// with the faults.
func Apply(r Robot, faults ...Fault) (robot, board i2c.Bus, err error) {
	now := func() time.Duration { return r.GroundTruth().Time }
	b, onBoard := &Bus{bus: r.Bus(), now: now, counts: map[uint16]uint64{}}, &Bus{bus: r.BoardBus(), now: now, counts: map[uint16]uint64{}}
	for _, f := range faults {
		if f.robot != nil {
			if err := f.robot(r); err != nil {
				return nil, nil, fmt.Errorf("misbuilt: %s: %w", f.Name, err)
			}
		}
		if f.make != nil {
			b.effects, onBoard.effects = append(b.effects, f.make()), append(onBoard.effects, f.make())
		}
	}
	return b, onBoard, nil
}
