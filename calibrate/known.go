// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"context"

	"github.com/epuck-ros2/epuck-driver/calibration"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
)

// Known is what is known of one part of a robot.
type Known struct {
	What string // wheels, infrared, imu or camera
	How  string // the command that calibrates it
	Note *calibration.Note
}

// kinds are what can be calibrated and noted in a parameter.
var kinds = [...][2]string{
	{"wheels", "epuck-driver calibrate wheels"}, {"infrared", "epuck-driver calibrate ir"}, {"imu", "epuck-driver calibrate imu"},
}

// known reads the notes among parameters.
func known(values map[string]any) []Known {
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

// KnownFrom reads what a parameter file says of the node called driver.
func KnownFrom(path, driver string) ([]Known, error) {
	values, err := Stored(path, driver)
	if err != nil {
		return nil, err
	}
	return known(values), nil
}

// Known asks the running driver, also for its camera if that is on.
func (r *Robot) Known(ctx context.Context) ([]Known, error) {
	var names []string
	for _, k := range kinds {
		names = append(names, "calibration."+k[0])
	}
	values, err := r.Get(ctx, names...)
	if err != nil {
		return nil, err
	}
	out := known(values)
	info, err := Listen[sensor_msgs.CameraInfo](r.node, "camera_info")
	if err != nil {
		return nil, err
	}
	defer func() { _ = info.Close() }()
	camera := Known{What: "camera", How: "epuck-driver calibrate camera"}
	m, _, err := info.Next(ctx, 0)
	if err != nil {
		return out, nil // a robot without a camera
	}
	if m.K[0] != 0 {
		camera.Note = &calibration.Note{Robot: m.Header.FrameID, Values: []calibration.Value{
			{Name: "fx", Value: m.K[0], Unit: "px"}, {Name: "fy", Value: m.K[4], Unit: "px"},
			{Name: "cx", Value: m.K[2], Unit: "px"}, {Name: "cy", Value: m.K[5], Unit: "px"},
		}}
	}
	return append(out, camera), nil
}
