// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/odometry"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// functional is the node of a robot of the functional level.
type functional struct {
	agent *sim.Agent
	node  *ros2.Node
	clock ros2.Clock
	set   settings
	curve epuck2.InfraredCurve

	outputs  []output
	closers  []func() error
	pictures *pictures
	odom     *odometry.Odometer
	resets   atomic.Bool // the odometry is to be reset
	changed  atomic.Bool // a parameter was
	latest   reading
	next     time.Time // when it publishes again
	before   time.Time // when it published last

	mu     sync.Mutex // guards set, which step alone changes, and what follows, of the subscriptions
	v, w   float64    // m/s, rad/s
	at     time.Time
	moving bool
	lamps  vmcu.LEDs
	shine  bool       // lamps is new
	wheels [2]float64 // what the wheels were told last, rad/s
}

// settings are the driver's parameters that the functional level has a use for.
type settings struct {
	period, timeout              time.Duration
	odomFrame, baseFrame, prefix string
	publishTF, stamped, ledBool  bool
	wheels                       epuck2.Wheels
}

// reading is what is measured at one time.
type reading struct {
	stamp         time.Time
	period        time.Duration
	pose          odometry.State
	ambient       [8]uint16
	proximity     [8]uint16
	distance      float64
	ground        [3]float64
	accel, gyro   physics.Vec3
	voltage       float64
	volume        [4]uint16
	field         physics.Vec3
	remote        uint8
	presses       uint64
	wheels, speed [2]float64
}

// newFunctional offers the topics of an agent on a node.
func newFunctional(a *sim.Agent, n *ros2.Node, clock ros2.Clock) (*functional, error) {
	f := &functional{agent: a, node: n, clock: clock, curve: epuck2.DefaultInfraredCurve()}
	if err := table.Declare(n); err != nil {
		return nil, err
	}
	if err := f.readSettings(); err != nil {
		return nil, err
	}
	var err error
	if f.odom, err = odometry.New(odometry.Config{WheelRadius: f.set.wheels.Radius, WheelDistance: f.set.wheels.Distance}); err != nil {
		return nil, err
	}
	if f.pictures, err = openPictures(f); err == nil {
		err = f.open()
	}
	if err == nil {
		err = f.offerServices()
	}
	if err != nil {
		return nil, errors.Join(err, f.close())
	}
	unwatch := n.Parameters().OnChange(func(ros2.ParameterEvent) { f.changed.Store(true) })
	f.closers = append(f.closers, func() error {
		unwatch()
		return nil
	})
	return f, nil
}

// value returns the value of one of the driver's parameters, which are declared.
func (f *functional) value(name string) ros2.ParameterValue {
	v, _ := f.node.Parameters().Get(name)
	return v
}

func (f *functional) text(name string) string { return f.value(name).Str() }

// readSettings reads the parameters.
func (f *functional) readSettings() error {
	var errs []error
	get := func(name string) ros2.ParameterValue {
		v, err := f.node.Parameters().Get(name)
		errs = append(errs, err)
		return v
	}
	set := settings{
		period:    ros2.Seconds(1 / get("rate").Double()),
		timeout:   ros2.Seconds(get("cmd_vel_timeout").Double()),
		odomFrame: get("odom_frame").Str(), baseFrame: get("base_frame").Str(), prefix: get("frame_prefix").Str(),
		publishTF: get("publish_tf").Bool(), stamped: get("cmd_vel_stamped").Bool(),
		ledBool: get("led_type").Str() == string(table.LEDBool),
		wheels: epuck2.Wheels{
			Radius: get("wheel_radius").Double(), Distance: get("wheel_distance").Double(),
			MaxSpeed: get("max_wheel_speed").Double(), SpeedUnit: get("speed_unit").Double(),
		},
	}
	set.odomFrame, set.baseFrame = set.prefix+set.odomFrame, set.prefix+set.baseFrame
	f.mu.Lock()
	f.set = set
	f.mu.Unlock()
	return errors.Join(errs...)
}

// open makes publishers and subscriptions.
func (f *functional) open() error {
	for _, t := range table.Topics() {
		for i, name := range t.Names() {
			if t.Direction == table.Subscribed {
				if err := f.subscribe(t, i, name); err != nil {
					return err
				}
				continue
			}
			o, err := f.offer(t, i, name)
			if err != nil {
				return fmt.Errorf("fleet: %s: %w", name, err)
			}
			if o != nil {
				f.outputs = append(f.outputs, o)
				f.closers = append(f.closers, o.close)
			}
		}
	}
	return nil
}

// subscribe asks for member i of a row of commands, if the level knows it.
func (f *functional) subscribe(t table.Topic, i int, name string) error {
	var err error
	var sub interface{ Close() error }
	switch t.Name {
	case "cmd_vel":
		if f.set.stamped {
			sub, err = ros2.NewSubscription(f.node, name, t.QoS, func(m *geometry_msgs.TwistStamped, _ ros2.MessageInfo) { f.command(&m.Twist) })
		} else {
			sub, err = ros2.NewSubscription(f.node, name, t.QoS, func(m *geometry_msgs.Twist, _ ros2.MessageInfo) { f.command(m) })
		}
	case "joint_commands":
		sub, err = ros2.NewSubscription(f.node, name, t.QoS, func(m *sensor_msgs.JointState, _ ros2.MessageInfo) { f.turn(m) })
	case "speaker":
		sub, err = ros2.NewSubscription(f.node, name, t.QoS, func(m *std_msgs.UInt8, _ ros2.MessageInfo) {
			f.agent.Do(func(c *sim.Control) { c.PlayMelody(m.Data) })
		})
	case "pi_led":
		sub, err = ros2.NewSubscription(f.node, name, t.QoS, func(m *std_msgs.Int32, _ ros2.MessageInfo) {
			f.agent.Do(func(c *sim.Control) { c.SetBoardLED(t.Numbers[i], boardColour(m.Data)) })
		})
	case "led":
		if f.set.ledBool && t.Numbers[i]%2 == 0 {
			sub, err = ros2.NewSubscription(f.node, name, t.QoS, func(m *std_msgs.Bool, _ ros2.MessageInfo) {
				f.light(t.Numbers[i], map[bool]int32{true: 1}[m.Data])
			})
			break
		}
		sub, err = ros2.NewSubscription(f.node, name, t.QoS, func(m *std_msgs.Int32, _ ros2.MessageInfo) { f.light(t.Numbers[i], m.Data) })
	default:
		return nil
	}
	if err != nil {
		return fmt.Errorf("fleet: %s: %w", name, err)
	}
	f.closers = append(f.closers, sub.Close)
	return nil
}

