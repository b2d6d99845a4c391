// SPDX-License-Identifier: Apache-2.0

package genericdriver_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// hears is what the tests of the wheels listen to.
type hears struct {
	*rig
	odom   *heard[nav_msgs.Odometry]
	states *heard[sensor_msgs.JointState]
	move   func(*geometry_msgs.Twist)
}

func wheels(t testing.TB, args ...string) *hears {
	r := newRig(t, options{world: "arena: {size: [20, 20], height: 0.3}\n", args: args})
	return &hears{r, hear[nav_msgs.Odometry](r, "odom"), hear[sensor_msgs.JointState](r, "joint_states"), say[geometry_msgs.Twist](r, "cmd_vel")}
}

// drive sends a command every 100 ms.
func (h *hears) drive(v, omega float64, d time.Duration) {
	for ; d > 0; d -= 100 * time.Millisecond {
		h.move(&geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: v}, Angular: geometry_msgs.Vector3{Z: omega}})
		h.run(100 * time.Millisecond)
	}
}

// wheel is the position of a joint, rad.
func (h *hears) wheel(name string) float64 {
	return h.states.m.Position[slices.Index(h.states.m.Name, name)]
}

// theta is the heading that the odometry says, rad.
func (h *hears) theta() float64 {
	q := h.odom.m.Pose.Pose.Orientation
	return 2 * math.Atan2(q.Z, q.W)
}

// The heading is, however the robot has driven, what the parameters make of how far the wheels have turned; the wheels
// turn as the parameters say that a command wants, and the twist is that command.
func TestOdometryOfTheParameters(t *testing.T) {
	for _, c := range []struct {
		args             []string
		radius, distance float64
	}{
		{nil, 0.033, 0.16},
		{[]string{"-p", "drive.wheel_radius:=0.05"}, 0.05, 0.16},
		{[]string{"-p", "drive.wheel_distance:=0.3"}, 0.033, 0.3},
		{[]string{"-p", "drive.wheel_radius:=0.02", "-p", "drive.wheel_distance:=0.1"}, 0.02, 0.1},
	} {
		h := wheels(t, c.args...)
		h.run(100 * time.Millisecond)
		rapid.Check(t, func(t *rapid.T) {
			left0, right0, theta0 := h.wheel("wheel_left_joint"), h.wheel("wheel_right_joint"), h.theta()
			before := h.odom.m.Pose.Pose.Position
			v, omega := rapid.Float64Range(-0.05, 0.05).Draw(t, "v"), rapid.Float64Range(-0.4, 0.4).Draw(t, "omega")
			h.drive(v, omega, 300*time.Millisecond)
			twist := h.odom.m.Twist.Twist
			h.drive(0, 0, 200*time.Millisecond)
			left, right := h.wheel("wheel_left_joint")-left0, h.wheel("wheel_right_joint")-right0
			turned := math.Remainder(h.theta()-theta0-(right-left)*c.radius/c.distance, 2*math.Pi)
			if math.Abs(turned) > 0.002 {
				t.Fatalf("%v: %g rad away from what the wheels have turned", c.args, turned)
			}
			at := h.odom.m.Pose.Pose.Position
			way, arc := math.Hypot(at.X-before.X, at.Y-before.Y), math.Abs(left+right)/2*c.radius
			if math.Abs(way-arc) > 0.001 {
				t.Fatalf("%v: %g m, the wheels %g m", c.args, way, arc)
			}
			step := c.radius * 2 * math.Pi / 1000 / 0.05 // of both wheels in a control cycle, as a speed
			if math.Abs(twist.Linear.X-v) > 1.45*step || math.Abs(twist.Angular.Z-omega) > 0.12 {
				t.Fatalf("%v: %g, %g, commanded %g, %g", c.args, twist.Linear.X, twist.Angular.Z, v, omega)
			}
		})
	}
}

// With the joints of left and right changed about, the robot turns the other way and its odometry does not know.
func TestJointsChangedAbout(t *testing.T) {
	h := wheels(t, "-p", "drive.left_joint:=wheel_right_joint", "-p", "drive.right_joint:=wheel_left_joint")
	h.drive(0, 0.5, time.Second)
	h.drive(0, 0, 200*time.Millisecond)
	truth := sim.RobotsOf[*sim.Articulated](h.sim)[0].Pose()
	near(t, "odometry", h.theta(), 0.5, 0.02)
	near(t, "truth", truth.Theta, -0.5, 0.02)
}

// Topics and frames are those of the parameters, the frames with the robot's prefix, in messages as in the transforms.
func TestNamesOfTheParameters(t *testing.T) {
	r := newRig(t, options{args: []string{
		"-p", "drive.command_topic:=go", "-p", "drive.odometry_topic:=gone", "-p", "drive.odometry_frame:=start",
		"-p", "drive.robot_base_frame:=belly", "-p", "frame_prefix:=a/", "-p", "drive.cmd_vel_stamped:=true",
	}})
	odom, tf := hear[nav_msgs.Odometry](r, "gone"), hear[tf2_msgs.TFMessage](r, "/tf")
	move := say[geometry_msgs.TwistStamped](r, "go")
	var m geometry_msgs.TwistStamped
	m.Twist.Linear.X = 0.1
	move(&m)
	r.run(400 * time.Millisecond)
	near(t, "speed", odom.m.Twist.Twist.Linear.X, 0.1, 0.01)
	if odom.m.Header.FrameID != "a/start" || odom.m.ChildFrameID != "a/belly" {
		t.Errorf("%q in %q", odom.m.ChildFrameID, odom.m.Header.FrameID)
	}
	if f := tf.m.Transforms[0]; f.Header.FrameID != "a/start" || f.ChildFrameID != "a/belly" {
		t.Errorf("%q in %q", f.ChildFrameID, f.Header.FrameID)
	} else {
		near(t, "the transform's x", f.Transform.Translation.X, odom.m.Pose.Pose.Position.X, 0.02)
	}
}

// The wheels stop as long after the last command as the parameter says, to the cycle.
func TestTimeoutOfCommands(t *testing.T) {
	for _, c := range []struct {
		arg  string
		stop time.Duration
	}{{"0.2", 200 * time.Millisecond}, {"1.5", 1500 * time.Millisecond}} {
		h := wheels(t, "-p", "drive.cmd_vel_timeout:="+c.arg, "-p", "joint_states.update_rate:=100.0")
		h.run(20 * time.Millisecond)
		h.move(&geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 0.1}})
		h.run(c.stop - 20*time.Millisecond)
		x := sim.RobotsOf[*sim.Articulated](h.sim)[0].Pose().X
		h.run(10 * time.Millisecond)
		if sim.RobotsOf[*sim.Articulated](h.sim)[0].Pose().X == x {
			t.Errorf("%s s: it has stopped before", c.arg)
		}
		h.run(500 * time.Millisecond)
		x = sim.RobotsOf[*sim.Articulated](h.sim)[0].Pose().X
		if h.run(500 * time.Millisecond); sim.RobotsOf[*sim.Articulated](h.sim)[0].Pose().X != x || x > 0.1*c.stop.Seconds()+0.03 {
			t.Errorf("%s s: at %g m", c.arg, x)
		}
	}
}
