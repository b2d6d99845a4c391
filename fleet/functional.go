// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/i2c/axes"
	"github.com/epuck-ros2/epuck-driver/i2c/battery"
	"github.com/epuck-ros2/epuck-driver/i2c/bmm150"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/ground"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
	"github.com/epuck-ros2/epuck-driver/i2c/vl53l0x"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// functional is a robot of the functional level as the hardware of a driver: readings come from formulas instead of
// chips.
type functional struct {
	simulated controllable
	now       func() time.Time

	// What the robot carries, and when that is looked up again: it may lose parts, and get others. changes counts the
	// changes.
	carried []sim.Part
	changes int
	look    time.Time
}

var _ hardware.Hardware = (*functional)(nil)

// lookPeriod is the time between two looks at what a robot carries.
const lookPeriod = time.Second

// Open implements hardware.Hardware.
func (f *functional) Open(o *hardware.Options) (*hardware.Devices, error) {
	f.now, f.carried = o.Now, f.simulated.Parts()
	f.look = f.now().Add(lookPeriod)
	p := newProcessor(f, o)
	v := &hardware.Devices{
		Name:         "functional level of the simulation",
		NewProcessor: func(events func(mcu.Event)) (hardware.Processor, error) { p.events = events; return p, nil },
		Guard:        p,
		LEDs:         &boardLEDs{sensor: f.sensor("LEDs", world.LEDs)},
		Battery:      newCell(f),
	}
	if o.IMURate > 0 {
		v.IMU = newInertial(f, o)
	}
	if o.ToFRate > 0 {
		f.simulated.Do(func(c *sim.Control) { c.SetRanging(ranging(o.ToFProfile)) })
		v.ToF = &tof{sensor: f.sensor("time-of-flight sensor", world.ToF), period: o.ToFProfile.Budget(), needed: o.Needs.ToF}
	}
	if o.GroundRate > 0 {
		v.Ground = &floor{sensor: f.sensor("ground sensors", world.Ground)}
	}
	if o.MagRate > 0 && (o.IMURate == 0 || !f.carries(world.IMU)) {
		v.Mag = &compass{sensor: f.sensor("magnetometer", world.Magnetometer), mount: o.MagRotation, period: ros2.Seconds(1 / o.MagRate)}
	}
	return v, nil
}

// carries reports whether the robot had a part at the last look.
func (f *functional) carries(p sim.Part) bool { return slices.Contains(f.carried, p) }

// sensor is what the parts of a functional robot have in common. A part measures from the start while the robot carries
// it.
type sensor struct {
	robot *functional
	name  string
	part  sim.Part
	state device.State
	known int // changes at the latest update of state
}

func (f *functional) sensor(name string, p sim.Part) sensor {
	s := sensor{robot: f, name: name, part: p}
	s.update()
	return s
}

// update updates the state to what the robot carries.
func (s *sensor) update() {
	if s.state, s.known = device.Absent, s.robot.changes; s.robot.carries(s.part) {
		s.state = device.Running
	}
}

// State implements hardware.Part.
func (s *sensor) State() device.State { return s.state }

// String implements hardware.Part.
func (s *sensor) String() string { return "simulated " + s.name }

// Halt implements hardware.Part.
func (s *sensor) Halt() error {
	s.state = device.Halted
	return nil
}

// poll looks at what the robot carries if it is time, and reports whether it carries the part.
func (s *sensor) poll(now time.Time) bool {
	f := s.robot
	if !now.Before(f.look) {
		f.look = now.Add(lookPeriod)
		if carried := f.simulated.Parts(); !slices.Equal(carried, f.carried) {
			f.carried = carried
			f.changes++
		}
	}
	if s.known != f.changes || s.state == device.Halted {
		s.update()
	}
	return s.state == device.Running
}

// every is the time of a sensor's next measurement, at a fixed rate.
type every struct{ next time.Time }

// due reports whether it is time to measure, at most early before.
func (e *every) due(now time.Time, period, early time.Duration) bool {
	if now.Before(e.next.Add(-early)) {
		return false
	}
	if e.next = e.next.Add(period); e.next.Before(now) {
		e.next = now.Add(period)
	}
	return true
}

// tof is the time-of-flight sensor.
type tof struct {
	sensor
	period  time.Duration
	needed  func() bool
	next    every
	reading vl53l0x.Reading
}

// ranging returns how the time-of-flight sensor measures with a profile.
func ranging(p vl53l0x.Profile) vtof.Setting {
	if p == vl53l0x.LongRange {
		return vtof.LongRange()
	}
	return vtof.ShortRange(p.Budget())
}