// boardColour makes 0b00000BGR of 0xRRGGBB: a part that is not 0 is on.
func boardColour(rgb int32) (c byte) {
	for i, mask := range [3]int32{0xFF0000, 0x00FF00, 0x0000FF} {
		if rgb&mask != 0 {
			c |= 1 << i
		}
	}
	return c
}

// command takes a wish to move; what is no number is ignored.
func (f *functional) command(m *geometry_msgs.Twist) {
	v, w := m.Linear.X, m.Angular.Z
	if math.IsNaN(v) || math.IsNaN(w) || math.IsInf(v, 0) || math.IsInf(w, 0) {
		return
	}
	f.mu.Lock()
	f.v, f.w, f.at, f.moving = v, w, f.clock.Now(), v != 0 || w != 0
	f.mu.Unlock()
	f.act(true)
}

// turn takes a wish for the speeds of both wheels (rad/s), by the names of their joints; one that lacks a wheel is
// ignored.
func (f *functional) turn(m *sensor_msgs.JointState) {
	speed := [2]float64{math.NaN(), math.NaN()}
	for i, name := range m.Name {
		if k := slices.Index(joints[:], name); k >= 0 && i < len(m.Velocity) {
			speed[k] = m.Velocity[i]
		}
	}
	f.mu.Lock()
	w := f.set.wheels
	f.mu.Unlock()
	var t geometry_msgs.Twist
	t.Linear.X, t.Angular.Z = (speed[0]+speed[1])/2*w.Radius, (speed[1]-speed[0])*w.Radius/w.Distance
	f.command(&t)
}

// light takes a wish for a LED.
func (f *functional) light(n int, value int32) {
	f.mu.Lock()
	if n%2 == 0 {
		f.lamps.Red[n/2] = value != 0
	} else {
		for k, shift := range [3]int{16, 8, 0} {
			f.lamps.RGB[n/2][k] = uint8((value >> shift & 0xFF) * 100 / 255)
		}
	}
	f.shine = true
	f.mu.Unlock()
	f.act(false)
}

// act lets the agent do what is wished for now. The wheels are told what is new, or asked for: another program may
// drive them, too, as a controller of Webots.
func (f *functional) act(asked bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.moving && f.set.timeout > 0 && f.clock.Now().Sub(f.at) >= f.set.timeout {
		f.v, f.w, f.moving = 0, 0, false
	}
	left, right := f.set.wheels.Speeds(f.v, f.w)
	turn := asked || f.wheels != [2]float64{left, right}
	f.wheels = [2]float64{left, right}
	f.agent.Do(func(c *sim.Control) {
		if turn {
			c.SetWheels(left, right)
		}
		if f.shine {
			c.SetLEDs(f.lamps)
			f.shine = false
		}
	})
}

// step publishes if it is time, what has a subscriber.
func (f *functional) step(now time.Time) error {
	f.act(false)
	if now.Before(f.next) {
		return nil
	}
	f.latest.period = now.Sub(f.before)
	f.next, f.before = f.next.Add(f.set.period), now
	if f.next.Before(now) {
		f.next = now.Add(f.set.period)
	}
	f.latest.stamp = now
	if f.changed.CompareAndSwap(true, false) {
		if err := errors.Join(f.readSettings(), f.odom.SetGeometry(odometry.Config{WheelRadius: f.set.wheels.Radius, WheelDistance: f.set.wheels.Distance})); err != nil {
			return err
		}
	}
	f.measure()
	var errs []error
	for _, o := range f.outputs {
		if o.wanted() {
			errs = append(errs, o.publish(f))
		}
	}
	return errors.Join(errs...)
}

// measure asks the agent for what is published.
func (f *functional) measure() {
	l := &f.latest
	f.agent.Do(func(c *sim.Control) {
		l.wheels, l.speed = c.Wheels()
		for _, o := range f.outputs {
			if o.wanted() {
				o.measure(c, l)
			}
		}
	})
	const steps = vmcu.StepsPerTurn / (2 * math.Pi)
	l.pose, _ = f.odom.Update(int16(int64(l.wheels[0]*steps)), int16(int64(l.wheels[1]*steps)), l.period)
	if f.resets.CompareAndSwap(true, false) {
		f.odom.Reset()
		l.pose = f.odom.State()
	}
}

// close stops the wheels and withdraws everything.
func (f *functional) close() error {
	f.agent.Do(func(c *sim.Control) { c.SetWheels(0, 0) })
	var errs []error
	errs = append(errs, f.pictures.close())
	for _, c := range f.closers {
		errs = append(errs, c())
	}
	return errors.Join(errs...)
}
