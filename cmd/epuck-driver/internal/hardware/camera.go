// SPDX-License-Identifier: Apache-2.0

package hardware

import (
	"fmt"
	"image"
	"image/png"
	"io"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
	"github.com/epuck-ros2/epuck-driver/camera/live"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/experiment/report"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// Optics is the camera of a robot: the devices of the parameter camera.device, encoders, and the calibration of the
// lens if it is known.
type Optics struct {
	Open        func(device string) (camera.Device, error)
	codecs      driver.CameraCodecs
	Encoder     func(camera.EncoderConfig) (live.Encoder, error) // of H.264, for live video
	calibration *caminfo.Calibration
}

// simulatedCamera returns the camera of a simulated robot, whose lens is known exactly.
func simulatedCamera(r Chips) Optics {
	lens := caminfo.Ideal("pipuck", vcamera.Width, vcamera.Height, vcamera.FocalX, vcamera.FocalY, vcamera.CenterX, vcamera.CenterY)
	lens.D = r.LensDistortion()
	return Optics{
		Open: func(device string) (camera.Device, error) {
			if device != "auto" {
				return nil, fmt.Errorf("%w: %q; the simulated robot has one camera, \"auto\"", camera.ErrNoDevice, device)
			}
			return r.Camera(), nil
		},
		Encoder:     videoEncoder,
		calibration: lens,
	}
}

// Photographer is a simulated robot with the e-puck2's camera, of level firmware or functional.
type Photographer interface {
	sim.Robot
	// Picture renders the camera's present frame, see sim.Firmware.Picture.
	Picture(dst []byte) []byte
}

var (
	_ Photographer = (*sim.Firmware)(nil)
	_ Photographer = (*sim.Functional)(nil)
)

// Snapshot writes the frame of a simulated robot's camera as a PNG file, atomically.
func Snapshot(r Photographer, path string) error {
	return report.Whole(path, func(w io.Writer) error { return encodePicture(w, r.Picture(nil)) })
}

// encodePicture writes a frame of the simulated camera as PNG.
func encodePicture(w io.Writer, frame []byte) error {
	m := image.NewYCbCr(image.Rect(0, 0, vcamera.Width, vcamera.Height), image.YCbCrSubsampleRatio422)
	for i := 0; i+3 < len(frame); i += 4 {
		m.Y[i/2], m.Cb[i/4], m.Y[i/2+1], m.Cr[i/4] = frame[i], frame[i+1], frame[i+2], frame[i+3]
	}
	return (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(w, m)
}
