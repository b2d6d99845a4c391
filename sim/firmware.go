// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vbattery"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vcamsensor"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vft903"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Firmware is one e-puck2 in a simulation. Its fields are guarded by the
// simulation's lock, except those that stay the same.
type Firmware struct {
	epuck
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

func newFirmware(s *Simulation, w *world.Robot, src noise.Source) (*Firmware, error) {
	r := &Firmware{epuck: newEpuck(s, w, src), seen: -1}
	r.plant, r.timing = r, eachStep
	r.mcu = vmcu.New(vmcu.Config{
		Firmware:    firmware(w.Firmware),
		Selector:    uint8(w.Selector),
		BootTime:    s.opts.BootTime,
		Settled:     s.opts.Settled,
		Noise:       src.Named("microphones"),
		Environment: eyesight{r},
	})
	r.ranger = physics.NewRanger()
	r.dark = r.battery.Dead()
	r.bus = r.newBus("sim:"+w.Name, "e-puck", src.Named("bus"))
	r.board = r.newBus("sim:"+w.Name+":board", "board", src.Named("board bus"))
	if err := r.bus.Attach(vmcu.Address, processor{chip{r, r.mcu}}); err != nil {
		return nil, err
	}
	r.pi.ft903 = vft903.New(vft903.Config{Now: func() time.Duration { return s.kernel.Time() }})
	r.pi.monitor = vbattery.New(vbattery.Config{Now: s.Elapsed, Cell: cell{r}, Noise: src.Named("battery monitor"), Perfect: s.opts.Quiet})
	r.camera = newCamera(&r.epuck, func() vcamsensor.Output {
		o, _ := r.CameraOutput()
		return o
	}, src.Named("camera"))
	r.solder()
	return r, r.equip(w, src)
}

// newBus makes one of the robot's buses; the trace knows it by label.
func (r *Firmware) newBus(name, label string, src noise.Source) *vbus.Bus {
	s := r.sim
	return vbus.New(vbus.Config{
		Tap:     func(addr uint16, w, answer []byte, err error) { r.record(label, addr, w, answer, err) },
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

// Bus returns the I²C bus that the robot's chips sit on (channel 1 of the
// Pi-puck's multiplexer), the same at every call. It implements periph's
// i2c.BusCloser; closing it takes nothing from the robot but this bus. Faults of
// a single chip: Bus().FaultsAt(address).
func (r *Firmware) Bus() *vbus.Bus { return r.bus }

// BoardBus returns the I²C bus of the Pi-puck board's own chips (channel 0).
func (r *Firmware) BoardBus() *vbus.Bus { return r.board }

// Faults returns the control over failures of the robot's bus.
func (r *Firmware) Faults() *vbus.Faults { return r.bus.Faults() }

// rolled reports whether the motors have moved further than the body.
func (r *Firmware) rolled() bool {
	left, right := r.mcu.Travel()
	return left != r.left || right != r.right
}

// The methods below implement plant.

func (r *Firmware) put(pose geom.Pose) error {
	if err := r.epuck.put(pose); err != nil {
		return err
	}
	r.motion, r.attitude = physics.Motion{}, physics.Attitude{}
	return nil
}

func (r *Firmware) stepMotors(end time.Duration) { r.mcu.Advance(end) }

// stepBody moves the body as far as the motors have turned. Wheels in the air only spin.
func (r *Firmware) stepBody() {
	left, right := r.mcu.Travel()
	dl, dr := left-r.left, right-r.right
	if dl == 0 && dr == 0 {
		return
	}
	r.left, r.right = left, right
	if r.battery.Weak() {
		r.stalled[0] += dl
		r.stalled[1] += dr
		return
	}
	if !r.inAir {
		r.body.SetSpeeds(r.mcu.Speed())
		r.body.Move(r.sim.scene, r.touching(), dl, dr)
	}
}

func (r *Firmware) move() (at geom.Pose, touched bool) { return r.moved() }

func (r *Firmware) sampleSensors(cycle int64) { r.mcu.Sample(cycle) }

// sense computes what the sensors saw in the latest cycle, once.
func (r *Firmware) sense() {
	s := r.sim
	if r.seen == s.kernel.Cycle() {
		return
	}
	r.eyes.Measure(s.scene, r.sampled, r.othersSampled(), r.sampledInAir, s.kernel.Cycle(), &r.ambient, &r.delta)
	r.seen = s.kernel.Cycle()
}

func (r *Firmware) still() bool   { return r.mcu.Idle() && !r.rolled() }
func (r *Firmware) settled() bool { return r.motion.Settled() }
func (r *Firmware) waking() bool  { return r.mcu.Waking() }

func (r *Firmware) overrideMotors(o MotorOverride) { r.mcu.OverrideMotors(r.motorOverride(o)) }
func (r *Firmware) commandedLEDs() vmcu.LEDs       { return r.mcu.LEDs() }
func (r *Firmware) chargingChanged()               { r.setCharger() }

// shutDown closes the buses: a transfer that is under way needs the lock.
func (r *Firmware) shutDown() {
	_ = r.bus.Close()
	_ = r.board.Close()
}

// eyesight is the world as the robot's processor measures it. The caller holds
// the simulation's lock.
type eyesight struct{ r *Firmware }

// Sound implements vmcu.Environment.
func (e eyesight) Sound(at *[4]float64) { e.r.sim.scene.Heard(e.r.body.Pose(), at) }

// Infrared implements vmcu.Environment; the latest cycle is the only one asked for.
func (e eyesight) Infrared(_ int64, s *vmcu.Infrared) {
	e.r.sense()
	s.Ambient = e.r.ambient
	for i, v := range e.r.delta {
		s.Delta[i] = int16(v)
	}
}
