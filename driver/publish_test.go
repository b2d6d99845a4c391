// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/rosgraph_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// narrow is a corridor whose walls the robot's side sensors see at 2 cm.
const narrow = `
walls:
  - {from: [-0.2, 0.056], to: [0.2, 0.056], thickness: 0.01}
  - {from: [-0.2, -0.056], to: [0.2, -0.056], thickness: 0.01}
robots:
  - {name: epuck, position: [0, 0]}
`

// subscribeAll has the user listen to every topic, raw type by type.
func subscribeAll(r *rig) {
	for _, row := range publishedTopics() {
		for _, name := range row.Names() {
			switch strings.TrimPrefix(row.Type, "sensor_msgs/msg/") {
			case "nav_msgs/msg/Odometry":
				discard[nav_msgs.Odometry](r, name)
			case "tf2_msgs/msg/TFMessage":
				discard[tf2_msgs.TFMessage](r, name)
			case "LaserScan":
				discard[sensor_msgs.LaserScan](r, name)
			case "Range":
				discard[jazzy.Range](r, name)
			case "Illuminance":
				discard[sensor_msgs.Illuminance](r, name)
			case "JointState":
				discard[sensor_msgs.JointState](r, name)
			case "std_msgs/msg/Int16":
				discard[std_msgs.Int16](r, name)
			case "std_msgs/msg/Bool":
				discard[std_msgs.Bool](r, name)
			case "std_msgs/msg/UInt8":
				discard[std_msgs.UInt8](r, name)
			default:
				r.Fatalf("topic %s has type %s, which the test does not know", name, row.Type)
			}
		}
	}
}

// discard subscribes without taking anything off the wire: the transport is told of a reader and no message is decoded.
func discard[T any, P ros2.MessageOf[T]](r *rig, topic string) {
	r.Helper()
	full, err := r.user.ResolveName(topic)
	r.must(err)
	m := P(new(T))
	_, err = r.user.Transport().NewReader(ros2.ReaderConfig{
		EndpointConfig: ros2.EndpointConfig{
			Node: r.user.Name(), Topic: full, Type: m.ROSType(), TypeHash: m.TypeHash(), QoS: ros2.DefaultQoS(),
			OnMatch: func(int) {}, OnIncompatible: func(ros2.EndpointInfo, ros2.QoSPolicy) {},
		},
		OnSample: func(ros2.Sample) {},
	})
	r.must(err)
}

func messagesBuilt(s Status) map[string]uint64 {
	built := map[string]uint64{}
	for _, topic := range s.Topics {
		if topic.Messages > 0 {
			built[topic.Name] = topic.Messages
		}
	}
	return built
}

func TestNothingIsBuiltWithoutSubscribers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		time.Sleep(1025 * time.Millisecond)
		// Latched values are kept for those that come later: one message each.
		if got, want := fmt.Sprint(messagesBuilt(r.driver.Status())), "map[/tf_static:1 button:1 selector:1]"; got != want {
			t.Errorf("built %s, want %s", got, want)
		}
		ps3 := listenTo[jazzy.Range](r, "ps3")
		time.Sleep(time.Second)
		if got, want := fmt.Sprint(messagesBuilt(r.driver.Status())), "map[/tf_static:1 button:1 ps3:20 selector:1]"; got != want {
			t.Errorf("built %s, want %s", got, want)
		}
		if n := len(ps3()); n != 20 {
			t.Errorf("%d messages were received", n)
		}
		if n := r.driver.Status().Subscribed(); n != 1 {
			t.Errorf("%d topics are subscribed", n)
		}
	})
}

func TestEveryTopicOfTheTableIsPublished(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		subscribeAll(r)
		time.Sleep(525 * time.Millisecond)
		r.must(r.robot.SendRemote(5))
		time.Sleep(500 * time.Millisecond)
		for _, topic := range r.driver.Status().Topics {
			if topic.Subscribers != 1 || topic.Messages == 0 {
				t.Errorf("%s: %d subscribers, %d messages", topic.Name, topic.Subscribers, topic.Messages)
			}
		}
	})
}

