// SPDX-License-Identifier: Apache-2.0

package urdf

import (
	"math"
	"strconv"

	"github.com/epuck-ros2/epuck-driver/sim/robots"
)

// types are SDF's words for the kinds of devices; the others are custom sensors.
var types = map[robots.DeviceKind]string{
	robots.Lidar: "ray", robots.Camera: "camera", robots.Depth: "depth_camera", robots.IMU: "imu", robots.Sonar: "sonar",
	robots.Contact: "contact", robots.Compass: "magnetometer", robots.GPS: "navsat",
}

// device writes one as a sensor of SDF, as package sdf reads it.
func (w *printer) device(d *robots.Device) {
	if t, ok := types[d.Kind]; ok {
		w.open("sensor", "name", d.Name, "type", t)
	} else {
		w.open("sensor", "name", d.Name, "type", "custom", "gz:type", string(d.Kind))
	}
	roll, pitch, yaw := d.Pose.RPY()
	w.content("pose", vector(d.Pose.Position)+" "+numbers(roll, pitch, yaw))
	if d.Rate != 0 {
		w.content("update_rate", number(d.Rate))
	}
	if d.Unasked {
		w.content("always_on", "true")
	}
	w.content("topic", d.Topic)
	switch d.Kind {
	case robots.Lidar:
		w.fan(d)
	case robots.Camera, robots.Depth:
		w.image(d)
	case robots.Sonar:
		w.open("sonar")
		w.content("min", number(d.Range.Min))
		w.content("max", number(d.Range.Max))
		w.content("radius", number(d.Range.Max*math.Tan(d.Range.Aperture/2)))
		w.end("sonar")
	case robots.Infrared, robots.Light, robots.Ground:
		w.custom(d)
	case robots.Gripper:
		w.content("joint", d.Joint)
		w.content("reach", number(d.Range.Max))
	case robots.Battery:
		if e := d.Energy; e != nil {
			w.energy(e)
		}
	default: // no more is said of the others
	}
	w.end("sensor")
}

func (w *printer) energy(e *robots.Energy) {
	w.content("energy", numbers(e.Now, e.Most))
	for _, v := range []struct {
		name  string
		value float64
	}{
		{"load", e.Load}, {"charging", e.Charging}, {"voltage", e.Voltage}, {"voltage_rise", e.Rise}, {"resistance", e.Resistance},
	} {
		if v.value != 0 {
			w.content(v.name, number(v.value))
		}
	}
}

func (w *printer) fan(d *robots.Device) {
	w.open("ray")
	w.open("scan")
	w.open("horizontal")
	w.content("samples", strconv.Itoa(d.Fan.Samples))
	w.content("min_angle", number(d.Fan.MinAngle))
	w.content("max_angle", number(d.Fan.MaxAngle))
	w.end("horizontal")
	w.end("scan")
	w.reach(d.Range)
	w.noise(d.Noise)
	w.end("ray")
}

func (w *printer) reach(r *robots.Range) {
	w.open("range")
	w.content("min", number(r.Min))
	w.content("max", number(r.Max))
	if r.Resolution != 0 {
		w.content("resolution", number(r.Resolution))
	}
	w.end("range")
}

func (w *printer) noise(n robots.Noise) {
	if n == (robots.Noise{}) {
		return
	}
	w.open("noise")
	w.content("type", "gaussian")
	w.content("mean", number(n.Mean))
	w.content("stddev", number(n.Deviation))
	if n.Relative != 0 {
		w.content("relative", number(n.Relative)) // of this project
	}
	w.end("noise")
}

func (w *printer) image(d *robots.Device) {
	w.open("camera")
	w.content("horizontal_fov", number(d.Image.FieldOfView))
	w.open("image")
	w.content("width", strconv.Itoa(d.Image.Width))
	w.content("height", strconv.Itoa(d.Image.Height))
	w.content("format", d.Image.Format)
	w.end("image")
	w.open("clip")
	w.content("near", number(d.Image.Near))
	w.content("far", number(d.Image.Far))
	w.end("clip")
	w.noise(d.Noise)
	w.end("camera")
}

func (w *printer) custom(d *robots.Device) {
	if d.Range != nil {
		w.reach(d.Range)
		w.content("aperture", number(d.Range.Aperture))
		w.content("rays", strconv.Itoa(d.Range.Rays))
	}
	w.noise(d.Noise)
	var rows []float64
	for _, r := range d.Table {
		rows = append(rows, r.Quantity, r.Value, r.Noise)
	}
	w.content("table", numbers(rows...))
}

func (w *printer) drive(d *robots.Drive) {
	w.open("plugin", "filename", "gz-sim-diff-drive-system", "name", "gz::sim::systems::DiffDrive")
	for _, name := range d.Left {
		w.content("left_joint", name)
	}
	for _, name := range d.Right {
		w.content("right_joint", name)
	}
	w.content("wheel_separation", number(d.Separation))
	w.content("wheel_radius", number(d.Radius))
	if d.Speed != 0 {
		w.content("max_linear_velocity", number(d.Speed))
	}
	if d.Acceleration != 0 {
		w.content("max_linear_acceleration", number(d.Acceleration))
	}
	w.content("topic", d.CommandTopic)
	w.content("odom_topic", d.OdometryTopic)
	w.end("plugin")
}
