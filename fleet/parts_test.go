// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
	"github.com/epuck-ros2/epuck-driver/driver/pictures"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// What matters to few is there at the functional level, too: microphones and the speaker, the magnetic field, the
// remote control, the Pi-puck's LEDs, diagnostics.
func TestFunctionalParts(t *testing.T) {
	g := newRig(t, "magnetic_field: [0, 2e-5, -4e-5]\nrobots: [{name: r, yaw: 1.5708}]", world.LevelFunctional)
	mic := hear[std_msgs.Int16](g, "/r/mic2", ros2.DefaultQoS())
	mag := hear[sensor_msgs.MagneticField](g, "/r/mag", ros2.DefaultQoS())
	key := hear[std_msgs.UInt8](g, "/r/tv_remote", ros2.DefaultQoS())
	g.run(200 * time.Millisecond)
	if mic.Data < 20 || mic.Data > 500 {
		t.Errorf("the microphone reads %d in silence", mic.Data)
	}
	if m := mag.MagneticField; mag.Header.FrameID != "r/imu_link" || math.Abs(m.X-2e-5) > 4e-6 || math.Abs(m.Y) > 4e-6 || math.Abs(m.Z+4e-5) > 4e-6 {
		t.Errorf("field %+v looking north", mag)
	}
	robot := sim.RobotsOf[*sim.Functional](g.sim)[0]
	if err := robot.SendRemote(70); err != nil {
		t.Fatal(err)
	}
	if err := robot.SendRemote(128); err == nil {
		t.Error("code 128 was sent")
	}
	robot.SetSound(3000)
	say[std_msgs.Int32](g, "/r/pi_led1")(&std_msgs.Int32{Data: 0xFF0010})
	g.run(200 * time.Millisecond)
	if key.Data != 134 {
		t.Errorf("key %d, want 128 + 6", key.Data)
	}
	if mic.Data < 3000 {
		t.Errorf("noise is %d loud", mic.Data)
	}
	robot.SetSound(0)
	say[std_msgs.UInt8](g, "/r/speaker")(&std_msgs.UInt8{Data: 2})
	g.run(60 * time.Millisecond) // with the next exchange
	if truth := robot.GroundTruth(); truth.Melody != 2 || truth.BoardLEDs != [3]byte{0, 0b101, 0} {
		t.Errorf("melody %d, LEDs %v", truth.Melody, truth.BoardLEDs)
	}
}

// A functional robot has the driver's diagnostics, without a bus, and a part that it loses has no topic until it is
// back.
func TestFunctionalDiagnostics(t *testing.T) {
	g := newRig(t, "robots: [{name: r, yaw: 0}]", world.LevelFunctional)
	health := hear[diagnostic_msgs.DiagnosticArray](g, "/diagnostics", ros2.DefaultQoS())
	said := func() string {
		var b strings.Builder
		for _, s := range health.Status {
			fmt.Fprintf(&b, "%d %s: %s\n", s.Level, strings.TrimPrefix(s.Name, "r/epuck_driver: "), s.Message)
		}
		return b.String()
	}
	published := func(topic string) bool {
		return slices.ContainsFunc(g.node.Graph().Endpoints, func(e ros2.EndpointInfo) bool {
			return e.Topic == topic && e.Kind == ros2.PublisherEndpoint
		})
	}
	g.run(3 * time.Second)
	for _, want := range []string{"0 control loop: runs", "0 main processor: works", "0 imu: works", "0 battery: works", "0 leds: works", "0 camera: "} {
		if !strings.Contains(said(), want) {
			t.Errorf("%q is not in\n%s", want, said())
		}
	}
	if strings.Contains(said(), "bus") || !published("/r/gs0") {
		t.Errorf("ground sensors: %v\n%s", published("/r/gs0"), said())
	}
	robot := g.sim.Robots()[0]
	for _, change := range []struct {
		do   func(sim.Part) error
		want string
		here bool
	}{{robot.RemovePart, "2 ground: it was present and does not answer any more", false}, {robot.AddPart, "0 ground: works", true}} {
		if err := change.do(world.Ground); err != nil {
			t.Fatal(err)
		}
		g.run(6 * time.Second)
		if !strings.Contains(said(), change.want) || published("/r/gs0") != change.here {
			t.Errorf("want %q, topic %v\n%s", change.want, published("/r/gs0"), said())
		}
	}
}

// The services do what the driver's do, and parameters can be changed while it runs.
func TestFunctionalServices(t *testing.T) { synctest.Test(t, functionalServices) }