// All that came from one exchange travels in one batch and carries one stamp: the end of the transfer.
func TestOneBatchAndOneStampPerCycle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		subscribeAll(r)
		r.transport.Record()
		time.Sleep(1025 * time.Millisecond)
		odom := ros2test.Messages[nav_msgs.Odometry](t, r.transport, "/odom")
		for _, topic := range r.transport.RecordedTopics() {
			batch := 0
			for _, m := range r.transport.Recorded(topic) {
				if m.Batch <= batch {
					t.Errorf("%s: two messages in batch %d", topic, m.Batch)
				}
				batch = m.Batch
			}
		}
		ranges := ros2test.Messages[jazzy.Range](t, r.transport, "/ps7")
		for i, m := range ranges {
			if m.Header.Stamp != odom[i].Header.Stamp {
				t.Errorf("cycle %d: ps7 is stamped %v, odom %v", i, m.Header.Stamp, odom[i].Header.Stamp)
			}
		}
		// A transfer of 20 + 47 bytes takes more than 6 ms at 100 kHz.
		if ns := odom[0].Header.Stamp.Nanosec; ns < 6_000_000 || ns > 7_000_000 {
			t.Errorf("the first reading is stamped %d ns after the start", ns)
		}
	})
}

func TestRangesAndScanInACorridor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{world: narrow, sim: sim.Options{Now: time.Now, Sleep: pass, Quiet: true}})
		left, front := listenTo[jazzy.Range](r, "ps5"), listenTo[jazzy.Range](r, "ps0")
		scan := listenTo[sensor_msgs.LaserScan](r, "scan")
		time.Sleep(time.Second)
		m := last(r, left)
		if math.Abs(float64(m.Range)-0.02) > 0.005 { // the offset of an uncalibrated sensor makes walls nearer
			t.Errorf("the wall at 2 cm is seen at %v m", m.Range)
		}
		if m.MinRange != float32(MinInfraredRange) || m.MaxRange != float32(MaxInfraredRange) || m.RadiationType != jazzy.RangeInfrared ||
			m.Header.FrameID != "ps5" || m.FieldOfView != float32(InfraredFieldOfView) {
			t.Errorf("message %+v", m)
		}
		if f := last(r, front).Range; !math.IsInf(float64(f), 1) {
			t.Errorf("nothing in front is seen at %v m", f)
		}
		s := last(r, scan)
		if got, want := s.Ranges[scanRay(90)], m.Range+0.031; math.Abs(float64(got-want)) > 1e-6 {
			t.Errorf("the ray at 90° is %v m, want %v", got, want)
		}
		if s.Header.FrameID != "laser_scanner" || len(s.Ranges) != 21 || math.Abs(float64(s.ScanTime)-0.05) > 1e-6 ||
			math.Abs(float64(s.AngleMin+s.AngleIncrement*20-s.AngleMax)) > 1e-5 {
			t.Errorf("scan %+v", s)
		}
		if s.RangeMin != float32(MinScanRange) || s.RangeMax != float32(MaxScanRange) {
			t.Errorf("limits %v … %v", s.RangeMin, s.RangeMax)
		}
		r.must(r.node.Parameters().SetAtomically(ros2.Parameter{Name: paramScanInvalid, Value: ros2.StringValue("zero")}))
		time.Sleep(100 * time.Millisecond)
		if v := last(r, scan).Ranges[scanRay(0)]; v != 0 {
			t.Errorf("scan_invalid zero gives %v", v)
		}
		if n := r.driver.Status().Nearest; math.Abs(n-0.02) > 0.005 {
			t.Errorf("the status line's nearest is %v m", n)
		}
	})
}

func TestLightJointsAndMicrophones(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		light := listenTo[sensor_msgs.Illuminance](r, "ls2")
		joints := listenTo[sensor_msgs.JointState](r, "joint_states")
		mic := listenTo[std_msgs.Int16](r, "mic0")
		r.robot.SetSound(30000) // peak to peak twice that: more than an int16 holds
		r.drive(0.05, 1, 2*time.Second)
		if m := last(r, light); m.Header.FrameID != "ls2" || m.Illuminance < 119.9 || m.Illuminance > 240 || m.Variance <= 0 {
			t.Errorf("illuminance %+v", m)
		}
		j, truth := last(r, joints), r.robot.Truth()
		if fmt.Sprint(j.Name) != "[left_wheel_joint right_wheel_joint]" || len(j.Effort) != 0 {
			t.Errorf("joint states %+v", j)
		}
		if math.Abs(j.Velocity[1]-truth.RightSpeed) > 0.13 || math.Abs(j.Position[1]-truth.RightWheel) > 0.3 {
			t.Errorf("right wheel at %v rad with %v rad/s, it is at %v with %v", j.Position[1], j.Velocity[1], truth.RightWheel, truth.RightSpeed)
		}
		if m := last(r, mic); m.Data != math.MaxInt16 {
			t.Errorf("loud noise is %d, want saturation", m.Data)
		}
	})
}

