// SPDX-License-Identifier: Apache-2.0

package genericdriver_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/genericdriver"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/urdf"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: %g, not %g", what, got, want)
	}
}

// A TurtleBot3 has the topics of its makers' package, with their types.
func TestTurtleBot3(t *testing.T) {
	r := newRig(t, options{})
	has := map[string]string{}
	for _, e := range r.endpoints() {
		has[e.name] = e.kind
	}
	for name, kind := range map[string]string{
		"cmd_vel": "geometry_msgs/msg/Twist", "odom": "nav_msgs/msg/Odometry", "scan": "sensor_msgs/msg/LaserScan",
		"imu": "sensor_msgs/msg/Imu", "joint_states": "sensor_msgs/msg/JointState", "tf": "tf2_msgs/msg/TFMessage",
		"tf_static": "tf2_msgs/msg/TFMessage", "robot_description": "std_msgs/msg/String",
		"battery_state": "sensor_msgs/msg/BatteryState", "magnetic_field": "sensor_msgs/msg/MagneticField",
		"sensor_state": "turtlebot3_msgs/msg/SensorState",
	} {
		if has[name] != kind {
			t.Errorf("%s is %q, not %q; there are %v", name, has[name], kind, has)
		}
	}
}

// The wheels drive as cmd_vel wants, in its curve where they can't be so fast, and stop when nothing more comes.
func TestDrive(t *testing.T) {
	r := newRig(t, options{})
	odom, states := hear[nav_msgs.Odometry](r, "odom"), hear[sensor_msgs.JointState](r, "joint_states")
	tf := hear[tf2_msgs.TFMessage](r, "/tf")
	move := say[geometry_msgs.Twist](r, "cmd_vel")
	drive := func(v, omega float64, d time.Duration) {
		for ; d > 0; d -= 100 * time.Millisecond {
			move(&geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: v}, Angular: geometry_msgs.Vector3{Z: omega}})
			r.run(100 * time.Millisecond)
		}
	}
	drive(0.1, 0.5, 2*time.Second)
	truth := sim.RobotsOf[*sim.Articulated](r.sim)[0].Pose()
	p := odom.m.Pose.Pose.Position
	near(t, "odometry's x", p.X, truth.X, 0.01)
	near(t, "odometry's y", p.Y, truth.Y, 0.01)
	near(t, "speed", odom.m.Twist.Twist.Linear.X, 0.1, 0.005)
	if len(states.m.Name) != 2 || !slices.Contains(states.m.Name, "wheel_left_joint") || states.m.Position[0] < 1 {
		t.Errorf("%+v", states.m)
	}
	if len(tf.m.Transforms) != 3 || tf.m.Transforms[0].Header.FrameID != "odom" {
		t.Errorf("%+v", tf.m.Transforms)
	}
	drive(math.NaN(), 0, 100*time.Millisecond)
	drive(5, 25, 200*time.Millisecond)
	v, w := odom.m.Twist.Twist.Linear.X, odom.m.Twist.Twist.Angular.Z
	if near(t, "the curve", w/v, 5, 0.3); v > 0.22 {
		t.Errorf("%g m/s", v)
	}
	r.run(time.Second)
	still := sim.RobotsOf[*sim.Articulated](r.sim)[0].Pose()
	if r.run(time.Second); sim.RobotsOf[*sim.Articulated](r.sim)[0].Pose() != still {
		t.Error("it drives on without commands")
	}
	client, err := ros2.NewClient(r.node, std_srvs.Trigger{}, "reset_odometry")
	if err != nil {
		t.Fatal(err)
	}
	if a, err := client.Call(context.Background(), &std_srvs.TriggerRequest{}); err != nil || !a.Success {
		t.Fatal(a, err)
	}
	r.run(100 * time.Millisecond)
	near(t, "begun anew", odom.m.Pose.Pose.Position.X, 0, 1e-9)
}

// What a device measures arrives as its message, in its frame, as often as it says.
func TestDevices(t *testing.T) {
	r := newRig(t, options{args: []string{"-p", "frame_prefix:=one/", "-p", "scan.update_rate:=2.0"}})
	scan, imu := hear[sensor_msgs.LaserScan](r, "scan"), hear[sensor_msgs.Imu](r, "imu")
	r.run(2 * time.Second)
	if scan.n < 4 || scan.n > 12 || !strings.HasPrefix(scan.m.Header.FrameID, "one/") || len(scan.m.Ranges) != 360 {
		t.Errorf("%d scans of %d rays in %q", scan.n, len(scan.m.Ranges), scan.m.Header.FrameID)
	}
	near(t, "the wall ahead", float64(scan.m.Ranges[0]), 1.032, 0.008)
	near(t, "gravity", imu.m.LinearAcceleration.Z, 9.80665, 1e-6)
	near(t, "upright", imu.m.Orientation.W, 1, 1e-9)
}

