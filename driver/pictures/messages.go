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

// jpegFormat is the format that image_transport's compressed plugin writes for colour images: the encoding to decode
// to, and that of the file.
const jpegFormat = "rgb8; jpeg compressed bgr8"

// stamper converts the time of a picture to a message's stamp.
type stamper = func(time.Time) builtin_interfaces.Time

// imageOf returns the builder of image_raw. The data belong to the pipeline: they are encoded before they change.
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

// infoOf returns the builder of camera_info: the calibration, scaled to the picture's size.
func infoOf(frame string, from *atomic.Pointer[caminfo.Calibration]) func(*sensor_msgs.CameraInfo, *camera.Image, stamper) {
	var of, scaled *caminfo.Calibration // last calibration and its scaled version
	return func(m *sensor_msgs.CameraInfo, img *camera.Image, stamp stamper) {
		if c := from.Load(); c != of || scaled.Width != img.Width || scaled.Height != img.Height {
			of, scaled = c, c.Scaled(img.Width, img.Height)
			*m = InfoMessage(scaled)
		}
		m.Header.FrameID, m.Header.Stamp = frame, stamp(img.Stamp)
	}
}

// InfoMessage returns a calibration as a message. An unknown calibration has zero matrices, as ROS defines.
func InfoMessage(c *caminfo.Calibration) sensor_msgs.CameraInfo {
	return sensor_msgs.CameraInfo{
		Width: uint32(c.Width), Height: uint32(c.Height), DistortionModel: c.Model, D: c.D, K: c.K, R: c.R, P: c.P,
	}
}

// calibrationOf is the inverse of InfoMessage.
func calibrationOf(m *sensor_msgs.CameraInfo, name string) *caminfo.Calibration {
	return &caminfo.Calibration{
		Name: name, Width: int(m.Width), Height: int(m.Height), Model: m.DistortionModel, D: m.D, K: m.K, R: m.R, P: m.P,
	}
}
