// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/battery"
	"github.com/epuck-ros2/epuck-driver/i2c/bmm150"
	"github.com/epuck-ros2/epuck-driver/i2c/ground"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/i2c/vl53l0x"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// watched are the outputs of the control cycle that are expensive to measure: they are measured only while they are
// subscribed.
type watched struct {
	infrared, sound []table.Output
	scan            table.Output
}

// watch returns the watched outputs of the control cycle.
func watch(g *table.Group) (w watched) {
	for _, o := range g.All {
		name := strings.TrimRight(o.Status().Name, "0123456789")
		switch name {
		case table.TopicRange, table.TopicCounts, table.TopicLight:
			w.infrared = append(w.infrared, o)
		case table.TopicScan:
			w.infrared, w.scan = append(w.infrared, o), o
		case table.TopicMic:
			w.sound = append(w.sound, o)
		}
	}
	return w
}

// sense measures the readings of the robot's microcontroller.
func (f *functional) sense(c *sim.Control) {
	s := &f.reading.Sensors
	if slices.ContainsFunc(f.watched.infrared, table.Output.Wanted) {
		s.Ambient, s.Proximity = c.Infrared()
	}
	if slices.ContainsFunc(f.watched.sound, table.Output.Wanted) {
		s.Microphone = c.Volume()
	}
	angles, _ := c.Wheels()
	s.LeftSteps, s.RightSteps = steps(angles[0]), steps(angles[1])
	code, _ := c.Remote()
	s.Remote = remoteCode(code)
}

// steps returns the step counter of a wheel that has turned by an angle (rad): the number of completed steps.
func steps(angle float64) int16 { return int16(int64(angle / mcu.RadPerStep)) }

// remoteCode returns an RC5 code, 0 to 127, as the firmware sends it: an extended one has bit 7 instead of bit 6 set.
func remoteCode(code uint8) uint8 {
	if code >= 64 {
		return code&63 | 128
	}
	return code
}

// complete completes the reading of a control cycle: period, stamp and odometry.
func (f *functional) complete(now time.Time) {
	r := &f.reading
	passed := now.Sub(f.taken)
	if r.Period = passed.Seconds(); f.taken.IsZero() {
		r.Period = 0
	}
	f.taken, r.Stamp = now, builtin_interfaces.TimeOf(now)
	r.Pose, _ = f.odometer.Update(r.Sensors.LeftSteps, r.Sensors.RightSteps, passed)
	if f.resets.CompareAndSwap(true, false) {
		f.odometer.Reset()
		r.Pose = f.odometer.State()
	}
	r.Ahead = now.Sub(r.ToF.At) <= table.ToFStale
}

// part is an optional device: its topics, and how it is measured.
type part struct {
	topics  table.Group
	period  time.Duration
	next    time.Time
	wanted  func(now time.Time) bool // nil: while a topic has a subscriber
	news    bool                     // it is measured in this step
	measure func(c *sim.Control, r *table.Reading, now time.Time)
}

// due reports whether the part is to be measured now, and advances its period.
func (p *part) due(now time.Time) bool {
	if now.Before(p.next) {
		return false
	}
	if p.next = p.next.Add(p.period); p.next.Before(now) {
		p.next = now.Add(p.period)
	}
	if p.wanted != nil {
		return p.wanted(now)
	}
	return p.topics.Wanted()
}

// openParts creates the topics of the devices that the robot has and that are not disabled by parameters.
func (f *functional) openParts() error {
	carried, set := f.simulated.Equipment(), f.set
	hasIMU := carried.Has(world.IMU)
	for _, row := range []struct {
		name    parts.Name
		present bool
		rate    float64 // Hz; 0: disabled
		measure func(c *sim.Control, r *table.Reading, now time.Time)
	}{
		{parts.ToF, carried.Has(world.ToF), math.Min(set.ToFRate, 1/set.ToFProfile.Budget().Seconds()), measureToF},
		{parts.IMU, hasIMU, set.IMURate, f.measureIMU},
		{parts.Ground, carried.Has(world.Ground), set.GroundRate, measureGround},
		{parts.Mag, hasIMU && set.IMURate > 0, set.MagRate, f.measureField},
		{parts.Mag, !(hasIMU && set.IMURate > 0) && carried.Has(world.Magnetometer), set.MagRate, f.measureBoardField},
		{parts.Battery, carried.Has(world.BatteryMonitor), batteryRate, f.measureBattery},
	} {
		if !row.present || row.rate == 0 {
			continue
		}
		p := &part{period: ros2.Seconds(1 / row.rate), measure: row.measure}
		var err error
		if p.topics, err = table.NewGroup(f.node, set, table.PublishedBy(row.name)); err != nil {
			return err
		}
		f.parts = append(f.parts, p)
		switch row.name {
		case parts.ToF: // it is also the scan's ray ahead
			p.wanted = func(time.Time) bool { return p.topics.Wanted() || f.watched.scan.Wanted() }
			f.simulated.Do(func(c *sim.Control) { c.SetRanging(ranging(set.ToFProfile)) })
		case parts.Battery: // a critical battery stops the wheels
			p.wanted = func(time.Time) bool { return true }
		case parts.IMU:
			if f.imu, err = newInertial(f, row.rate); err != nil {
				return err
			}
			p.wanted = func(now time.Time) bool { return f.imu.wanted(now) || p.topics.Wanted() }
		}
	}
	return nil
}

// batteryRate is the rate of battery measurements, Hz.
const batteryRate = 1

func measureToF(c *sim.Control, r *table.Reading, now time.Time) {
	r.ToF = table.ToFReading{Distance: epuck2.ToFDistance(c.Distance()), At: now, Stamp: builtin_interfaces.TimeOf(now)}
}

// ranging returns the simulated time-of-flight sensor's setting for a profile.
func ranging(p vl53l0x.Profile) vtof.Setting {
	if p == vl53l0x.LongRange {
		return vtof.LongRange()
	}
	return vtof.ShortRange(p.Budget())
}

func measureGround(c *sim.Control, r *table.Reading, now time.Time) {
	r.Ground.Stamp = builtin_interfaces.TimeOf(now)
	for i, counts := range c.Ground() {
		r.Ground.Height[i] = ground.Model{}.Height(uint16(counts))
	}
}

// measureBoardField measures the magnetic field with the magnetometer on the board.
func (f *functional) measureBoardField(c *sim.Control, r *table.Reading, now time.Time) {
	field := r.Set.Correct.Mag.Apply(f.boardMount.Apply(c.BoardField()))
	r.Mag = table.MagReading{Stamp: builtin_interfaces.TimeOf(now), Field: field, Variance: bmm150.Regular.Variance()}
}

// measureBattery measures the battery and stops the wheels while it is critical.
func (f *functional) measureBattery(c *sim.Control, r *table.Reading, now time.Time) {
	b := &r.Battery
	b.Stamp, b.Charging = builtin_interfaces.TimeOf(now), battery.Discharging
	if c.Charging() {
		b.Charging = battery.Recharging
	}
	b.Robot, _ = battery.CellOf(c.MeasuredVoltage(), b.Charging) // no battery of a simulation is out of range
	b.Level = f.monitor.Update(now, b.Reading).To
}
