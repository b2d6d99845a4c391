// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// noCamera is the value of the parameter camera.device that leaves the camera's topics out.
const noCamera = "none"

// CameraCodecs are what the GPU can do for the camera; fields may be nil.
type CameraCodecs struct {
	// GPU opens the JPEG encoder, ISP the converter of raw images.
	GPU func(camera.EncoderConfig) (camera.Encoder, error)
	ISP func(camera.ConverterConfig) (camera.Converter, error)
}

// pictures publishes what the camera shows, while somebody subscribes. It has no goroutine: those of the pipeline
// deliver, and never wait for the control loop nor it for them. It is safe for concurrent use.
type pictures struct {
	d    *Driver
	pipe *camera.Pipeline

	name        string // of the camera
	file        string // where its calibration is kept; empty if fileErr says why nowhere
	fileErr     error
	calibration atomic.Pointer[caminfo.Calibration]

	image    *stream[sensor_msgs.Image]
	jpeg     *stream[sensor_msgs.CompressedImage]
	info     *stream[sensor_msgs.CameraInfo]
	services []io.Closer
}

// openCamera offers the topics of the camera, if there is to be one. It does not look for the camera itself.
func (d *Driver) openCamera(cfg *Config) error {
	set := d.settings.Load()
	if cfg.Camera == nil || set.pictures.device == noCamera {
		return nil
	}
	dev, err := cfg.Camera(set.pictures.device)
	if err != nil {
		return fmt.Errorf("%w: parameter %q: %w", ErrParameter, paramCameraDevice, err)
	}
	p := &pictures{d: d, name: set.pictures.name}
	p.pipe, err = camera.New(camera.Config{
		Device: sensorFirst{dev, d, d.clock.Now()}, Settings: set.pictures.pipeline,
		GPU: cfg.CameraCodecs.GPU, ISP: cfg.CameraCodecs.ISP, Clock: cameraClock{d.clock}, Logger: d.log,
	})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrParameter, err)
	}
	d.pictures = p
	if err := p.calibrate(set.pictures.url, cfg.CameraCalibration); err != nil {
		return err
	}
	return p.offer(set)
}

// offer offers the topics and the service.
func (p *pictures) offer(set *settings) (err error) {
	for _, row := range publishedBy(parts.Pictures) {
		frame := set.prefix + row.Frame
		switch row.Name {
		case topicImage:
			p.image, err = newStream[sensor_msgs.Image](p.d, row, set.pictures.output(), imageOf(frame))
		case topicJPEG:
			p.jpeg, err = newStream[sensor_msgs.CompressedImage](p.d, row, camera.Output{Encoding: camera.Compressed}, compressedOf(frame))
		case topicCameraInfo:
			p.info, err = newStream[sensor_msgs.CameraInfo](p.d, row, camera.Output{Encoding: camera.StampOnly}, infoOf(frame, &p.calibration))
		}
		if err != nil {
			return fmt.Errorf("driver: %w", err)
		}
	}
	for _, name := range []string{serviceCameraInfo, serviceCalibrator} {
		s, err := ros2.NewService(p.d.node, sensor_msgs.SetCameraInfo{}, name, p.setInfo)
		if err != nil {
			return fmt.Errorf("driver: %w", err)
		}
		p.services = append(p.services, s)
	}
	return nil
}

// apply puts new settings into force.
func (p *pictures) apply(ctx context.Context, s *settings) error {
	err := p.pipe.Set(ctx, s.pictures.pipeline)
	return errors.Join(err, p.image.set(s.pictures.output()))
}

// close withdraws everything and closes the camera. Closing what was not opened is nothing.
func (p *pictures) close() error {
	if p == nil {
		return nil
	}
	errs := []error{p.image.close(), p.jpeg.close(), p.info.close()}
	errs = append(errs, closeServices(p.services), p.pipe.Close())
	return errors.Join(errs...)
}

// cameraClock is the driver's clock as the pipeline wants it.
type cameraClock struct{ clock ros2.Clock }

// Now implements camera.Clock.
func (c cameraClock) Now() time.Time { return c.clock.Now() }

// NewTimer implements camera.Clock.
func (c cameraClock) NewTimer(d time.Duration) camera.Timer { return c.clock.NewTimer(d) }
