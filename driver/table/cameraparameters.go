// SPDX-License-Identifier: Apache-2.0

package table

import (
	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// maxPicture is the maximum of the picture size parameters, pixels.
const maxPicture = 8192

// encodings lists the values of the parameter camera.encoding.
func encodings() []string {
	var names []string
	for _, e := range camera.RawEncodings() {
		names = append(names, string(e))
	}
	return names
}

// cameraParameters are the rows of the camera's pictures in the table of parameters.
func cameraParameters() []Parameter {
	return []Parameter{
		text(ParamCameraDevice, "auto", false,
			"the camera: `auto` finds the Pi-puck's, else a device file or a part of the camera's name; `none` "+
				"disables its topics").
			text(func(s *draft) *string { return &s.Pictures.Device }),
		integer(ParamCameraWidth, camera.DefaultWidth, 2, maxPicture, 2, "pixels",
			"width of the pictures, even; scaled down from the camera's").
			int(func(s *draft) *int { return &s.Pictures.Pipeline.Width }),
		integer(ParamCameraHeight, camera.DefaultHeight, 1, maxPicture, 0, "pixels", "height of the pictures").
			int(func(s *draft) *int { return &s.Pictures.Pipeline.Height }),
		number(ParamCameraRate, camera.DefaultFrameRate, 0.1, 120, "Hz", true,
			"maximum picture rate; the Pi-puck's camera delivers 15 Hz").
			double(func(s *draft) *float64 { return &s.Pictures.Pipeline.FrameRate }),
		integer(ParamCameraQuality, camera.DefaultQuality, 1, 100, 0, "",
			"quality of `image_raw/compressed`, on libjpeg's scale").
			int(func(s *draft) *int { return &s.Pictures.Pipeline.Quality }),
		choice(ParamCameraEncoding, encodings(), true, "encoding of `image_raw`").
			reads(func(s *draft, v ros2.ParameterValue) error {
				s.Pictures.Encoding = camera.Encoding(v.Str())
				return nil
			}),
		choice(ParamCameraEncoder, []string{string(camera.Auto), string(camera.GPU), string(camera.CPU)}, false,
			"JPEG encoder: `auto` uses the GPU if it works, else the processor; `/diagnostics` shows which "+
				"and why").
			reads(func(s *draft, v ros2.ParameterValue) error {
				s.Pictures.Pipeline.Encoder = camera.EncoderChoice(v.Str())
				return nil
			}),
		text(ParamCameraInfoURL, "", false,
			"file of the calibration, as `file:///PATH` or `package://PACKAGE/PATH`, with `${NAME}` for the "+
				"camera's name and `${ROS_HOME}`; empty is `"+caminfo.DefaultURL+"`").
			text(func(s *draft) *string { return &s.Pictures.URL }),
		text(ParamCameraName, "pipuck", false, "the camera's name in its calibration").
			reads(func(s *draft, v ros2.ParameterValue) error {
				s.Pictures.Name = v.Str()
				return caminfo.CheckName(s.Pictures.Name)
			}),
	}
}
