// SPDX-License-Identifier: Apache-2.0

package firmware

import (
	"slices"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vcamsensor"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vft903"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vground"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vimu"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmag"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
	"github.com/epuck-ros2/epuck-driver/sim/functional"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/plant"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// device is a chip at an address.
type device struct {
	part world.Part
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
	off []world.Part
}

// equip makes all chips of a robot and puts those on that it carries.
func (r *dynamics) equip(w *world.Robot, src noise.Source) error {
	e, now := senses{r}, func() time.Duration { return r.World().Kernel.Time() }
	quiet, level := r.World().Config.Quiet, 0.0 // 0: the board's own level
	if quiet {
		level = -1
	}
	imu := vimu.New(vimu.Config{Model: functional.IMUModel(w), Now: now, Body: e, Noise: src.Named("imu"), Perfect: quiet})
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

// sensor makes the sensor of the robot's camera.
func (r *dynamics) sensor(w *world.Robot, now func() time.Duration) device {
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
func (r *dynamics) attach(p world.Part, on bool) error {
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
	d.off = slices.DeleteFunc(d.off, func(q world.Part) bool { return q == p })
	if !on {
		d.off = append(d.off, p)
	}
	return nil
}

// Parts returns the equipment that the robot carries now.
func (r *Robot) Parts() []world.Part {
	d := &r.d.devices
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.DeleteFunc(world.Parts(), func(p world.Part) bool { return slices.Contains(d.off, p) })
}

// carries reports whether a part is on the robot now.
func (r *dynamics) carries(p world.Part) bool {
	d := &r.devices
	d.mu.Lock()
	defer d.mu.Unlock()
	return !slices.Contains(d.off, p)
}

// RemovePart takes a part off: its chips do not answer any more. It returns ErrNoPart for one that robots can't have.
func (r *Robot) RemovePart(p world.Part) error { return r.d.refit(p, false) }

// AddPart puts a part on, also one that the robot did not carry at the start: its chips are in their state at power-on.
// It returns ErrNoPart for one that robots can't have.
func (r *Robot) AddPart(p world.Part) error { return r.d.refit(p, true) }

func (r *dynamics) refit(p world.Part, on bool) error {
	if err := plant.KnownPart(world.Parts(), p); err != nil {
		return err
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