// An e-puck2 sees what is before it, in metres: its table is turned around.
func TestRanges(t *testing.T) {
	r := newRig(t, options{model: "epuck2", world: "arena: {size: [2, 2]}\nboxes: [{position: [0.1, 0], size: [0.1, 1]}]\n"})
	front, back := hear[jazzy.Range](r, "ps0"), hear[jazzy.Range](r, "ps3")
	light := hear[sensor_msgs.Illuminance](r, "ls0")
	scan := hear[sensor_msgs.LaserScan](r, "scan")
	r.run(200 * time.Millisecond)
	near(t, "the box", float64(front.m.Range), 0.02/math.Cos(0.3), 1e-3)
	if !math.IsInf(float64(back.m.Range), 1) || back.m.Header.FrameID != "ps3" || back.m.RadiationType != jazzy.RangeInfrared {
		t.Errorf("%+v", back.m)
	}
	near(t, "light", light.m.Illuminance, 120, 1e-6)
	seen := 0
	for _, v := range scan.m.Ranges {
		if v < 0.06 {
			seen++
		}
	}
	if len(scan.m.Ranges) != 24 || seen < 2 || scan.m.Header.FrameID != "laser_scanner" {
		t.Errorf("%+v", scan.m)
	}
}

// Pictures come with their camera_info; LEDs follow their commands.
func TestCameraAndLEDs(t *testing.T) {
	r := newRig(t, options{model: "khepera4"})
	image, info := hear[sensor_msgs.Image](r, "image_raw"), hear[sensor_msgs.CameraInfo](r, "camera_info")
	r.run(300 * time.Millisecond)
	if m := image.m; m.Encoding != "bgra8" || len(m.Data) != int(m.Height*m.Step) || m.Width != 752 || m.Data[3] != 255 {
		t.Errorf("%d × %d, %d bytes of %q", m.Width, m.Height, len(m.Data), m.Encoding)
	}
	if k := info.m.K; k[0] != k[4] || k[2] != 375.5 || k[0] < 100 {
		t.Errorf("%v", k)
	}
	led := say[std_msgs.Int32](r, "led0")
	led(&std_msgs.Int32{Data: 0xFF8000})
}

// A subscriber that comes late has the description, which reads as the robot, and the transforms that stay.
func TestDescription(t *testing.T) {
	r := newRig(t, options{})
	r.run(time.Second)
	text := hear[std_msgs.String](r, "robot_description", ros2.LatchedQoS())
	static := hear[tf2_msgs.TFMessage](r, "/tf_static", ros2.TFStaticQoS())
	if again, err := urdf.Parse("again", []byte(text.m.Data)); err != nil || again.Name == "" || again.Drive == nil {
		t.Errorf("%v, %v", again, err)
	}
	frames := map[string]string{}
	for _, m := range static.m.Transforms {
		frames[m.ChildFrameID] = m.Header.FrameID
	}
	if frames["base_scan"] == "" || frames["wheel_left_link"] != "" {
		t.Errorf("%v", frames)
	}
}

// Nothing is measured and sent for which there is no subscriber, unless it is wanted so.
func TestOnlyWithSubscribers(t *testing.T) {
	count := func(args ...string) int {
		n := 0
		maker := func(c *genericdriver.Context) (genericdriver.Component, error) {
			return genericdriver.Offer(c, c.Settings.Topic, func(*std_msgs.Bool, devices, time.Time) bool {
				n++
				return true
			})
		}
		r := newRig(t, options{own: map[string]genericdriver.Maker{"extra": maker}, args: args})
		r.run(time.Second)
		if len(args) == 0 {
			if n > 0 {
				t.Errorf("measured %d times for nothing", n)
			}
			hear[std_msgs.Bool](r, "extra")
			r.run(time.Second)
		}
		return n
	}
	if n := count(); n != 20 {
		t.Errorf("measured %d times in a second, not 20", n)
	}
	if n := count("-p", "extra.always_on:=true", "-p", "extra.update_rate:=50.0"); n < 49 || n > 51 {
		t.Errorf("measured %d times, not 50", n)
	}
}

// The ROS parameter counts more than the file, and the file more than the description.
func TestThreePriorities(t *testing.T) {
	file, err := genericdriver.ParseFile([]byte("devices:\n  imu: {topic_name: of_file, update_rate: 50}\n  scan: {enabled: false}\ndrive: {command_topic: go, wheel_radius: 0.04}\n"))
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, options{file: file, args: []string{"-p", "imu.topic_name:=of_parameter", "-p", "drive.wheel_radius:=0.05"}})
	var names []string
	for _, e := range r.endpoints() {
		names = append(names, e.name)
	}
	if !slices.Contains(names, "of_parameter") || slices.Contains(names, "of_file") || slices.Contains(names, "scan") || !slices.Contains(names, "go") {
		t.Errorf("%v", names)
	}
	for name, want := range map[string]float64{"drive.wheel_radius": 0.05, "imu.update_rate": 50, "drive.wheel_distance": 0.16} {
		if v, err := r.robot.Parameter(name); err != nil || v.Double() != want {
			t.Errorf("%s is %v, %v", name, v, err)
		}
	}
}

