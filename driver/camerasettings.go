// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
	"github.com/epuck-ros2/epuck-driver/driver/pictures"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// maxPicture bounds the parameters of the picture's size, pixels.
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
		text(paramCameraDevice, "auto", false, "the camera: `auto` finds the Pi-puck's, else a device file or a part of the camera's name; `none` leaves its topics out"),
		integer(paramCameraWidth, camera.DefaultWidth, 2, maxPicture, 2, "pixels", "width of the pictures, even; they are scaled down from what the camera has"),
		integer(paramCameraHeight, camera.DefaultHeight, 1, maxPicture, 0, "pixels", "height of the pictures"),
		number(paramCameraRate, camera.DefaultFrameRate, 0.1, 120, "Hz", true, "pictures a second at most; the Pi-puck's camera has 15"),
		integer(paramCameraQuality, camera.DefaultQuality, 1, 100, 0, "", "quality of `image_raw/compressed`, on libjpeg's scale"),
		choice(paramCameraEncoding, encodings(), true, "encoding of `image_raw`"),
		choice(paramCameraEncoder, []string{string(camera.Auto), string(camera.GPU), string(camera.CPU)}, false,
			"where JPEG is made: `auto` takes the GPU if it works, else the processor; `/diagnostics` shows which and why"),
		text(paramCameraInfoURL, "", false, "file of the calibration, as `file:///PATH` or `package://PACKAGE/PATH`, with `${NAME}` for the camera's name and `${ROS_HOME}`; empty is `"+caminfo.DefaultURL+"`"),
		text(paramCameraName, "pipuck", false, "the camera's name in its calibration"),
	}
}

// integer is a whole number that can change while the driver runs; step 0 allows all.
func integer(name string, value, least, most, step int64, unit, meaning string) Parameter {
	return Parameter{
		Name: name, Default: ros2.IntegerValue(value), Min: float64(least), Max: float64(most), Step: float64(step),
		Unit: unit, Dynamic: true, Meaning: meaning,
	}
}

// readPictures takes the settings from values by name.
func readPictures(value func(name string) ros2.ParameterValue) pictures.Settings {
	return pictures.Settings{
		Device: value(paramCameraDevice).Str(), URL: value(paramCameraInfoURL).Str(), Name: value(paramCameraName).Str(),
		Encoding: camera.Encoding(value(paramCameraEncoding).Str()),
		Pipeline: camera.Settings{
			Width: int(value(paramCameraWidth).Integer()), Height: int(value(paramCameraHeight).Integer()),
			FrameRate: value(paramCameraRate).Double(), Quality: int(value(paramCameraQuality).Integer()),
			Encoder: camera.EncoderChoice(value(paramCameraEncoder).Str()),
		},
	}
}

// watchPictures lets the camera refuse values that it can't have; cancel ends it.
func (d *Driver) watchPictures() (cancel func()) {
	p := d.node.Parameters()
	return p.OnSet(func(changes []ros2.Parameter) error {
		if d.pictures == nil {
			return nil
		}
		var err error
		s := readPictures(func(name string) ros2.ParameterValue {
			for _, c := range changes {
				if c.Name == name {
					return c.Value
				}
			}
			v, gerr := p.Get(name)
			if gerr != nil {
				err = gerr
			}
			return v
		})
		if err != nil || s.Pipeline == d.settings.Load().pictures.Pipeline {
			return err
		}
		return d.pictures.Check(context.Background(), s.Pipeline)
	})
}

// checkCameraName refuses a name that no calibration can have.
func checkCameraName(value string) error {
	if err := caminfo.CheckName(value); err != nil {
		return fmt.Errorf("%w: parameter %q: %w", ErrParameter, paramCameraName, err)
	}
	return nil
}
