// SPDX-License-Identifier: Apache-2.0

// Package pictures publishes what a camera shows as ROS topics, while there are subscriptions: image_raw,
// image_raw/compressed and camera_info, with the calibration and the services that set it.
//
// It has no goroutine: those of the camera's pipeline deliver, and neither wait for the control loop nor are waited
// for.
package pictures

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// ErrURL is matched when the URL of the calibration makes no sense.
var ErrURL = errors.New("pictures: bad URL of the calibration")

// Topic names a topic, with the frame of its messages.
type Topic struct {
	Name, Frame string
	QoS         ros2.QoS
}

// Codecs are what the GPU can do for the camera; fields may be nil.
type Codecs struct {
	// GPU opens the JPEG encoder, ISP the converter of raw images.
	GPU func(camera.EncoderConfig) (camera.Encoder, error)
	ISP func(camera.ConverterConfig) (camera.Converter, error)
}

// Settings are the values of the camera's parameters.
type Settings struct {
	// Device names the camera, URL the file of its calibration, Name is its name there.
	Device, URL, Name string
	// Encoding is that of the raw pictures.
	Encoding camera.Encoding
	// Pipeline is how the pictures are to be.
	Pipeline camera.Settings
}

// output is what the raw pictures are to be.
func (s *Settings) output() camera.Output { return camera.Output{Encoding: s.Encoding} }

// Config is what the pictures are made of. All fields but Codecs and Calibration are required.
type Config struct {
	Node     *ros2.Node
	Clock    ros2.Clock
	Log      *slog.Logger
	Device   camera.Device
	Settings Settings
	Codecs   Codecs
	// Calibration is what is known of the camera where no file says it.
	Calibration *caminfo.Calibration
	// Image, JPEG and Info are the topics, Services the names of those that set the calibration.
	Image, JPEG, Info Topic
	Services          []string
	// Sensor tells how far the camera's sensor has been set up, and whether one is looked for.
	Sensor func() (state device.State, looked bool)
	// Stamp makes the stamp of a message of the time at which a picture was taken.
	Stamp func(time.Time) builtin_interfaces.Time
	// Refused is called for each message that the transport did not take, Panicked with what a picture's goroutine died
	// of.
	Refused  func()
	Panicked func(error)
}

// Pictures are the topics of one camera. It is safe for concurrent use.
type Pictures struct {
	cfg  Config
	pipe *camera.Pipeline

	file        string // where the calibration is kept; empty if fileErr says why nowhere
	fileErr     error
	calibration atomic.Pointer[caminfo.Calibration]

	image    *stream[sensor_msgs.Image]
	jpeg     *stream[sensor_msgs.CompressedImage]
	info     *stream[sensor_msgs.CameraInfo]
	services []io.Closer
}

// New offers the topics of the camera. It does not look for the camera itself. The error matches [ErrURL] or is the
// pipeline's or the node's; then nothing stays offered.
func New(cfg Config) (*Pictures, error) {
	p := &Pictures{cfg: cfg}
	var err error
	p.pipe, err = camera.New(camera.Config{
		Device:   sensorFirst{Device: cfg.Device, clock: cfg.Clock, sensor: cfg.Sensor, began: cfg.Clock.Now()},
		Settings: cfg.Settings.Pipeline, GPU: cfg.Codecs.GPU, ISP: cfg.Codecs.ISP, Clock: clock{cfg.Clock}, Logger: cfg.Log,
	})
	if err != nil {
		return nil, fmt.Errorf("pictures: %w", err)
	}
	if err := p.calibrate(cfg.Settings.URL, cfg.Calibration); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	if err := p.offer(); err != nil {
		return nil, errors.Join(fmt.Errorf("pictures: %w", err), p.Close())
	}
	return p, nil
}

// offer offers the topics and the services.
func (p *Pictures) offer() (err error) {
	c := &p.cfg
	if p.image, err = newStream[sensor_msgs.Image](p, c.Image, c.Settings.output(), imageOf(c.Image.Frame)); err != nil {
		return err
	}
	if p.jpeg, err = newStream[sensor_msgs.CompressedImage](p, c.JPEG, camera.Output{Encoding: camera.Compressed}, compressedOf(c.JPEG.Frame)); err != nil {
		return err
	}
	if p.info, err = newStream[sensor_msgs.CameraInfo](p, c.Info, camera.Output{Encoding: camera.StampOnly}, infoOf(c.Info.Frame, &p.calibration)); err != nil {
		return err
	}
	for _, name := range c.Services {
		s, err := ros2.NewService(c.Node, sensor_msgs.SetCameraInfo{}, name, p.setInfo)
		if err != nil {
			return err
		}
		p.services = append(p.services, s)
	}
	return nil
}

// Stream is the state of one topic.
type Stream interface {
	Name() string
	Subscribers() int
	Messages() uint64
}

// Streams are the topics.
func (p *Pictures) Streams() []Stream { return []Stream{p.image, p.jpeg, p.info} }

// Status says what the camera does.
func (p *Pictures) Status() camera.Status { return p.pipe.Status() }

// Check refuses settings that the camera can't have.
func (p *Pictures) Check(ctx context.Context, s camera.Settings) error { return p.pipe.Check(ctx, s) }

// Apply puts new settings into force.
func (p *Pictures) Apply(ctx context.Context, s Settings) error {
	err := p.pipe.Set(ctx, s.Pipeline)
	return errors.Join(err, p.image.set(s.output()))
}

// Close withdraws everything and closes the camera. Closing what was not opened is nothing.
func (p *Pictures) Close() error {
	if p == nil {
		return nil
	}
	errs := []error{p.image.close(), p.jpeg.close(), p.info.close()}
	for _, s := range p.services {
		errs = append(errs, s.Close())
	}
	return errors.Join(append(errs, p.pipe.Close())...)
}

// clock is a node's clock as the pipeline wants it.
type clock struct{ ros2.Clock }

// NewTimer implements camera.Clock.
func (c clock) NewTimer(d time.Duration) camera.Timer { return c.Clock.NewTimer(d) }
