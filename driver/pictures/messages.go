// SPDX-License-Identifier: Apache-2.0

package pictures

import (
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
)

// jpegFormat is what image_transport's compressed plugin writes of colour pictures: the encoding to decode to, and what
// is in the file.
const jpegFormat = "rgb8; jpeg compressed bgr8"

// stamper makes the stamp of a message of the time at which a picture was taken.
type stamper = func(time.Time) builtin_interfaces.Time

// imageOf returns the builder of image_raw. The data stay the pipeline's: they are encoded before they change.
func imageOf(frame string) func(*sensor_msgs.Image, *camera.Image, stamper) {
	return func(m *sensor_msgs.Image, img *camera.Image, stamp stamper) {
		m.Header.FrameID, m.Header.Stamp = frame, stamp(img.Stamp)
		m.Width, m.Height, m.Step = uint32(img.Width), uint32(img.Height), uint32(img.Step)
		m.Encoding, m.Data = string(img.Encoding), img.Data
	}
}

// compressedOf returns the builder of image_raw/compressed.
func compressedOf(frame string) func(*sensor_msgs.CompressedImage, *camera.Image, stamper) {
	return func(m *sensor_msgs.CompressedImage, img *camera.Image, stamp stamper) {
		m.Header.FrameID, m.Header.Stamp = frame, stamp(img.Stamp)
		m.Format, m.Data = jpegFormat, img.Data
	}
}

// infoOf returns the builder of camera_info: the calibration, scaled to the picture.
func infoOf(frame string, from *atomic.Pointer[caminfo.Calibration]) func(*sensor_msgs.CameraInfo, *camera.Image, stamper) {
	var of, scaled *caminfo.Calibration // what was scaled last, and to what
	return func(m *sensor_msgs.CameraInfo, img *camera.Image, stamp stamper) {
		if c := from.Load(); c != of || scaled.Width != img.Width || scaled.Height != img.Height {
			of, scaled = c, c.Scaled(img.Width, img.Height)
			*m = InfoMessage(scaled)
		}
		m.Header.FrameID, m.Header.Stamp = frame, stamp(img.Stamp)
	}
}

// InfoMessage is a calibration as a message. One that is not known has zero matrices, by which ROS tells it.
func InfoMessage(c *caminfo.Calibration) sensor_msgs.CameraInfo {
	return sensor_msgs.CameraInfo{
		Width: uint32(c.Width), Height: uint32(c.Height), DistortionModel: c.Model, D: c.D, K: c.K, R: c.R, P: c.P,
	}
}

// calibrationOf is the reverse of InfoMessage.
func calibrationOf(m *sensor_msgs.CameraInfo, name string) *caminfo.Calibration {
	return &caminfo.Calibration{
		Name: name, Width: int(m.Width), Height: int(m.Height), Model: m.DistortionModel, D: m.D, K: m.K, R: m.R, P: m.P,
	}
}
