// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vcamsensor"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vft903"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vground"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vimu"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmag"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Part names something that can be taken off a robot; see package sim/world.
type Part = world.Part

// Equipment is what an e-puck2 carries; see package sim/world.
type Equipment = world.Equipment

// device is a chip at an address.
type device struct {
	part Part
	bus  *vbus.Bus
	addr uint16
	chip vbus.Chip
}

// devices are the chips of a robot besides its main processor, on it or taken
// off.
type devices struct {
	list []device // never changes after the robot is made
	tof  *vtof.Chip
	imu  *vimu.Chip

	mu  sync.Mutex // guards off and what is attached
	off []Part
}

// equip makes all chips of a robot and puts those on that it carries.
func (r *Firmware) equip(w *world.Robot, src noise.Source) error {
	e, now := senses{r}, func() time.Duration { return r.sim.kernel.Time() }
	quiet, level := r.sim.opts.Quiet, 0.0 // 0: the board's own level
	if quiet {
		level = -1
	}
	imu := vimu.New(vimu.Config{Model: imuModel(w), Now: now, Body: e, Noise: src.Named("imu"), Perfect: quiet})
	tof := vtof.New(vtof.Config{Now: now, Scene: e, Noise: src.Named("tof"), Perfect: quiet})
	r.devices.tof, r.devices.imu = tof, imu
	r.devices.list = []device{
		{world.ToF, r.bus, vtof.Address, tof},
		{world.Ground, r.bus, vground.Address, vground.New(vground.Config{
			Now: now, Floor: e, Noise: src.Named("ground"), NoiseLevel: level, Cliff: w.Ground == world.GroundCliff,
		})},
		{world.IMU, r.bus, vimu.AddressLow, imu},
		{world.LEDs, r.board, vft903.Address, r.pi.ft903},
		{world.Magnetometer, r.board, vmag.Address, vmag.New(vmag.Config{
			Now: now, World: e, Noise: src.Named("magnetometer"), Perfect: quiet,
		})},
		r.sensor(w, now),
	}
	if mag := imu.Magnetometer(); mag != nil {
		r.devices.list = append(r.devices.list, device{world.IMU, r.bus, vimu.AddressField, mag})
	}
	r.devices.off = world.Parts()
	r.pi.monitor.Unplug(true)
	for _, p := range world.Parts() {
		if !w.Has(p) {
			continue
		}
		if err := r.attach(p, true); err != nil {
			return err
		}
	}
	return nil
}

// imuModel returns the model of a robot's IMU.
func imuModel(w *world.Robot) vimu.Model {
	if w.IMU == world.IMUICM20948 {
		return vimu.ICM20948
	}
	return vimu.MPU9250
}

// sensor makes the sensor of the robot's camera.
func (r *Firmware) sensor(w *world.Robot, now func() time.Duration) device {
	po := func(id vcamsensor.Identity) device {
		return device{world.Camera, r.bus, vcamsensor.AddressPO, vcamsensor.NewPO(id)}
	}
	switch w.Camera {
	case world.CameraPO8030:
		return po(vcamsensor.PO8030)
	case world.CameraPO6030:
		return po(vcamsensor.PO6030)
	case world.CameraPO3030:
		return po(vcamsensor.PO3030)
	}
	return device{world.Camera, r.bus, vcamsensor.AddressOV, vcamsensor.NewOV7670(now)}
}

// attach puts the chips of a part on their buses or takes them away. The caller
// holds mu, or no other code knows the robot yet.
func (r *Firmware) attach(p Part, on bool) error {
	d := &r.devices
	for _, v := range d.list {
		if v.part != p {
			continue
		}
		put := vbus.Chip(nil)
		if on {
			put = chip{r, v.chip}
		}
		if err := v.bus.Attach(v.addr, put); err != nil {
			return err
		}
	}
	if p == world.BatteryMonitor {
		r.pi.monitor.Unplug(!on)
	}
	d.off = slices.DeleteFunc(d.off, func(q Part) bool { return q == p })
	if !on {
		d.off = append(d.off, p)
	}
	return nil
}

// Parts implements Robot.
func (r *Firmware) Parts() []Part {
	d := &r.devices
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.DeleteFunc(world.Parts(), func(p Part) bool { return slices.Contains(d.off, p) })
}

// carries reports whether a part is on the robot now.
func (r *Firmware) carries(p Part) bool {
	d := &r.devices
	d.mu.Lock()
	defer d.mu.Unlock()
	return !slices.Contains(d.off, p)
}

// RemovePart implements Robot: the part's chips do not answer any more.
func (r *Firmware) RemovePart(p Part) error { return r.refit(p, false) }

// AddPart implements Robot, also for a part that the robot did not carry at the
// start: its chips are in their state at power-on.
func (r *Firmware) AddPart(p Part) error { return r.refit(p, true) }

func (r *Firmware) refit(p Part, on bool) error {
	if !slices.Contains(world.Parts(), p) {
		return fmt.Errorf("%w %q, there are %q", ErrNoPart, p, world.Parts())
	}
	d := &r.devices
	d.mu.Lock()
	defer d.mu.Unlock()
	if on != slices.Contains(d.off, p) {
		return nil
	}
	for _, v := range d.list {
		if v.part == p && on {
			chip{r, v.chip}.Restart()
		}
	}
	return r.attach(p, on)
}

// knows returns ErrNoPart for a part that is not one of some.
func knows(parts []Part, p Part) error {
	if !slices.Contains(parts, p) {
		return fmt.Errorf("%w %q, there are %q", ErrNoPart, p, parts)
	}
	return nil
}

// Parts implements Robot.
func (r *Functional) Parts() (on []Part) {
	r.Do(func(*Control) {
		on = slices.DeleteFunc(world.Parts(), func(p Part) bool { return slices.Contains(r.off, p) })
	})
	return on
}

// RemovePart implements Robot: without its sensor Distance is +Inf, and Ground 0.
func (r *Functional) RemovePart(p Part) error { return r.refit(p, false) }

// AddPart implements Robot.
func (r *Functional) AddPart(p Part) error { return r.refit(p, true) }

func (r *Functional) refit(p Part, on bool) error {
	if err := knows(world.Parts(), p); err != nil {
		return err
	}
	r.Do(func(*Control) {
		r.off = slices.DeleteFunc(r.off, func(q Part) bool { return q == p })
		if !on {
			r.off = append(r.off, p)
		}
	})
	return nil
}

// carries reports whether the robot has a part on.
func (c *Control) carries(p Part) bool { return !slices.Contains(c.r.off, p) }

// Parts implements Robot: the names of the devices.
func (a *Articulated) Parts() (on []Part) {
	a.Do(func(m Mechanism) {
		on = slices.DeleteFunc(m.Parts(), func(p Part) bool { return slices.Contains(a.off, p) })
	})
	return on
}

// RemovePart implements Robot: the device measures nothing any more.
func (a *Articulated) RemovePart(p Part) error { return a.refit(p, false) }

// AddPart implements Robot.
func (a *Articulated) AddPart(p Part) error { return a.refit(p, true) }

func (a *Articulated) refit(p Part, on bool) (err error) {
	a.Do(func(m Mechanism) {
		if err = knows(m.Parts(), p); err != nil {
			return
		}
		a.off = slices.DeleteFunc(a.off, func(q Part) bool { return q == p })
		if !on {
			a.off = append(a.off, p)
		}
		m.SetPart(p, on)
	})
	return err
}