// Poll implements hardware.ToF.
func (t *tof) Poll(now time.Time) (fresh bool, err error) {
	if !t.poll(now) || !t.needed() || !t.next.due(now, t.period, 0) {
		return false, nil
	}
	t.robot.simulated.Do(func(c *sim.Control) { t.reading.Distance = c.Distance() })
	return true, nil
}

// Sense implements hardware.ToF.
func (t *tof) Sense(to *vl53l0x.Reading) error {
	*to = t.reading
	return nil
}

// floor is the board of ground sensors.
type floor struct {
	sensor
	reading ground.Reading
}

// Poll implements hardware.Ground.
func (g *floor) Poll(now time.Time) (fresh bool, err error) {
	if !g.poll(now) {
		return false, nil
	}
	g.robot.simulated.Do(func(c *sim.Control) {
		for i, counts := range c.Ground() {
			g.reading.Reflected[i], g.reading.Ambient[i] = uint16(counts), groundAmbient
		}
	})
	return true, nil
}

// groundAmbient is what the ground sensors measure without their own light, counts: the level has no formula for it.
const groundAmbient = 1

// Sense implements hardware.Ground.
func (g *floor) Sense(to *ground.Reading) error {
	*to = g.reading
	return nil
}

// compass is the add-on magnetometer of the board.
type compass struct {
	sensor
	mount   axes.Rotation
	period  time.Duration
	next    every
	reading bmm150.Reading
}

// Poll implements hardware.Magnetometer.
func (m *compass) Poll(now time.Time) (fresh bool, err error) {
	if !m.poll(now) || !m.next.due(now, m.period, m.period/4) {
		return false, nil
	}
	m.robot.simulated.Do(func(c *sim.Control) { m.reading = bmm150.Reading{At: now, Field: m.mount.Apply(c.BoardField())} })
	return true, nil
}

// Sense implements hardware.Magnetometer.
func (m *compass) Sense(to *bmm150.Reading) error {
	*to = m.reading
	return nil
}

// Variance implements hardware.Magnetometer.
func (m *compass) Variance() float64 { return bmm150.Regular.Variance() }

// cell is the battery.
type cell struct {
	sensor
	next    time.Time
	reading battery.Reading
}

// batteryPeriod is the time between two measurements of the battery.
const batteryPeriod = time.Second

func newCell(f *functional) *cell {
	none := battery.Cell{Voltage: math.NaN(), Charge: math.NaN()}
	return &cell{sensor: f.sensor("battery", world.BatteryMonitor), reading: battery.Reading{Robot: none, Aux: none}}
}

// Next implements hardware.Battery.
func (b *cell) Next() time.Time { return b.next }

// Poll implements hardware.Battery.
func (b *cell) Poll(now time.Time) (fresh bool, err error) {
	if !b.poll(now) || now.Before(b.next) {
		return false, nil
	}
	if b.next = b.next.Add(batteryPeriod); b.next.Before(now) {
		b.next = now.Add(batteryPeriod)
	}
	var voltage float64
	b.robot.simulated.Do(func(c *sim.Control) {
		voltage, b.reading.Charging = c.MeasuredVoltage(), battery.Discharging
		if c.Charging() {
			b.reading.Charging = battery.Recharging
		}
	})
	b.reading.Robot, err = battery.CellOf(voltage, b.reading.Charging)
	return err == nil, err
}

// Reading implements hardware.Battery.
func (b *cell) Reading() battery.Reading { return b.reading }

// boardLEDs are the LEDs of the Pi-puck board.
type boardLEDs struct {
	sensor
	wanted [pipuck.LEDs]atomic.Uint32
	shown  [pipuck.LEDs]uint32
	next   time.Time
}

var errLED = errors.New("fleet: no such LED")

// Set implements hardware.LEDs.
func (l *boardLEDs) Set(led int, c pipuck.Colour) error {
	if led < 0 || led >= pipuck.LEDs {
		return fmt.Errorf("%w: %d is not within 0 and %d", errLED, led, pipuck.LEDs-1)
	}
	l.wanted[led].Store(uint32(c))
	return nil
}

// Next implements hardware.LEDs.
func (l *boardLEDs) Next() time.Time {
	for i := range l.wanted {
		if l.wanted[i].Load() != l.shown[i] {
			return time.Time{}
		}
	}
	return l.next
}

// Poll implements hardware.LEDs.
func (l *boardLEDs) Poll(now time.Time) error {
	if l.next = now.Add(lookPeriod); !l.poll(now) {
		return nil
	}
	for i := range l.wanted {
		if v := l.wanted[i].Load(); v != l.shown[i] {
			l.shown[i] = v
			l.robot.simulated.Do(func(c *sim.Control) { c.SetBoardLED(i, byte(v)) })
		}
	}
	return nil
}
