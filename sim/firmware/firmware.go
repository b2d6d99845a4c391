// SPDX-License-Identifier: Apache-2.0

// Package firmware simulates e-puck2 robots whose chips answer on virtual I²C buses with the bytes of the real ones: the
// body of package functional, with the virtual microcontroller, which turns its wheels, and the other chips around it.
package firmware

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vbattery"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vcamsensor"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vft903"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/functional"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/plant"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Robot is an e-puck2 with virtual chips.
type Robot struct {
	d dynamics // first: its beginning is what steps need
	plant.Robot
}

// dynamics is the robot as its world moves and measures it: it implements plant.Plant and kernel.Stepper. Its fields are
// guarded by the world's lock, except those that stay the same.
type dynamics struct {
	functional.Body
	bus   *vbus.Bus // the e-puck's
	board *vbus.Bus // the Pi-puck's own

	mcu         *vmcu.MCU
	left, right int64    // the motors' half steps that the body has made
	held        bool     // in reset
	dark        bool     // without power
	stalled     [2]int64 // half steps that motors without torque have not made

	devices  devices
	camera   *vcamera.Camera `checkpoint:"-"`
	pi       board
	attitude physics.Attitude

	seen    int64 // the infrared cycle that ambient and delta are of
	ambient [8]uint16
	delta   [8]uint16
}

// New makes a robot of a checked world file, which is not in the world yet, and its unit. The caller does not hold the
// lock.
func New(x *plant.World, w *world.Robot, src noise.Source) (*Robot, *plant.Unit, error) {
	robot := &Robot{d: dynamics{seen: -1}}
	r := &robot.d
	r.Init(x, w, src, r)
	robot.Robot = plant.RobotOf(&r.Unit)
	r.mcu = vmcu.New(vmcu.Config{
		Firmware:    firmware(w.Firmware),
		Selector:    uint8(w.Selector),
		BootTime:    x.Config.BootTime,
		Settled:     x.Config.Settled,
		Noise:       src.Named("microphones"),
		Environment: eyesight{r},
	})
	r.Ranger = physics.NewRanger()
	r.dark = r.Battery().Dead()
	r.bus = r.newBus("sim:"+w.Name, "e-puck", src.Named("bus"))
	r.board = r.newBus("sim:"+w.Name+":board", "board", src.Named("board bus"))
	if err := r.bus.Attach(vmcu.Address, processor{chip{r, r.mcu}}); err != nil {
		return nil, nil, err
	}
	elapsed := func() time.Duration {
		x.Enter()
		defer x.Unlock()
		return x.Kernel.Time()
	}
	r.pi.ft903 = vft903.New(vft903.Config{Now: x.Kernel.Time})
	r.pi.monitor = vbattery.New(vbattery.Config{Now: elapsed, Cell: cell{r}, Noise: src.Named("battery monitor"), Perfect: x.Config.Quiet})
	r.camera = r.NewCamera(func() vcamsensor.Output {
		o, _ := robot.CameraOutput()
		return o
	}, src.Named("camera"))
	r.attachPins()
	return robot, &r.Unit, r.equip(w, src)
}

// newBus makes one of the robot's buses; the trace knows it by label.
func (r *dynamics) newBus(name, label string, src noise.Source) *vbus.Bus {
	c := &r.World().Config
	return vbus.New(vbus.Config{
		Tap:     func(addr uint16, w, answer []byte, err error) { r.record(label, addr, w, answer, err) },
		Name:    name,
		Sleep:   c.Sleep,
		Timeout: c.BusTimeout,
		Seed:    src.Uint64(0),
		Logger:  c.Logger,
	})
}