func functionalServices(t *testing.T) {
	g := newRig(t, "plane", world.LevelFunctional)
	odom := hear[nav_msgs.Odometry](g, "/epuck/odom", ros2.DefaultQoS())
	move := say[geometry_msgs.Twist](g, "/epuck/cmd_vel")
	for range 5 {
		move(&geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 0.1}})
		g.run(100 * time.Millisecond)
	}
	if odom.Pose.Pose.Position.X < 0.03 {
		t.Fatalf("went %g m", odom.Pose.Pose.Position.X)
	}
	ask := func(name string) {
		t.Helper()
		c, err := ros2.NewClient(g.node, std_srvs.Trigger{}, "/epuck/"+name)
		if err != nil {
			t.Fatal(err)
		}
		if r, _ := g.call(c); !r.Success {
			t.Errorf("%s: %+v", name, r)
		}
	}
	ask("calibrate_ir")
	ask("reset_odometry")
	g.run(100 * time.Millisecond)
	if o := odom; o.Pose.Pose.Position.X > 0.001 || o.Twist.Twist.Linear.X != 0 {
		t.Errorf("after calibration and reset: %+v", o.Pose.Pose.Position)
	}
	camera, err := ros2.NewClient(g.node, sensor_msgs.SetCameraInfo{}, "/epuck/set_camera_info")
	if err != nil {
		t.Fatal(err)
	}
	r, err := camera.Call(context.Background(), &sensor_msgs.SetCameraInfoRequest{CameraInfo: sensor_msgs.CameraInfo{Width: 640}})
	if err != nil || r.Success {
		t.Errorf("a calibration of no height: %+v, %v", r, err)
	}
	info := pictures.InfoMessage(caminfo.Ideal("pipuck", 640, 480, 500, 500, 320, 240))
	if r, err := camera.Call(context.Background(), &sensor_msgs.SetCameraInfoRequest{CameraInfo: info}); err != nil || !r.Success || strings.Contains(r.StatusMessage, "stored") {
		t.Errorf("a calibration: %+v, %v", r, err)
	}
}

// A functional robot's camera runs while there is a subscriber.
func TestFunctionalPictures(t *testing.T) { synctest.Test(t, functionalPictures) }

func functionalPictures(t *testing.T) {
	g := newRig(t, "arena", world.LevelFunctional)
	got := make(chan sensor_msgs.Image, 100)
	sub, err := ros2.NewSubscription(g.node, "/epuck/image_raw", ros2.DefaultQoS(), func(m *sensor_msgs.Image, _ ros2.MessageInfo) {
		select {
		case got <- *m:
		default:
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	info := make(chan sensor_msgs.CameraInfo, 100)
	other, err := ros2.NewSubscription(g.node, "/epuck/camera_info", ros2.DefaultQoS(), func(m *sensor_msgs.CameraInfo, _ ros2.MessageInfo) {
		select {
		case info <- *m:
		default:
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if m := await(g, got); m.Width != 640 || m.Height != 480 || len(m.Data) < 640*480 || m.Header.FrameID != "epuck/camera_optical_frame" {
		t.Errorf("%d×%d, %d bytes, frame %q", m.Width, m.Height, len(m.Data), m.Header.FrameID)
	}
	if m := await(g, info); m.K[0] < 100 {
		t.Errorf("K %v", m.K)
	}
	if err := sub.Close(); err != nil {
		t.Fatal(err)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
}

// The distortion of a simulated lens is in its camera_info.
func TestCameraInfoHasTheDistortion(t *testing.T) { synctest.Test(t, cameraInfoHasTheDistortion) }

func cameraInfoHasTheDistortion(t *testing.T) {
	g := newRig(t, "robots: [{name: r, camera_model: {distortion: {k1: -0.2, k2: 0.05, p1: 0.001, p2: -0.002, k3: 0.01}}}]", world.LevelFunctional)
	info := make(chan sensor_msgs.CameraInfo, 100)
	sub, err := ros2.NewSubscription(g.node, "/r/camera_info", ros2.DefaultQoS(), func(m *sensor_msgs.CameraInfo, _ ros2.MessageInfo) {
		select {
		case info <- *m:
		default:
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if m := await(g, info); m.DistortionModel != "plumb_bob" || !slices.Equal(m.D, []float64{-0.2, 0.05, 0.001, -0.002, 0.01}) {
		t.Errorf("%s, D %v", m.DistortionModel, m.D)
	}
	if err := sub.Close(); err != nil {
		t.Fatal(err)
	}
}

// await advances the time of a synctest bubble until a channel has a value.
func await[T any](g *rig, c chan T) T {
	g.t.Helper()
	for range 3000 {
		time.Sleep(time.Millisecond) // of the bubble's time: until all goroutines wait
		select {
		case m := <-c:
			return m
		default:
			g.run(10 * time.Millisecond)
		}
	}
	g.t.Fatal("nothing came in 30 simulated seconds")
	panic("unreachable")
}
