// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"math"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/ground"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// output is a topic that a functional robot publishes.
type output interface {
	// wanted reports whether it is to be published now.
	wanted() bool
	// measure takes what the topic needs from the robot.
	measure(c *sim.Control, l *reading)
	publish(f *functional) error
	close() error
}

// topic is an output of one message type.
type topic[T any, P ros2.MessageOf[T]] struct {
	pub   *ros2.Publisher[T]
	sense func(c *sim.Control, l *reading)
	build func(m *T, f *functional)
	once  bool // published when it is made, for those that come late
	done  bool
	m     T
}

func (t *topic[T, P]) wanted() bool { return t.once && !t.done || !t.once && t.pub.HasSubscribers() }

func (t *topic[T, P]) measure(c *sim.Control, l *reading) {
	if t.sense != nil {
		t.sense(c, l)
	}
}

func (t *topic[T, P]) publish(f *functional) error {
	t.build(&t.m, f)
	t.done = true
	err := t.pub.Publish(&t.m)
	if t.once {
		t.m = *new(T) // the publisher has its own copy
	}
	return err
}

func (t *topic[T, P]) close() error { return t.pub.Close() }

// offerTopic makes an output.
func offerTopic[T any, P ros2.MessageOf[T]](n *ros2.Node, row table.Topic, name string, sense func(*sim.Control, *reading), build func(*T, *functional)) (output, error) {
	pub, err := ros2.NewPublisher[T, P](n, name, row.QoS)
	if err != nil {
		return nil, err
	}
	once := row.When == table.Once || row.When == table.OnChange // what does not change is told once
	return &topic[T, P]{pub: pub, sense: sense, build: build, once: once}, nil
}

// offer makes the output of member i of a row of the driver's table; nil for what comes from elsewhere: pictures.
func (f *functional) offer(row table.Topic, i int, name string) (output, error) {
	frame := f.set.prefix + row.Frame
	if len(row.Numbers) > 0 {
		frame += strings.TrimPrefix(name, row.Name)
	}
	switch row.Name {
	case "odom":
		return offerTopic(f.node, row, name, nil, buildOdometry)
	case "/tf":
		return offerTopic(f.node, row, name, nil, buildTransform)
	case "/tf_static":
		return offerTopic(f.node, row, name, nil, buildMounts)
	case "scan":
		return offerTopic(f.node, row, name, measureScan, func(m *sensor_msgs.LaserScan, f *functional) { buildScan(m, f, frame) })
	case "ps":
		return offerTopic(f.node, row, name, measureProximity, func(m *jazzy.Range, f *functional) {
			infrared(m, f, frame, epuck2.InfraredFieldOfView, epuck2.MinInfraredRange, epuck2.MaxInfraredRange)
			m.Range = float32(f.proximity(i))
		})
	case "ps_raw":
		return offerTopic(f.node, row, name, measureProximity, func(m *std_msgs.UInt16MultiArray, f *functional) {
			m.Layout.Dim = []std_msgs.MultiArrayDimension{{Label: "sensor", Size: 8, Stride: 8}}
			m.Data = f.latest.proximity[:]
		})
	case "ls":
		return offerTopic(f.node, row, name, measureLight, func(m *sensor_msgs.Illuminance, f *functional) {
			m.Header.Stamp, m.Header.FrameID = stamp(f.latest.stamp), frame
			m.Illuminance, m.Variance = epuck2.Lux(f.latest.ambient[i])
		})
	case "joint_states":
		return offerTopic(f.node, row, name, nil, buildJoints)
	case "tof":
		return offerTopic(f.node, row, name, measureDistance, func(m *jazzy.Range, f *functional) {
			infrared(m, f, frame, 25*math.Pi/180, epuck2.MinToFRange, epuck2.MaxToFRange)
			m.Range = float32(limited(f.latest.distance, epuck2.MinToFRange, epuck2.MaxToFRange))
		})
	case "gs":
		return offerTopic(f.node, row, name, measureGround, func(m *jazzy.Range, f *functional) {
			infrared(m, f, frame, 0.5, ground.MinRange, ground.MaxRange)
			m.Range = float32(ground.Model{}.Height(uint16(f.latest.ground[i])))
		})
	}
	return f.offerRest(row, i, name, frame)
}

