// SPDX-License-Identifier: Apache-2.0

package genericdriver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/odometry"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/typewatch"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// drive is a differential drive: it executes commands and computes odometry from the wheels' encoders.
type drive struct {
	set      driveSettings
	wheels   [2][]int // joints
	maxSpeed float64  // maximum speed of a wheel, rad/s; +Inf: unknown
	odom     *odometry.Odometer
	pose     odometry.State
	updated  time.Time
	resets   bool
	closers  []func() error
	types    *typewatch.Watch

	mu    sync.Mutex
	at    time.Time // time of the last command
	moves bool
}

// driveSettings are the parameters drive.NAME.
type driveSettings struct {
	left, right                    string
	distance, radius, timeout      float64 // m, m, s
	command, odometry, frame, base string
	stamped                        bool
}

// resolveDrive resolves the settings of the wheels from the three sources.
func resolveDrive(n *ros2.Node, d *description.Drive, file *FileDrive, root string) (s driveSettings, err error) {
	var errs []error
	declare := func(name, meaning string, value ros2.ParameterValue) ros2.ParameterValue {
		v, err := n.DeclareParameter(ros2.ParameterDescriptor{Name: "drive." + name, Default: value, Description: meaning, ReadOnly: true})
		errs = append(errs, err)
		return v
	}
	text := func(to *string, name string, file *string, def, meaning string) {
		*to = declare(name, meaning, ros2.StringValue(or(file, def))).Str()
	}
	length := func(to *float64, name string, file *float64, def float64, meaning string) {
		if *to = declare(name, meaning, ros2.DoubleValue(or(file, def))).Double(); !(*to > 0) || math.IsInf(*to, 0) {
			errs = append(errs, fmt.Errorf("drive.%s is %g, must be above 0", name, *to))
		}
	}
	text(&s.left, "left_joint", file.LeftJoint, d.Left[0], "joint of the left wheel, whose position is the left encoder")
	text(&s.right, "right_joint", file.RightJoint, d.Right[0], "joint of the right wheel, whose position is the right encoder")
	length(&s.distance, "wheel_distance", file.WheelDistance, d.Separation, "m")
	length(&s.radius, "wheel_radius", file.WheelRadius, d.Radius, "m")
	text(&s.command, "command_topic", file.CommandTopic, topicName(d.CommandTopic, "cmd_vel"), "Twist")
	text(&s.odometry, "odometry_topic", file.OdometryTopic, topicName(d.OdometryTopic, "odom"), "Odometry")
	text(&s.frame, "odometry_frame", file.OdometryFrame, "odom", "frame of the odometry")
	text(&s.base, "robot_base_frame", file.RobotBaseFrame, root, "child frame of the odometry")
	length(&s.timeout, "cmd_vel_timeout", nil, 0.5, "time after a command after which the wheels stop, s")
	s.stamped = declare("cmd_vel_stamped", "commands are TwistStamped", ros2.BoolValue(false)).Bool()
	if err := errors.Join(errs...); err != nil {
		return s, fmt.Errorf("%w: %w", ErrSettings, err)
	}
	return s, nil
}

// topicName returns the last element of a described topic's name, or otherwise if that is not a usable name.
func topicName(topic, otherwise string) string {
	topic = strings.TrimRight(topic, "/")
	topic = topic[strings.LastIndexByte(topic, '/')+1:]
	if topic == "" || Plain(topic) != topic || topic == "odometry" {
		return otherwise
	}
	return topic
}

// Counts of the odometer: enough for a small rounding error, without a wrap within a period.
const (
	countsPerTurn = 4000
	topCounts     = 1e6
)

// newDrive creates the drive of a description; nil if it has none.
func newDrive(c *Context, desc *description.Robot, file *FileDrive, root string) (*drive, error) {
	if desc.Drive == nil {
		return nil, nil //nolint:nilnil // a robot without a drive
	}
	set, err := resolveDrive(c.Node, desc.Drive, file, root)
	if err != nil {
		return nil, err
	}
	d := &drive{set: set, maxSpeed: math.Inf(1)}
	for side, names := range [2][]string{desc.Drive.Left, desc.Drive.Right} {
		if first := [2]string{set.left, set.right}[side]; !slices.Contains(names, first) {
			names = []string{first}
		} else {
			names = append([]string{first}, slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == first })...)
		}
		for _, name := range names {
			i := slices.IndexFunc(desc.Joints, func(j description.Joint) bool { return j.Name == name && j.Moves() })
			if i < 0 {
				return nil, fmt.Errorf("%w: drive: no joint %q that moves", ErrSettings, name)
			}
			d.wheels[side] = append(d.wheels[side], i)
			if l := desc.Joints[i].Limit; l != nil {
				d.maxSpeed = min(d.maxSpeed, l.Velocity.Most())
			}
		}
	}
	if v := desc.Drive.Speed; v > 0 {
		d.maxSpeed = min(d.maxSpeed, v/desc.Drive.Radius)
	}
	d.odom, err = odometry.New(odometry.Config{WheelRadius: set.radius, WheelDistance: set.distance, StepsPerTurn: countsPerTurn, TopSpeed: topCounts})
	if err != nil {
		return nil, fmt.Errorf("%w: drive: %w", ErrSettings, err)
	}
	return d, d.listen(c)
}

