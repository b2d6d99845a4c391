// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"runtime/debug"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/yuv"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// onDemand is a camera that gives a frame when the test says so.
type onDemand struct {
	next chan time.Time // stamp of the next frame
	done chan struct{}
	data []byte
	seq  uint32
}

func (c *onDemand) Name() string { return "on demand" }

func (c *onDemand) Modes(context.Context) ([]camera.Mode, error) {
	return []camera.Mode{{Width: 640, Height: 480, Format: camera.YUYV}}, nil
}

func (c *onDemand) Open(context.Context, camera.Mode) (camera.Source, error) {
	c.done = make(chan struct{})
	return c, nil
}

func (c *onDemand) Read() (camera.Frame, func(), error) {
	select {
	case stamp := <-c.next:
		c.seq++
		return camera.Frame{
			Data: c.data, Format: camera.YUYV, Width: 640, Height: 480, Stride: 1280, Stamp: stamp, Sequence: c.seq, Range: yuv.Full,
		}, func() {}, nil
	case <-c.done:
		return camera.Frame{}, nil, camera.ErrClosed
	}
}

func (c *onDemand) Close() error {
	select {
	case <-c.done:
	default:
		close(c.done)
	}
	return nil
}

// TestNoAllocationPerPicture: from the camera's frame to the bytes on the network, raw, JPEG and calibration together
// allocate nothing.
func TestNoAllocationPerPicture(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection would empty pools
	t.Setenv("ROS_HOME", t.TempDir())
	dev := &onDemand{next: make(chan time.Time), data: make([]byte, 2*640*480)}
	vcamera.NewRenderer().Render(dev.data, &vcamera.Scene{Light: 1}, geom.Pose{}, vcamera.Development{})
	r := newRig(t, rigOptions{noStart: true, config: func(c *Config) {
		c.Camera = func(string) (camera.Device, error) { return dev, nil }
		c.CameraCalibration = ownCalibration()
	}})
	arrived := make(chan struct{}, 3)
	for topic, m := range map[string]ros2.Message{table.TopicImage: new(sensor_msgs.Image), table.TopicJPEG: new(sensor_msgs.CompressedImage), table.TopicCameraInfo: new(sensor_msgs.CameraInfo)} {
		full, err := r.user.ResolveName(topic)
		r.must(err)
		_, err = r.user.Transport().NewReader(ros2.ReaderConfig{
			EndpointConfig: ros2.EndpointConfig{
				Node: r.user.Name(), Topic: full, Type: m.ROSType(), TypeHash: m.TypeHash(), QoS: ros2.DefaultQoS(),
				OnMatch: func(int) {}, OnIncompatible: func(ros2.EndpointInfo, ros2.QoSPolicy) {},
			},
			OnSample: func(ros2.Sample) { arrived <- struct{}{} },
		})
		r.must(err)
	}
	stamp := time.Unix(1e9, 0)
	picture := func() {
		stamp = stamp.Add(time.Second / 15)
		dev.next <- stamp
		for range 3 {
			<-arrived
		}
	}
	for range 8 {
		picture()
	}
	if n := testing.AllocsPerRun(10, picture); n != 0 {
		t.Errorf("%v allocations a picture on three topics", n)
	}
}
