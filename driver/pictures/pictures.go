// SPDX-License-Identifier: Apache-2.0

// Package pictures publishes a camera's pictures as ROS topics, while there are subscriptions: image_raw,
// image_raw/compressed and camera_info, with the calibration and the services that set it.
//
// It has no goroutines: those of the camera's pipeline deliver the pictures, independently of the control loop.
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

// ErrURL is matched when the URL of the calibration is invalid.
var ErrURL = errors.New("pictures: invalid URL of the calibration")

// Topic is a topic with the frame of its messages.
type Topic struct {
	Name, Frame string
	QoS         ros2.QoS
}

// Codecs are the GPU's codecs for the camera; fields may be nil.
type Codecs struct {
	// GPU opens the JPEG encoder, ISP the converter of raw images.
	GPU func(camera.EncoderConfig) (camera.Encoder, error)
	ISP func(camera.ConverterConfig) (camera.Converter, error)
}

// Settings are the values of the camera's parameters.
type Settings struct {
	// Device is the name of the camera, URL the file of its calibration, Name its name there.
	Device, URL, Name string
	// Encoding is that of the raw pictures.
	Encoding camera.Encoding
	// Pipeline holds the settings of the pipeline.
	Pipeline camera.Settings
}

// output returns the output of image_raw.
func (s *Settings) output() camera.Output { return camera.Output{Encoding: s.Encoding} }

// Config configures [Pictures]. All fields but Codecs and Calibration are required.
type Config struct {
	Node     *ros2.Node
	Clock    ros2.Clock
	Log      *slog.Logger
	Device   camera.Device
	Settings Settings
	Codecs   Codecs
	// Calibration is the camera's calibration if there is no file. InMemory means that files are neither read nor
	// written.
	Calibration *caminfo.Calibration
	InMemory    bool
	// Image, JPEG and Info are the topics, Services the names of those that set the calibration.
	Image, JPEG, Info Topic
	Services          []string
	// Sensor returns the state of the camera's sensor, and whether the driver searches for one.
	Sensor func() (state device.State, looked bool)
	// Stamp converts the time of a picture to a message's stamp.
	Stamp func(time.Time) builtin_interfaces.Time
	// Refused is called for each message that the transport rejected, Panicked with the panic of a picture's goroutine.
	Refused  func()
	Panicked func(error)
}

// Pictures are the topics of one camera. It is safe for concurrent use.
type Pictures struct {
	cfg  Config
	pipe *camera.Pipeline

	file        string // file of the calibration; empty if fileErr is the reason for none
	fileErr     error
	calibration atomic.Pointer[caminfo.Calibration]

	image    *stream[sensor_msgs.Image]
	jpeg     *stream[sensor_msgs.CompressedImage]
	info     *stream[sensor_msgs.CameraInfo]
	services []io.Closer
}

// New creates the topics of the camera. It does not open the camera. The error matches [ErrURL] or is the pipeline's or
// the node's; then no topic remains.
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

// offer creates the topics and the services.
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

// Streams returns the topics.
func (p *Pictures) Streams() []Stream { return []Stream{p.image, p.jpeg, p.info} }

// Status returns the status of the camera.
func (p *Pictures) Status() camera.Status { return p.pipe.Status() }

// Check returns an error for settings that the camera does not support.
func (p *Pictures) Check(ctx context.Context, s camera.Settings) error { return p.pipe.Check(ctx, s) }

// Apply applies new settings.
func (p *Pictures) Apply(ctx context.Context, s Settings) error {
	err := p.pipe.Set(ctx, s.Pipeline)
	return errors.Join(err, p.image.set(s.output()))
}

// Close closes the topics, the services and the camera. It may be called on nil.
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

// clock adapts a node's clock to the pipeline.
type clock struct{ ros2.Clock }

// NewTimer implements camera.Clock.
func (c clock) NewTimer(d time.Duration) camera.Timer { return c.Clock.NewTimer(d) }