// listen subscribes to commands and creates the service reset_odometry.
func (d *drive) listen(c *Context) error {
	act := func(to machine.Devices, m *geometry_msgs.Twist) { d.command(to, m.Linear.X, m.Angular.Z) }
	var sub Component
	var err error
	if d.set.stamped {
		sub, err = listen(c, d.set.command, func(to machine.Devices, m *geometry_msgs.TwistStamped) { act(to, &m.Twist) })
	} else {
		sub, err = listen(c, d.set.command, act)
	}
	if err != nil {
		return err
	}
	d.closers = append(d.closers, sub.Close)
	ours, other := (&geometry_msgs.Twist{}).ROSType(), (&geometry_msgs.TwistStamped{}).ROSType()
	if d.set.stamped {
		ours, other = other, ours
	}
	watched := typewatch.Config{
		Topic: d.set.command, Ours: ours, Other: other,
		Warning: "cmd_vel is published with another message type than the driver's: set cmd_vel_stamped accordingly",
	}
	if d.types, err = typewatch.New(c.Node, watched, c.Node.Logger()); err != nil {
		return err
	}
	d.closers = append(d.closers, func() error { d.types.Close(); return nil })
	service, err := ros2.NewService(c.Node, std_srvs.Trigger{}, "reset_odometry",
		func(context.Context, *std_srvs.TriggerRequest) (*std_srvs.TriggerResponse, error) {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.resets = true
			return &std_srvs.TriggerResponse{Success: true, Message: "done"}, nil
		})
	if err != nil {
		return errors.Join(err, d.close())
	}
	d.closers = append(d.closers, service.Close)
	return nil
}

// command sets the wheels' speeds for a command, m/s and rad/s. Speeds above the maximum are scaled down so that the
// curvature is kept. Commands that are not finite are ignored.
func (d *drive) command(to machine.Devices, v, omega float64) {
	if math.IsNaN(v) || math.IsNaN(omega) || math.IsInf(v, 0) || math.IsInf(omega, 0) {
		return
	}
	left := (v - float64(omega*d.set.distance)/2) / d.set.radius
	right := (v + float64(omega*d.set.distance)/2) / d.set.radius
	if fast := max(math.Abs(left), math.Abs(right)); fast > d.maxSpeed {
		left, right = left/fast*d.maxSpeed, right/fast*d.maxSpeed
	}
	d.mu.Lock()
	d.at, d.moves = time.Unix(0, 0).Add(to.Time()), left != 0 || right != 0
	d.mu.Unlock()
	d.turn(to, left, right)
}

// turn sets the speeds of the wheels, rad/s.
func (d *drive) turn(to machine.Devices, left, right float64) {
	for side, speed := range [2]float64{left, right} {
		for _, i := range d.wheels[side] {
			to.SetVelocity(i, speed)
		}
	}
}

// tick stops the wheels after the time-out of commands, and updates the odometry.
func (d *drive) tick(to machine.Devices, now time.Time) {
	d.types.Check(now)
	d.mu.Lock()
	late := d.moves && time.Unix(0, 0).Add(to.Time()).Sub(d.at) >= ros2.Seconds(d.set.timeout)
	d.moves = d.moves && !late
	reset := d.resets
	d.resets = false
	d.mu.Unlock()
	if late {
		d.turn(to, 0, 0)
	}
	var counts [2]int16
	for side := range counts {
		turns := to.Joint(d.wheels[side][0]).Position / (2 * math.Pi)
		counts[side] = int16(int64(math.Round(turns * countsPerTurn)))
	}
	if d.updated.IsZero() || now.After(d.updated) {
		d.pose, _ = d.odom.Update(counts[0], counts[1], now.Sub(d.updated))
		d.updated = now
	}
	if reset {
		d.odom.Reset()
		d.pose = d.odom.State()
	}
}

// offer returns the component that publishes the odometry.
func (d *drive) offer(c *Context) (Component, error) {
	return Offer(c, d.set.odometry, func(m *nav_msgs.Odometry, _ machine.Devices, now time.Time) bool {
		p := &d.pose
		m.Header.Stamp, m.Header.FrameID, m.ChildFrameID = stamp(now), c.frame(d.set.frame), c.frame(d.set.base)
		m.Pose.Pose.Position.X, m.Pose.Pose.Position.Y = p.X, p.Y
		m.Pose.Pose.Orientation = heading(p.Theta)
		p.PutPoseCovariance(&m.Pose.Covariance)
		m.Twist.Twist.Linear.X, m.Twist.Twist.Angular.Z = p.V, p.Omega
		p.PutTwistCovariance(&m.Twist.Covariance)
		return true
	})
}

// heading returns the rotation about the vertical axis by theta, rad.
func heading(theta float64) geometry_msgs.Quaternion {
	s, c := odometry.Sincos(theta / 2)
	return geometry_msgs.Quaternion{Z: s, W: c}
}

// close closes subscription, service and type watch.
func (d *drive) close() error {
	var errs []error
	for _, c := range d.closers {
		errs = append(errs, c())
	}
	return errors.Join(errs...)
}