// record notes a transfer on one of the robot's buses.
func (r *dynamics) record(bus string, addr uint16, w, answer []byte, err error) {
	t, x := r.Trace(), r.World()
	if t == nil {
		return
	}
	x.Lock()
	defer x.Unlock()
	x.Kernel.Reach()
	t.Transfer(x.Kernel.Time(), bus, addr, w, answer, err)
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

// Bus returns the I²C bus that the robot's chips sit on (channel 1 of the
// Pi-puck's multiplexer), the same at every call. It implements periph's
// i2c.BusCloser; closing it takes nothing from the robot but this bus. Faults of
// a single chip: Bus().FaultsAt(address).
func (r *Robot) Bus() *vbus.Bus { return r.d.bus }

// BoardBus returns the I²C bus of the Pi-puck board's own chips (channel 0).
func (r *Robot) BoardBus() *vbus.Bus { return r.d.board }

// Faults returns the control over failures of the robot's bus.
func (r *Robot) Faults() *vbus.Faults { return r.d.bus.Faults() }

// rolled reports whether the motors have moved further than the body.
func (r *dynamics) rolled() bool {
	left, right := r.mcu.Travel()
	return left != r.left || right != r.right
}

// Put implements plant.Plant.
func (r *dynamics) Put(pose geom.Pose) error {
	if err := r.Body.Put(pose); err != nil {
		return err
	}
	r.Motion, r.attitude = physics.Motion{}, physics.Attitude{}
	return nil
}

// StepMotors implements kernel.Stepper.
func (r *dynamics) StepMotors(end time.Duration) { r.mcu.Advance(end) }

// StepBody implements kernel.Stepper: it moves the body as far as the motors have turned. Wheels in the air only spin.
func (r *dynamics) StepBody() {
	left, right := r.mcu.Travel()
	dl, dr := left-r.left, right-r.right
	if dl == 0 && dr == 0 {
		return
	}
	r.left, r.right = left, right
	if r.Battery().Weak() {
		r.stalled[0] += dl
		r.stalled[1] += dr
		return
	}
	if !r.InAir() {
		r.Chassis.SetSpeeds(r.mcu.Speed())
		r.Chassis.Move(r.World().Physics, r.Touching(), dl, dr)
	}
}

// EndCycle implements kernel.Body.
func (r *dynamics) EndCycle(cycle int64) {
	r.Moved(cycle, r.Chassis.Pose(), r.Chassis.ContactSinceLast())
}

// SampleSensors implements kernel.Stepper.
func (r *dynamics) SampleSensors(cycle int64) { r.mcu.Sample(cycle) }

// Sense implements kernel.Stepper: it computes what the sensors saw in the latest cycle, once.
func (r *dynamics) Sense() {
	x := r.World()
	cycle := x.Kernel.Cycle()
	if r.seen == cycle {
		return
	}
	at, inAir := r.Sampled()
	r.Eyes.Measure(x.Physics, at, r.OthersSampled(), inAir, cycle, &r.ambient, &r.delta)
	r.seen = cycle
}

// Still implements plant.Plant.
func (r *dynamics) Still() bool { return r.mcu.Idle() && !r.rolled() }

// Settled implements kernel.Stepper.
func (r *dynamics) Settled() bool { return r.Motion.Settled() }

// Waking implements kernel.Stepper.
func (r *dynamics) Waking() bool { return r.mcu.Waking() }

// OverrideMotors implements plant.Plant.
func (r *dynamics) OverrideMotors(o plant.MotorOverride) { r.mcu.OverrideMotors(r.MotorSteps(o)) }

// CommandedLEDs implements plant.Plant.
func (r *dynamics) CommandedLEDs() vmcu.LEDs { return r.mcu.LEDs() }

// ChargingChanged implements plant.Plant.
func (r *dynamics) ChargingChanged() { r.setCharger() }

// Close implements plant.Plant: it closes the buses. A transfer that is under way needs the lock.
func (r *dynamics) Close() {
	_ = r.bus.Close()
	_ = r.board.Close()
}

// eyesight is the world as the robot's processor measures it. The caller holds the world's lock.
type eyesight struct{ r *dynamics }

// Sound implements vmcu.Environment.
func (e eyesight) Sound(at *[4]float64) { e.r.World().Physics.Heard(e.r.Chassis.Pose(), at) }

// Infrared implements vmcu.Environment; the latest cycle is the only one asked for.
func (e eyesight) Infrared(_ int64, s *vmcu.Infrared) {
	e.r.Sense()
	s.Ambient = e.r.ambient
	for i, v := range e.r.delta {
		s.Delta[i] = int16(v)
	}
}