// A device can be replaced by another component, and taken away.
func TestOwnInsteadAndAway(t *testing.T) {
	r := newRig(t, options{own: map[string]genericdriver.Maker{
		"imu": func(c *genericdriver.Context) (genericdriver.Component, error) {
			return genericdriver.Offer(c, "shaken", func(m *std_msgs.Float32, d devices, _ time.Time) bool {
				m.Data = float32(d.Measure(c.Index, nil)[2])
				return true
			})
		},
		"scan": nil,
	}})
	shaken := hear[std_msgs.Float32](r, "shaken")
	r.run(100 * time.Millisecond)
	near(t, "as measured", float64(shaken.m.Data), 9.80665, 1e-5)
	for _, e := range r.endpoints() {
		if e.name == "imu" || e.name == "scan" {
			t.Errorf("%s is there", e.name)
		}
	}
}

// Joints go where joint_commands wants them.
func TestJointCommands(t *testing.T) {
	r := newRig(t, options{})
	states := hear[sensor_msgs.JointState](r, "joint_states")
	command := say[sensor_msgs.JointState](r, "joint_commands")
	command(&sensor_msgs.JointState{
		Name:     []string{"wheel_left_joint", "nonsense", "wheel_right_joint"},
		Position: []float64{0.5, 1}, Velocity: []float64{0, 0, 2},
	})
	r.run(time.Second)
	at := map[string]float64{}
	for i, name := range states.m.Name {
		at[name] = states.m.Position[i]
	}
	near(t, "to a position", at["wheel_left_joint"], 0.5, 1e-6)
	if v := at["wheel_right_joint"]; v < 1.5 || v > 2 {
		t.Errorf("at a speed: %g", v)
	}
}

// What can't be is an error that says so, and nothing stays on the network.
func TestNewRefuses(t *testing.T) {
	for name, o := range map[string]options{
		"a device that is not there": {file: &genericdriver.File{Devices: map[string]genericdriver.FileSettings{"nose": {}}}},
		"a wheel of no size":         {args: []string{"-p", "drive.wheel_radius:=0.0"}},
		"a joint that is not there":  {args: []string{"-p", "drive.left_joint:=nose"}},
	} {
		r, err := start(t, o)
		if !errors.Is(err, genericdriver.ErrSettings) {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
	if _, err := genericdriver.New(genericdriver.Config{}); !errors.Is(err, genericdriver.ErrSettings) {
		t.Error(err)
	}
	for name, o := range map[string]options{
		"a topic that can't be": {args: []string{"-p", "imu.topic_name:='//'"}},
		"a maker that fails":    {own: map[string]genericdriver.Maker{"x": func(*genericdriver.Context) (genericdriver.Component, error) { return nil, sim.ErrRange }}},
	} {
		if _, err := start(t, o); err == nil {
			t.Errorf("%s is possible", name)
		}
	}
}

// Devices of one name, or that sound alike as topics, each have their own: settings, parameters and topics go by it.
func TestDevicesOfOneName(t *testing.T) {
	const file = `<robot name="twins"><link name="base"><collision><geometry><box size=".1 .1 .1"/></geometry></collision></link>
<link name="arm"/><joint name="j" type="fixed"><parent link="base"/><child link="arm"/></joint>
<gazebo reference="base"><sensor name="near by" type="sonar"><sonar><min>0.1</min><max>2</max><radius>0.1</radius></sonar></sensor>
<sensor name="joint_states" type="imu"/></gazebo>
<gazebo reference="arm"><sensor name="near by" type="imu"/><sensor name="near-by" type="magnetometer"/></gazebo></robot>`
	off := false
	for _, disabled := range []string{"", "near by_2"} {
		o := options{model: "twins", load: func(name string) (*description.Robot, error) { return urdf.Parse(name, []byte(file)) }}
		if disabled != "" {
			o.file = &genericdriver.File{Devices: map[string]genericdriver.FileSettings{disabled: {Enabled: &off}}}
		}
		r := newRig(t, o)
		topics := map[string]string{}
		for _, e := range r.endpoints() {
			topics["/"+e.name] = e.kind
		}
		for name, want := range map[string]string{
			"/near_by": "sensor_msgs/msg/Range", "/near_by_2": "sensor_msgs/msg/Imu", "/near_by_3": "sensor_msgs/msg/MagneticField",
			"/joint_states_2": "sensor_msgs/msg/Imu", "/joint_states": "sensor_msgs/msg/JointState",
		} {
			if name == "/near_by_2" && disabled != "" {
				want = ""
			}
			if topics[name] != want {
				t.Errorf("%s is %q, want %q", name, topics[name], want)
			}
		}
	}
}
