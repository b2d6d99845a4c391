// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/driver/pictures"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// noCamera is the value of the parameter camera.device that leaves the camera's topics out.
const noCamera = "none"

// CameraCodecs are what the GPU can do for the camera; fields may be nil.
type CameraCodecs = pictures.Codecs

// openCamera offers the topics of the camera, if there is to be one. It does not look for the camera itself.
func (d *Driver) openCamera(cfg *Config) error {
	set := d.settings.Load()
	if cfg.Camera == nil || set.pictures.Device == noCamera {
		return nil
	}
	dev, err := cfg.Camera(set.pictures.Device)
	if err != nil {
		return fmt.Errorf("%w: parameter %q: %w", ErrParameter, paramCameraDevice, err)
	}
	c := pictures.Config{
		Node: d.node, Clock: d.clock, Log: d.log, Device: dev, Settings: set.pictures, Codecs: cfg.CameraCodecs,
		Calibration: cfg.CameraCalibration, Services: []string{serviceCameraInfo, serviceCalibrator},
		Sensor: d.cameraSensor, Stamp: d.stamp, Refused: func() { d.refused.Add(1) }, Panicked: d.pictureDied,
	}
	for _, row := range publishedBy(parts.Pictures) {
		t := pictures.Topic{Name: row.Name, Frame: set.prefix + row.Frame, QoS: row.QoS}
		switch row.Name {
		case topicImage:
			c.Image = t
		case topicJPEG:
			c.JPEG = t
		case topicCameraInfo:
			c.Info = t
		}
	}
	if d.pictures, err = pictures.New(c); err != nil {
		if errors.Is(err, pictures.ErrURL) {
			return fmt.Errorf("%w: parameter %q: %w", ErrParameter, paramCameraInfoURL, err)
		}
		return fmt.Errorf("%w: %w", ErrParameter, err)
	}
	for _, s := range d.pictures.Streams() {
		d.offered.add([]output{pictureTopic{s}})
	}
	return nil
}

// cameraSensor tells how far the camera's sensor has been set up, and whether one is looked for.
func (d *Driver) cameraSensor() (state device.State, looked bool) {
	for _, p := range d.bus.parts.Statuses(nil) {
		if p.Name == string(parts.Camera) {
			return p.State, true
		}
	}
	return device.Absent, false
}

// pictureDied ends Run: a goroutine of the pictures has panicked.
func (d *Driver) pictureDied(err error) {
	select {
	case d.fatal <- fmt.Errorf("%w: %w", ErrPanic, err):
	default: // it ends already
	}
}

// pictureTopic is a topic of pictures in the list of all topics. It does not come from readings.
type pictureTopic struct{ pictures.Stream }

func (pictureTopic) publish(*reading) error  { return nil }
func (pictureTopic) announce(*reading) error { return nil }
func (t pictureTopic) wanted() bool          { return t.Subscribers() > 0 }
func (pictureTopic) close() error            { return nil } // the pictures' own

func (t pictureTopic) status() health.TopicStatus {
	return health.TopicStatus{Name: t.Name(), Subscribers: t.Subscribers(), Messages: t.Messages()}
}
