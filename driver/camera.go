// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/driver/pictures"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// noCamera is the value of the parameter camera.device that disables the camera's topics.
const noCamera = "none"

// CameraCodecs are the GPU's codecs for the camera; fields may be nil.
type CameraCodecs = pictures.Codecs

// openCamera creates the topics of the camera if one is configured. It does not open the camera.
func (d *Driver) openCamera(cfg *Config) error {
	set := d.settings.Load()
	if cfg.Camera == nil || set.Pictures.Device == noCamera {
		return nil
	}
	dev, err := cfg.Camera(set.Pictures.Device)
	if err != nil {
		return fmt.Errorf("%w: parameter %q: %w", table.ErrParameter, table.ParamCameraDevice, err)
	}
	c := pictures.Config{
		Node: d.node, Clock: d.clock, Log: d.log, Device: dev, Settings: set.Pictures, Codecs: cfg.CameraCodecs,
		Calibration: cfg.CameraCalibration, InMemory: cfg.CalibrationInMemory, Services: []string{table.ServiceCameraInfo, table.ServiceCalibrator},
		Sensor: d.cameraSensor, Stamp: d.stamp, Refused: func() { d.refused.Add(1) }, Panicked: d.pictureDied,
	}
	for _, row := range table.PublishedBy(parts.Pictures) {
		t := pictures.Topic{Name: row.Name, Frame: set.Prefix + row.Frame, QoS: row.QoS}
		switch row.Name {
		case table.TopicImage:
			c.Image = t
		case table.TopicJPEG:
			c.JPEG = t
		case table.TopicCameraInfo:
			c.Info = t
		}
	}
	if d.pictures, err = pictures.New(c); err != nil {
		if errors.Is(err, pictures.ErrURL) {
			return fmt.Errorf("%w: parameter %q: %w", table.ErrParameter, table.ParamCameraInfoURL, err)
		}
		return fmt.Errorf("%w: %w", table.ErrParameter, err)
	}
	for _, s := range d.pictures.Streams() {
		d.offered.add([]table.Output{pictureTopic{s}})
	}
	return nil
}

// cameraSensor returns the state of the camera's sensor, and whether the driver searches for one.
func (d *Driver) cameraSensor() (state device.State, looked bool) {
	for _, p := range d.bus.parts.Statuses(nil) {
		if p.Name == string(parts.Camera) {
			return p.State, true
		}
	}
	return device.Absent, false
}

// pictureDied ends Run after a goroutine of the pictures has panicked.
func (d *Driver) pictureDied(err error) {
	select {
	case d.fatal <- fmt.Errorf("%w: %w", errPanic, err):
	default: // Run is ending already
	}
	if d.woken != nil {
		d.woken()
	}
}

// pictureTopic is a topic of pictures in the list of all topics. It is not built from readings.
type pictureTopic struct{ pictures.Stream }

func (pictureTopic) Publish(*table.Reading) error  { return nil }
func (pictureTopic) Announce(*table.Reading) error { return nil }
func (t pictureTopic) Wanted() bool                { return t.Subscribers() > 0 }
func (pictureTopic) Close() error                  { return nil } // the pictures close it

func (t pictureTopic) Status() health.TopicStatus {
	return health.TopicStatus{Name: t.Name(), Subscribers: t.Subscribers(), Messages: t.Messages()}
}
