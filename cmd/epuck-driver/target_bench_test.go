// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/bag/blackbox"
	"github.com/epuck-ros2/epuck-driver/bag/record"
	"github.com/epuck-ros2/epuck-driver/camera/jpeg"
	"github.com/epuck-ros2/epuck-driver/camera/yuv"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/web"
)

// The benchmarks in this file are for make bench-target, which counts instructions between their marks.

// BenchmarkTargetCycle is a control cycle with all that comes with it at 20 Hz in real time: timers, the scheduler, the
// network's own traffic.
func BenchmarkTargetCycle(b *testing.B) { benchmarkTargetCycles(b, true) }

// BenchmarkTargetStep is the same control cycle alone, back to back: what the driver itself computes and sends.
func BenchmarkTargetStep(b *testing.B) { benchmarkTargetCycles(b, false) }

func benchmarkTargetCycles(b *testing.B, realTime bool) {
	r := newTargetRobot(b, realTime)
	r.settle(b)
	mark(markBegin, 0)
	r.wait(b, b.N)
	mark(markEnd, b.N)
}

// BenchmarkTargetRecord is BenchmarkTargetCycle with a recorder of all topics in the program.
func BenchmarkTargetRecord(b *testing.B) {
	r := newTargetRobot(b, true)
	rec, err := blackbox.New(blackbox.Config{Node: r.node, Types: msgs.Definition, Directory: b.TempDir(), ButtonTopic: "button"})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- rec.Run(ctx) }()
	b.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			b.Error(err)
		}
	})
	for {
		if _, err := rec.Start(ctx); err == nil {
			break
		} else if !errors.Is(err, record.ErrClosed) { // Run has not begun yet
			b.Fatal(err)
		}
	}
	r.settle(b)
	mark(markBegin, 0)
	r.wait(b, b.N)
	mark(markEnd, b.N)
}

// BenchmarkTargetWeb is BenchmarkTargetStep with the page served, without a viewer or to one in another process, and
// with a pause after each cycle in which what goes to viewers leaves. Without a page it is what to subtract.
func BenchmarkTargetWeb(b *testing.B) {
	b.Run("none", func(b *testing.B) { pausedSteps(b, newTargetRobot(b, false)) })
	b.Run("page", func(b *testing.B) {
		r := newTargetRobot(b, false)
		servePage(b, r)
		pausedSteps(b, r)
	})
}

// pagePause is long enough for a page of messages to leave, on an emulator that has other work as well.
const pagePause = 50 * time.Millisecond

func pausedSteps(b *testing.B, r *targetRobot) {
	r.settle(b)
	mark(markBegin, 0)
	for range b.N {
		r.wait(b, 1)
		<-time.After(pagePause)
	}
	mark(markEnd, b.N)
}

func servePage(b *testing.B, r *targetRobot) {
	b.Helper()
	site, err := web.New(web.Config{Address: cmp.Or(os.Getenv(targetViewerEnv), "localhost:0"), Transport: r.transport, Types: msgs.Definition})
	if err != nil {
		b.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- site.Serve(context.Background()) }()
	b.Cleanup(func() {
		if err := errors.Join(site.Close(), <-ended); err != nil {
			b.Error(err)
		}
	})
}

// BenchmarkTargetPublish is one message of each type that the driver publishes, sent to another process, ten of them in
// a row as in a control cycle (pictures alone). There are several rounds of two marks, the waiting alone and with the
// sending.
func BenchmarkTargetPublish(b *testing.B) {
	var types []string
	for _, topic := range table.Topics() {
		if topic.Direction != table.Published || slices.Contains(types, topic.Type) {
			continue
		}
		types = append(types, topic.Type)
		b.Run(strings.ReplaceAll(strings.ReplaceAll(topic.Type, "/msg/", "."), "_msgs", ""), func(b *testing.B) {
			transport, err := localTransport()
			if err != nil {
				b.Fatal(err)
			}
			node, err := ros2.NewNode(ros2.NodeConfig{Name: driver.NodeName, Transport: transport})
			if err != nil {
				b.Fatal(err)
			}
			defer func() {
				if err := errors.Join(node.Close(), transport.Close()); err != nil {
					b.Error(err)
				}
			}()
			publishMany(b, targetPublisher(b, node, topic))
		})
	}
}

// sender publishes one message again and again.
type sender struct {
	publish func() error
	heard   func() bool
	row     int // messages in a row
}

func senderOf[T any, P ros2.MessageOf[T]](b testing.TB, n *ros2.Node, t table.Topic, m *T) sender {
	p, err := ros2.NewPublisher[T, P](n, t.Names()[0], t.QoS)
	if err != nil {
		b.Fatal(err)
	}
	row := 10
	if t.Type == "sensor_msgs/msg/Image" || t.Type == "sensor_msgs/msg/CompressedImage" {
		row = 1
	}
	return sender{func() error { return p.Publish(m) }, p.HasSubscribers, row}
}

