// SPDX-License-Identifier: Apache-2.0

package hardware

import (
	"log/slog"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/live"
	"github.com/epuck-ros2/epuck-driver/camera/m2m"
	"github.com/epuck-ros2/epuck-driver/camera/v4l2"
	"github.com/epuck-ros2/epuck-driver/driver"
)

// robotCamera returns the camera of this machine, opened when it is needed, with the encoders of the Raspberry Pi's
// GPU.
func robotCamera(log *slog.Logger) Optics {
	return Optics{
		Open: func(device string) (camera.Device, error) {
			return v4l2.New(v4l2.Config{Device: device, Logger: log}), nil
		},
		codecs: driver.CameraCodecs{GPU: m2m.NewJPEGEncoder, ISP: m2m.NewISP}, Encoder: videoEncoder,
	}
}

// videoEncoder opens the Raspberry Pi's H.264 encoder; on other machines it returns an error.
func videoEncoder(c camera.EncoderConfig) (live.Encoder, error) {
	e, err := m2m.NewH264Encoder(m2m.H264Config{Encoder: c})
	if err != nil { // not a nil pointer in an interface
		return nil, err
	}
	return e, nil
}