// offerRest is offer for topics that are no ranges.
func (f *functional) offerRest(row table.Topic, i int, name, frame string) (output, error) {
	switch row.Name {
	case "imu":
		return offerTopic(f.node, row, name, measureInertia, func(m *sensor_msgs.Imu, f *functional) {
			m.Header.Stamp, m.Header.FrameID = stamp(f.latest.stamp), frame
			m.Orientation.W, m.OrientationCovariance[0] = 1, -1
			a, w := f.latest.accel, f.latest.gyro
			m.LinearAcceleration = geometry_msgs.Vector3{X: a[0], Y: a[1], Z: a[2]}
			m.AngularVelocity = geometry_msgs.Vector3{X: w[0], Y: w[1], Z: w[2]}
		})
	case "battery_state":
		return offerTopic(f.node, row, name, func(c *sim.Control, l *reading) { l.voltage = c.Voltage() }, buildBattery)
	case "robot_description":
		return offerTopic(f.node, row, name, nil, func(m *std_msgs.String, f *functional) {
			m.Data = epuck2.URDF(strings.TrimPrefix(f.set.baseFrame, f.set.prefix), f.set.wheels)
		})
	case "button":
		return offerTopic(f.node, row, name, nil, func(*std_msgs.Bool, *functional) {})
	case "selector":
		return offerTopic(f.node, row, name, nil, func(m *std_msgs.UInt8, _ *functional) { m.Data = 10 })
	}
	return f.offerParts(row, i, name, frame)
}

// offerParts is offer for what chips do that matter to few.
func (f *functional) offerParts(row table.Topic, i int, name, frame string) (output, error) {
	switch row.Name {
	case "mic":
		return offerTopic(f.node, row, name, measureVolume, func(m *std_msgs.Int16, f *functional) {
			m.Data = int16(min(f.latest.volume[i], math.MaxInt16))
		})
	case "mag":
		return offerTopic(f.node, row, name, func(c *sim.Control, l *reading) { l.field = c.Field() },
			func(m *sensor_msgs.MagneticField, f *functional) {
				m.Header.Stamp, m.Header.FrameID = stamp(f.latest.stamp), frame
				m.MagneticField = geometry_msgs.Vector3{X: f.latest.field[0], Y: f.latest.field[1], Z: f.latest.field[2]}
			})
	case "tv_remote":
		return offerRemote(f.node, row, name)
	case "/diagnostics":
		return offerDiagnostics(f.node, row, name)
	}
	return nil, nil
}

func stamp(t time.Time) builtin_interfaces.Time {
	var s builtin_interfaces.Time
	s.Sec, s.Nanosec = ros2.Stamp(t)
	return s
}

func measureProximity(c *sim.Control, l *reading) {
	for i, v := range c.Proximity() {
		l.proximity[i] = uint16(v)
	}
}

func measureVolume(c *sim.Control, l *reading)   { l.volume = c.Volume() }
func measureLight(c *sim.Control, l *reading)    { l.ambient, _ = c.Infrared() }
func measureDistance(c *sim.Control, l *reading) { l.distance = c.Distance() }
func measureGround(c *sim.Control, l *reading)   { l.ground = c.Ground() }
func measureInertia(c *sim.Control, l *reading)  { l.accel, l.gyro = c.Inertial() }
func measureScan(c *sim.Control, l *reading) {
	measureProximity(c, l)
	measureDistance(c, l)
}

// infrared fills in what all ranges have in common.
func infrared(m *jazzy.Range, f *functional, frame string, view float64, low, high float32) {
	m.Header.Stamp, m.Header.FrameID = stamp(f.latest.stamp), frame
	m.RadiationType, m.FieldOfView, m.MinRange, m.MaxRange = jazzy.RangeInfrared, float32(view), low, high
}

// limited makes a distance a range as REP 117 has it: −Inf is too near, +Inf too far.
func limited(d, low, high float64) float64 {
	switch {
	case d < low:
		return math.Inf(-1)
	case d > high:
		return math.Inf(1)
	}
	return d
}

// proximity returns what infrared sensor i says, m.
func (f *functional) proximity(i int) float64 {
	counts := f.latest.proximity[i]
	if counts >= epuck2.SaturatedInfrared {
		return math.Inf(-1)
	}
	return limited(f.curve.Distance(counts), epuck2.MinInfraredRange, epuck2.MaxInfraredRange)
}
