// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/vbattery"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/sim/vft903"
	"github.com/epuck-ros2/epuck-driver/sim/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Robot is one e-puck2 in a simulation. Its fields are guarded by the
// simulation's lock, except those that never change.
type Robot struct {
	sim   *Simulation
	index int
	name  string
	bus   *vbus.Bus // the e-puck's
	board *vbus.Bus // the Pi-puck's own

	mcu           *vmcu.MCU
	body          *physics.Body
	eyes          *physics.Eyes
	wheelDistance float64
	left, right   int64 // the motors' half steps that the body has made
	inAir         bool
	held          bool // in reset

	devices  devices
	camera   *vcamera.Camera
	pi       board
	ranger   *physics.Ranger
	inertia  *physics.Inertia
	battery  *physics.Battery
	motion   physics.Motion
	attitude physics.Attitude

	sampled      geom.Pose // at the latest infrared cycle
	sampledInAir bool
	seen         bool // ambient and delta belong to that cycle
	ambient      [8]uint16
	delta        [8]uint16
	others       []geom.Vec // scratch
}

func newRobot(s *Simulation, w *world.Robot, src noise.Source) (*Robot, error) {
	pose := geom.Pose{X: w.Position[0], Y: w.Position[1], Theta: w.Yaw}
	r := &Robot{
		sim:           s,
		name:          w.Name,
		body:          physics.NewBody(pose, w.WheelDistance),
		eyes:          physics.NewEyes(src.Named("infrared"), s.opts.Quiet),
		wheelDistance: w.WheelDistance,
	}
	r.sampled = r.body.Pose()
	r.mcu = vmcu.New(vmcu.Config{
		Firmware:    firmware(w.Firmware),
		Selector:    uint8(w.Selector),
		BootTime:    s.opts.BootTime,
		Noise:       src.Named("microphones"),
		Environment: eyesight{r},
	})
	r.ranger = physics.NewRanger()
	r.inertia = physics.NewInertia(src.Named("inertia"), s.opts.Quiet)
	r.battery = physics.NewBattery(w.Battery.Capacity, w.Battery.Charge)
	r.bus = newBus(s, "sim:"+w.Name, src.Named("bus"))
	r.board = newBus(s, "sim:"+w.Name+":board", src.Named("board bus"))
	if err := r.bus.Attach(vmcu.Address, processor{chip{s, r.mcu}, r}); err != nil {
		return nil, err
	}
	r.pi.ft903 = vft903.New(vft903.Config{Now: func() time.Duration { return s.time }})
	r.pi.monitor = vbattery.New(vbattery.Config{Now: s.Elapsed, Cell: cell{r}, Noise: src.Named("battery monitor")})
	r.camera = newCamera(r, src.Named("camera"))
	r.solder()
	return r, r.equip(w, src)
}

func newBus(s *Simulation, name string, src noise.Source) *vbus.Bus {
	return vbus.New(vbus.Config{
		Name:    name,
		Sleep:   s.opts.Sleep,
		Timeout: s.opts.BusTimeout,
		Seed:    src.Uint64(0),
		Logger:  s.opts.Logger,
	})
}

func firmware(name string) vmcu.Firmware {
	switch name {
	case world.FirmwareStandard:
		return vmcu.Standard
	case world.FirmwareYork:
		return vmcu.York
	}
	return vmcu.Extension
}

// Name returns the robot's name in the world file.
func (r *Robot) Name() string { return r.name }

// Bus returns the I²C bus that the robot's chips sit on (channel 1 of the
// Pi-puck's multiplexer), the same at every call. It implements periph's
// i2c.BusCloser; closing it takes nothing from the robot but this bus. Faults of
// a single chip: Bus().FaultsAt(address).
func (r *Robot) Bus() *vbus.Bus { return r.bus }

// BoardBus returns the I²C bus of the Pi-puck board's own chips (channel 0).
func (r *Robot) BoardBus() *vbus.Bus { return r.board }

// Faults returns the control over failures of the robot's bus.
func (r *Robot) Faults() *vbus.Faults { return r.bus.Faults() }

// rolled reports whether the motors have moved further than the body.
func (r *Robot) rolled() bool {
	left, right := r.mcu.Travel()
	return left != r.left || right != r.right
}

// roll moves the body as far as the motors have turned. Wheels in the air only
// spin.
func (r *Robot) roll() {
	left, right := r.mcu.Travel()
	dl, dr := left-r.left, right-r.right
	if dl == 0 && dr == 0 {
		return
	}
	r.left, r.right = left, right
	if !r.inAir {
		r.body.Move(r.sim.scene, r.sim.othersNow(r), dl, dr)
	}
}

// look computes what the sensors saw in the latest cycle, once.
func (r *Robot) look() {
	if r.seen {
		return
	}
	s := r.sim
	r.eyes.Measure(s.scene, r.sampled, s.othersSampled(r), r.sampledInAir, s.cycle, &r.ambient, &r.delta)
	r.seen = true
}

// eyesight is the world as the robot's processor measures it. The caller holds
// the simulation's lock.
type eyesight struct{ r *Robot }

// Infrared implements vmcu.Environment; the latest cycle is the only one asked for.
func (e eyesight) Infrared(_ int64, s *vmcu.Infrared) {
	e.r.look()
	s.Ambient, s.Delta = e.r.ambient, e.r.delta
}
