// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/epuck-ros2/epuck-driver/calibration"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
)

// Known is the state of the calibration of one part of a robot.
type Known struct {
	What string // the part: wheels, infrared, imu or camera
	How  string // the command that calibrates it
	// Note is nil if the part is not calibrated.
	Note *calibration.Note
}

// matchesLens reports whether a note describes the calibration that the driver publishes: the focal lengths agree to
// 10⁻⁴, scaled to the published width.
func matchesLens(n *calibration.Note, m *sensor_msgs.CameraInfo) bool {
	value := func(name string) float64 {
		i := slices.IndexFunc(n.Values, func(k calibration.Value) bool { return k.Name == name })
		return n.Values[max(i, 0)].Value
	}
	if len(n.Values) == 0 {
		return false
	}
	return math.Abs(value("fx")*float64(m.Width)/value("width")-m.K[0]) <= 1e-4*m.K[0]
}

// kinds are the parts that can be calibrated, whose notes are parameters, and the commands that calibrate them.
var kinds = [...][2]string{
	{"wheels", "epuck-driver calibrate wheels"}, {"infrared", "epuck-driver calibrate ir"}, {"imu", "epuck-driver calibrate imu"},
	{"camera", "epuck-driver calibrate camera"},
}

// notes parses the notes among parameters.
func notes(values map[string]any) []Known {
	var out []Known
	for _, k := range kinds {
		one := Known{What: k[0], How: k[1]}
		if text, ok := values["calibration."+k[0]].(string); ok && text != "" {
			if n, err := calibration.ParseNote(text); err == nil {
				one.Note = &n
			}
		}
		out = append(out, one)
	}
	return out
}

// KnownFrom reads the state of the calibrations from the parameter file of the node called driver.
func KnownFrom(path, driver string) ([]Known, error) {
	values, err := Stored(path, driver)
	if err != nil {
		return nil, err
	}
	return notes(values), nil
}

// Known reads the state of the calibrations from the running driver. A camera calibration from another program
// (set_camera_info, a file) has a note without time and uncertainty.
func (r *Robot) Known(ctx context.Context) ([]Known, error) {
	var names []string
	for _, k := range kinds {
		names = append(names, "calibration."+k[0])
	}
	values, err := r.get(ctx, names...)
	if err != nil {
		return nil, err
	}
	out := notes(values)
	camera := &out[len(out)-1]
	m, err := r.CameraInfo(ctx)
	switch {
	case errors.Is(err, ErrSilent): // a robot without a camera, or one that is off
		return out, nil
	case err != nil:
		return nil, err
	case m.K[0] == 0:
		camera.Note = nil // the driver has no calibration, despite the note
	case camera.Note == nil || !matchesLens(camera.Note, m):
		camera.Note = &calibration.Note{Robot: m.Header.FrameID, Values: []calibration.Value{
			{Name: "fx", Value: m.K[0], Unit: "px"}, {Name: "fy", Value: m.K[4], Unit: "px"},
			{Name: "cx", Value: m.K[2], Unit: "px"}, {Name: "cy", Value: m.K[5], Unit: "px"},
		}}
	}
	return out, nil
}

// CameraInfo returns the driver's camera_info; K is zero if the camera is not calibrated.
func (r *Robot) CameraInfo(ctx context.Context) (*sensor_msgs.CameraInfo, error) {
	info, err := listen[sensor_msgs.CameraInfo](r.node, "camera_info")
	if err != nil {
		return nil, err
	}
	defer func() { _ = info.Close() }()
	m, _, err := info.within(ctx, 0, 2*serviceTimeout) // the camera starts at the first subscription
	if err != nil {
		return nil, err
	}
	return &m, nil
}
