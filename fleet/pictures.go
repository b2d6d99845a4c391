// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// jpegFormat is the format of compressed pictures, as image_transport sets it.
const jpegFormat = "rgb8; jpeg compressed bgr8"

// pictures publishes the pictures of a functional robot's camera while there is a subscriber. Before the first one it
// has no goroutine and no picture buffers.
type pictures struct {
	f           *functional
	calibration atomic.Pointer[caminfo.Calibration]
	closers     []func() error

	mu     sync.Mutex
	pipe   *camera.Pipeline // nil until there is a subscriber
	closed bool
}

// openPictures creates the camera's topics.
func openPictures(f *functional) (*pictures, error) {
	p := &pictures{f: f}
	lens := caminfo.Ideal("pipuck", vcamera.Width, vcamera.Height, vcamera.FocalX, vcamera.FocalY, vcamera.CenterX, vcamera.CenterY)
	lens.D = f.simulated.LensDistortion()
	p.calibration.Store(lens)
	if f.text(table.ParamCameraDevice) == "none" {
		return p, nil
	}
	var errs []error
	for _, row := range table.Topics() {
		frame := f.set.Prefix + row.Frame
		switch row.Name {
		case table.TopicImage:
			errs = append(errs, offerPictures(p, row, camera.Output{Encoding: camera.Encoding(f.text(table.ParamCameraEncoding))},
				func(m *sensor_msgs.Image, img *camera.Image) {
					m.Header.FrameID, m.Header.Stamp = frame, builtin_interfaces.TimeOf(img.Stamp)
					m.Width, m.Height, m.Step = uint32(img.Width), uint32(img.Height), uint32(img.Step)
					m.Encoding, m.Data = string(img.Encoding), img.Data
				}))
		case table.TopicJPEG:
			errs = append(errs, offerPictures(p, row, camera.Output{Encoding: camera.Compressed},
				func(m *sensor_msgs.CompressedImage, img *camera.Image) {
					m.Header.FrameID, m.Header.Stamp = frame, builtin_interfaces.TimeOf(img.Stamp)
					m.Format, m.Data = jpegFormat, img.Data
				}))
		case table.TopicCameraInfo:
			errs = append(errs, offerPictures(p, row, camera.Output{Encoding: camera.StampOnly},
				func(m *sensor_msgs.CameraInfo, img *camera.Image) {
					c := p.calibration.Load().Scaled(img.Width, img.Height)
					m.Width, m.Height, m.DistortionModel = uint32(c.Width), uint32(c.Height), c.Model
					m.D, m.K, m.R, m.P = c.D, c.K, c.R, c.P
					m.Header.FrameID, m.Header.Stamp = frame, builtin_interfaces.TimeOf(img.Stamp)
				}))
		}
	}
	return p, errors.Join(errs...)
}

// value returns the value of one of the driver's parameters, all of which are declared.
func (f *functional) value(name string) ros2.ParameterValue {
	v, _ := f.node.Parameters().Get(name)
	return v
}

func (f *functional) text(name string) string { return f.value(name).Str() }

// offerPictures creates a topic with a message for each picture.
func offerPictures[T any, P ros2.MessageOf[T]](p *pictures, row table.Topic, want camera.Output, build func(*T, *camera.Image)) error {
	var mu sync.Mutex
	var sink *camera.Sink // nil without subscribers
	var pub *ros2.Publisher[T]
	var m T
	deliver := func(img *camera.Image) {
		build(&m, img)
		_ = pub.Publish(&m) // the next picture follows
	}
	follow := func(subscribers int) {
		mu.Lock()
		defer mu.Unlock()
		var err error
		switch {
		case pub == nil: // NewPublisher has not returned
		case subscribers > 0 && sink == nil:
			sink, err = p.attach(want, deliver)
		case subscribers == 0 && sink != nil:
			err = sink.Close()
			sink = nil
		}
		if err != nil && !errors.Is(err, camera.ErrClosed) {
			p.f.node.Logger().Error("can't attach a camera topic", "topic", row.Name, "error", err)
		}
	}
	made, err := ros2.NewPublisher[T, P](p.f.node, row.Name, row.QoS, ros2.OnSubscribers(follow))
	if err != nil {
		return fmt.Errorf("fleet: %s: %w", row.Name, err)
	}
	mu.Lock()
	pub = made
	mu.Unlock()
	follow(pub.SubscriptionCount())
	p.closers = append(p.closers, func() error {
		follow(0)
		return made.Close()
	})
	return nil
}

// attach adds a sink to the camera's pipeline, which is started for the first one.
func (p *pictures) attach(want camera.Output, deliver func(*camera.Image)) (*camera.Sink, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, camera.ErrClosed
	}
	if p.pipe == nil {
		f := p.f
		pipe, err := camera.New(camera.Config{
			Device: f.simulated.Camera(), Clock: pictureClock{f.clock}, Logger: f.node.Logger(),
			Settings: camera.Settings{
				Width: int(f.value(table.ParamCameraWidth).Integer()), Height: int(f.value(table.ParamCameraHeight).Integer()),
				FrameRate: f.value(table.ParamCameraRate).Double(), Quality: int(f.value(table.ParamCameraQuality).Integer()),
				Encoder: camera.CPU,
			},
		})
		if err != nil {
			return nil, err
		}
		p.pipe = pipe
	}
	return p.pipe.Attach(want, deliver)
}

// setInfo implements set_camera_info: it replaces the calibration until the simulation ends. A simulated camera has
// no file in which to store it.
func (p *pictures) setInfo(_ context.Context, q *sensor_msgs.SetCameraInfoRequest) (*sensor_msgs.SetCameraInfoResponse, error) {
	m := &q.CameraInfo
	c := &caminfo.Calibration{
		Name: p.f.text(table.ParamCameraName), Width: int(m.Width), Height: int(m.Height), Model: m.DistortionModel, D: m.D, K: m.K, R: m.R, P: m.P,
	}
	if err := c.Check(); err != nil {
		return &sensor_msgs.SetCameraInfoResponse{StatusMessage: err.Error()}, nil //nolint:nilerr // the response has the error
	}
	p.calibration.Store(c)
	return &sensor_msgs.SetCameraInfoResponse{Success: true, StatusMessage: "used until the simulation ends"}, nil
}

// close closes the publishers and the camera.
func (p *pictures) close() error {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	p.closed = true
	pipe := p.pipe
	p.mu.Unlock()
	var errs []error
	for _, c := range p.closers {
		errs = append(errs, c())
	}
	if pipe != nil {
		errs = append(errs, pipe.Close())
	}
	return errors.Join(errs...)
}

// pictureClock adapts the fleet's clock to camera.Clock.
type pictureClock struct{ clock ros2.Clock }

// Now implements camera.Clock.
func (c pictureClock) Now() time.Time { return c.clock.Now() }

// NewTimer implements camera.Clock.
func (c pictureClock) NewTimer(d time.Duration) camera.Timer { return c.clock.NewTimer(d) }