// TestEachPublishedTopicHasAMessageToMeasure: BenchmarkTargetPublish ends at the first type without one.
func TestEachPublishedTopicHasAMessageToMeasure(t *testing.T) {
	transport, err := localTransport()
	if err != nil {
		t.Fatal(err)
	}
	node, err := ros2.NewNode(ros2.NodeConfig{Name: driver.NodeName, Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := errors.Join(node.Close(), transport.Close()); err != nil {
			t.Error(err)
		}
	}()
	for _, topic := range table.Topics() {
		if topic.Direction == table.Published {
			targetPublisher(t, node, topic)
		}
	}
}

// targetPublisher makes a publisher and a message of typical size for a topic.
func targetPublisher(b testing.TB, n *ros2.Node, t table.Topic) sender {
	header := std_msgs.Header{FrameID: "base_link"}
	switch t.Type {
	case "nav_msgs/msg/Odometry":
		return senderOf(b, n, t, &nav_msgs.Odometry{Header: header, ChildFrameID: "base_link"})
	case "tf2_msgs/msg/TFMessage":
		return senderOf(b, n, t, &tf2_msgs.TFMessage{Transforms: make([]geometry_msgs.TransformStamped, 1)})
	case "sensor_msgs/msg/LaserScan":
		return senderOf(b, n, t, &sensor_msgs.LaserScan{Header: header, Ranges: make([]float32, 21)})
	case "sensor_msgs/msg/Range":
		return senderOf(b, n, t, &sensor_msgs.Range{Header: header})
	case "sensor_msgs/msg/Illuminance":
		return senderOf(b, n, t, &sensor_msgs.Illuminance{Header: header})
	case "sensor_msgs/msg/Imu":
		return senderOf(b, n, t, &sensor_msgs.Imu{Header: header})
	case "sensor_msgs/msg/MagneticField":
		return senderOf(b, n, t, &sensor_msgs.MagneticField{Header: header})
	case "sensor_msgs/msg/JointState":
		return senderOf(b, n, t, &sensor_msgs.JointState{Header: header, Name: []string{"left_wheel_joint", "right_wheel_joint"},
			Position: make([]float64, 2), Velocity: make([]float64, 2)})
	case "sensor_msgs/msg/BatteryState":
		return senderOf(b, n, t, &sensor_msgs.BatteryState{Header: header})
	case "sensor_msgs/msg/Image":
		return senderOf(b, n, t, &sensor_msgs.Image{Header: header, Width: 640, Height: 480, Encoding: "rgb8", Step: 1920, Data: make([]byte, 640*480*3)})
	case "sensor_msgs/msg/CompressedImage":
		return senderOf(b, n, t, &sensor_msgs.CompressedImage{Header: header, Format: "rgb8; jpeg compressed bgr8", Data: make([]byte, 20_000)})
	case "sensor_msgs/msg/CameraInfo":
		return senderOf(b, n, t, &sensor_msgs.CameraInfo{Header: header, DistortionModel: "plumb_bob", D: make([]float64, 5)})
	case "std_msgs/msg/Int16":
		return senderOf(b, n, t, &std_msgs.Int16{})
	case "std_msgs/msg/Bool":
		return senderOf(b, n, t, &std_msgs.Bool{})
	case "std_msgs/msg/UInt8":
		return senderOf(b, n, t, &std_msgs.UInt8{})
	case "std_msgs/msg/UInt16MultiArray":
		return senderOf(b, n, t, &std_msgs.UInt16MultiArray{
			Layout: std_msgs.MultiArrayLayout{Dim: []std_msgs.MultiArrayDimension{{Label: "sensor", Size: 8, Stride: 8}}}, Data: make([]uint16, 8),
		})
	case "std_msgs/msg/String":
		return senderOf(b, n, t, &std_msgs.String{Data: strings.Repeat("<link/>", 1000)})
	case "diagnostic_msgs/msg/DiagnosticArray":
		return senderOf(b, n, t, &diagnostic_msgs.DiagnosticArray{Header: header, Status: make([]diagnostic_msgs.DiagnosticStatus, 12)})
	}
	b.Fatalf("no message of type %s here yet", t.Type)
	return sender{}
}

func publishMany(b *testing.B, s sender) {
	for deadline := time.Now().Add(time.Minute); os.Getenv(targetListenerEnv) != "" && !s.heard(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			b.Fatal("no subscriber")
		}
	}
	time.Sleep(time.Second)
	if err := s.publish(); err != nil { // buffers grow
		b.Fatal(err)
	}
	const rounds = 5
	for i := range 2 * rounds {
		mark(markBegin, 0)
		for n := range b.N {
			if i%2 == 1 {
				if err := s.publish(); err != nil {
					b.Fatal(err)
				}
			}
			if n%s.row == s.row-1 {
				time.Sleep(20 * time.Millisecond)
			}
		}
		mark(markEnd, b.N)
	}
}

// BenchmarkTargetImage is what is done to a camera picture of 640×480 where the GPU does not do it; the picture is the
// simulated camera's.
func BenchmarkTargetImage(b *testing.B) {
	picture := func(bytesPerPixel int) yuv.Picture {
		return yuv.Picture{Data: make([]byte, 640*480*bytesPerPixel), Width: 640, Height: 480, Stride: 640 * bytesPerPixel}
	}
	frame := picture(2)
	camera, ok := newTargetRobot(b, false).robot.Camera().(interface{ Picture(frame []byte) })
	if !ok {
		b.Fatal("the simulated camera draws no pictures")
	}
	camera.Picture(frame.Data)
	encoder, err := jpeg.New(80)
	if err != nil {
		b.Fatal(err)
	}
	rgb, luma, file := picture(3), picture(1), []byte(nil)
	for _, c := range []struct {
		name string
		work func() error
	}{
		{"jpeg", func() (err error) { file, err = encoder.Encode(file[:0], frame, jpeg.YUYV, yuv.Full); return err }},
		{"rgb8", func() error { return yuv.RGB(rgb, frame, yuv.Full) }},
		{"mono8", func() error { return yuv.Mono(luma, frame, yuv.Full) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			if err := c.work(); err != nil { // tables and buffers
				b.Fatal(err)
			}
			mark(markBegin, 0)
			for range b.N {
				if err := c.work(); err != nil {
					b.Fatal(err)
				}
			}
			mark(markEnd, b.N)
		})
	}
}
