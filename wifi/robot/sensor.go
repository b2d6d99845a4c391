// SPDX-License-Identifier: Apache-2.0

package robot

import (
	"fmt"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/battery"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/ground"
	"github.com/epuck-ros2/epuck-driver/i2c/vl53l0x"
	"github.com/epuck-ros2/epuck-driver/internal/system"
	"github.com/epuck-ros2/epuck-driver/wifi/packet"
)

// sensor is what the optional parts have in common: whether they are present, and the packet that they have used last.
type sensor struct {
	device.Resource
	chip    *device.Chip
	robot   *Robot
	present func(s *state) bool // it has measured something; nil: the robot has it
	fetch   device.Step
	latest  packet.Sensors
	count   uint64 // of latest
	used    uint64 // count of the last measurement
	have    bool   // there is a measurement
}

// init prepares a sensor. It counts as lost after as many failures in a row as tries.
func (s *sensor) init(r *Robot, name string, present func(*state) bool, o device.Opts) (err error) {
	s.robot, s.present = r, present
	s.fetch = device.Step{Do: s.take}
	s.chip, err = device.NewWithoutBus(name+" wifi:"+r.cfg.Address, device.Found(device.Step{Do: s.take, Tries: 1}), o)
	if err != nil {
		return fmt.Errorf("wifi: %w", err)
	}
	s.Resource = s.chip.Shown()
	return nil
}

// take copies the latest sensors.
func (s *sensor) take() error {
	r := s.robot
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.trouble(r.cfg.Now()); err != nil {
		return err
	}
	if s.present != nil && !s.present(&r.state) {
		return system.EREMOTEIO
	}
	s.latest, s.count = r.state.latest, r.count
	return nil
}

// poll looks for the part, or fetches the latest sensors. fresh reports whether they are newer than those used last.
func (s *sensor) poll(now time.Time) (fresh bool, err error) {
	was := s.State() == device.Running
	running, err := s.chip.Poll(now)
	if !running || !was {
		s.have = s.have && was
		return false, err
	}
	if !s.chip.Due(now) {
		return false, nil
	}
	if _, err := s.chip.Do(now, &s.fetch); err != nil {
		s.have = s.have && s.State() == device.Running
		return false, err
	}
	return s.count != s.used, nil
}

// accept makes the fetched sensors the last measurement.
func (s *sensor) accept() {
	s.used, s.have = s.count, true
	s.chip.Accept()
}

// Halt ends the measurements until the next Poll.
func (s *sensor) Halt() error {
	s.have = false
	return s.chip.Halt()
}

// tof is the time-of-flight sensor with the settings of the long range profile: the firmware reads it ten times a
// second.
type tof struct {
	sensor
	reading vl53l0x.Reading
}

// tofFar is the least distance that means "no object", mm.
const tofFar = 8190

func newToF(r *Robot) (*tof, error) {
	t := new(tof)
	return t, t.init(r, "time-of-flight sensor", nil, device.Opts{})
}

// Poll implements hardware.ToF. While the firmware has measured nothing, it fails.
func (t *tof) Poll(now time.Time) (fresh bool, err error) {
	if fresh, err = t.poll(now); !fresh {
		return false, err
	}
	mm := t.latest.Distance
	if mm == 0 {
		t.used = t.count
		err := fmt.Errorf("wifi: %w: the robot has measured no distance since it was switched on", device.ErrNoReading)
		t.chip.Reject(err)
		return false, err
	}
	t.reading = vl53l0x.Reading{Distance: float64(mm) / 1000}
	if mm >= tofFar {
		t.reading.Distance = math.Inf(1)
	}
	t.accept()
	return true, nil
}

// Sense implements hardware.ToF.
func (t *tof) Sense(to *vl53l0x.Reading) error {
	*to = t.reading
	return t.chip.Readable(t.have)
}

// floor is the board of ground sensors, which is present if it has measured something.
type floor struct {
	sensor
	reading ground.Reading
}

func newGround(r *Robot) (*floor, error) {
	g := new(floor)
	return g, g.init(r, "ground sensors", func(s *state) bool { return s.ground }, device.Opts{}.WithDefaults(5, time.Second))
}

// Poll implements hardware.Ground.
func (g *floor) Poll(now time.Time) (fresh bool, err error) {
	if fresh, err = g.poll(now); !fresh {
		return false, err
	}
	if !plausibleGround(&g.latest) {
		g.used = g.count
		err := fmt.Errorf("wifi: ground sensors: %w: counts %v, ambient %v, at most %d", device.ErrNoReading, g.latest.Ground, g.latest.GroundAmbient, ground.MaxCount)
		g.chip.Reject(err)
		return false, err
	}
	g.reading = ground.Reading{Reflected: g.latest.Ground, Ambient: g.latest.GroundAmbient}
	g.accept()
	return true, nil
}

// plausibleGround reports whether the counts are those of 10-bit converters.
func plausibleGround(s *packet.Sensors) bool {
	for i := range s.Ground {
		if s.Ground[i] > ground.MaxCount || s.GroundAmbient[i] > ground.MaxCount {
			return false
		}
	}
	return true
}

// Sense implements hardware.Ground.
func (g *floor) Sense(to *ground.Reading) error {
	*to = g.reading
	return g.chip.Readable(g.have)
}

// cell is the robot's battery, measured once a second.
type cell struct {
	sensor
	due     time.Time
	reading battery.Reading
}

// batteryPeriod is the time between two measurements of the battery.
const batteryPeriod = time.Second

func newBattery(r *Robot) (*cell, error) {
	c := new(cell)
	none, err := battery.CellOf(0, battery.ChargingUnknown)
	if err != nil {
		return nil, err
	}
	c.reading = battery.Reading{Robot: none, Aux: none}
	return c, c.init(r, "battery", nil, device.Opts{}.WithDefaults(3, 5*time.Second))
}

// Poll implements hardware.Battery. Before the robot is reached, the error matches battery.ErrAbsent.
func (c *cell) Poll(now time.Time) (fresh bool, err error) {
	known := c.State() == device.Running
	if _, err = c.poll(now); err != nil {
		if !known {
			return false, fmt.Errorf("%w: %w", battery.ErrAbsent, err)
		}
		c.plan(now.Add(batteryPeriod)) // so that a short loss of the link is not one of the battery
		return false, err
	}
	if !known || !c.chip.Due(now) {
		return false, nil
	}
	robot, err := battery.CellOf(float64(c.latest.Battery)/packet.CountsPerVolt, battery.ChargingUnknown)
	next := c.due.Add(batteryPeriod)
	if next.Before(now) {
		next = now.Add(batteryPeriod)
	}
	c.plan(next)
	if err != nil {
		c.chip.Reject(err)
		return false, err
	}
	c.reading.Robot = robot
	c.accept()
	return true, nil
}

// plan sets the time of the next measurement.
func (c *cell) plan(at time.Time) {
	c.due = at
	c.chip.Rest(at)
}

// Reading implements hardware.Battery.
func (c *cell) Reading() battery.Reading { return c.reading }