func TestStaticTransformsReachLatecomers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{args: "-p frame_prefix:=robot1/"})
		time.Sleep(10 * time.Second)
		frames := listenWith[tf2_msgs.TFMessage](r, "/tf_static", ros2.TFStaticListenerQoS())
		time.Sleep(time.Second)
		if n := len(frames()); n != 1 {
			t.Fatalf("%d messages, want one", n)
		}
		m := frames()[0]
		if len(m.Transforms) != len(Mounts()) {
			t.Errorf("%d frames, want %d", len(m.Transforms), len(Mounts()))
		}
		for i, mount := range Mounts() {
			parent := "robot1/base_link"
			if mount.Parent != "" {
				parent = "robot1/" + mount.Parent
			}
			tr := m.Transforms[i]
			if tr.ChildFrameID != "robot1/"+mount.Frame || tr.Header.FrameID != parent || tr.Transform.Translation.X != mount.X {
				t.Errorf("transform %d: %+v", i, tr)
			}
		}
	})
}

func TestTransform(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{args: "-r __ns:=/robot1 -p frame_prefix:=robot1/"})
		tf := listenTo[tf2_msgs.TFMessage](r, "/tf")
		odom := listenTo[nav_msgs.Odometry](r, "/robot1/odom")
		time.Sleep(time.Second)
		tr, o := last(r, tf).Transforms[0], last(r, odom)
		if tr.Header != o.Header || tr.Header.FrameID != "robot1/odom" || tr.ChildFrameID != "robot1/base_link" ||
			tr.Transform.Translation.X != o.Pose.Pose.Position.X || tr.Transform.Rotation != o.Pose.Pose.Orientation {
			t.Errorf("transform %+v", tr)
		}
		r.must(r.node.Parameters().SetAtomically(ros2.Parameter{Name: paramPublishTF, Value: ros2.BoolValue(false)}))
		time.Sleep(75 * time.Millisecond)
		n := len(tf())
		time.Sleep(time.Second)
		if len(tf()) != n {
			t.Error("transforms are published against publish_tf")
		}
	})
}

func TestSimulatedTimeFromTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{args: "-p use_sim_time:=true"})
		if e := r.node.Graph().EndpointsOn("/clock"); len(e) != 1 {
			t.Errorf("%d endpoints on /clock", len(e))
		}
		publish(r, "/clock", &rosgraph_msgs.Clock{Clock: builtin_interfaces.Time{Sec: 1}})
		odom := listenTo[nav_msgs.Odometry](r, "odom")
		time.Sleep(time.Second)
		if s := last(r, odom).Header.Stamp; s.Sec != 1 {
			t.Errorf("stamp %v", s)
		}
	})
}

func TestSimulatedTimeStampsMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		odom := listenTo[nav_msgs.Odometry](r, "odom")
		time.Sleep(time.Second)
		if s := last(r, odom).Header.Stamp.Time(); time.Since(s) > 50*time.Millisecond {
			t.Errorf("a stamp is %v old", time.Since(s))
		}
		r.must(r.node.Parameters().SetAtomically(ros2.Parameter{Name: paramSimTime, Value: ros2.BoolValue(true)}))
		time.Sleep(time.Second)
		if s := last(r, odom).Header.Stamp; s != (builtin_interfaces.Time{}) {
			t.Errorf("before /clock a stamp is %v", s)
		}
		now := builtin_interfaces.Time{Sec: 42, Nanosec: 7}
		publish(r, "/clock", &rosgraph_msgs.Clock{Clock: now})
		r.drive(0.1, 0, 2*time.Second) // the simulated clock stands still, the robot need not
		if s := last(r, odom).Header.Stamp; s != now {
			t.Errorf("stamp %v, want %v", s, now)
		}
		if x := r.driver.Status().X; x < 0.15 {
			t.Errorf("the robot drove %v m", x)
		}
		time.Sleep(time.Second)
		r.wantStanding()
	})
}
