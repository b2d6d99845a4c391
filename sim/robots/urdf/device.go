// SPDX-License-Identifier: Apache-2.0

package urdf

import (
	"math"
	"strconv"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// types are SDF's words for the kinds of devices; the others are custom sensors.
var types = map[description.DeviceKind]string{
	description.Lidar: "ray", description.Camera: "camera", description.Depth: "depth_camera", description.IMU: "imu", description.Sonar: "sonar",
	description.Contact: "contact", description.Compass: "magnetometer", description.GPS: "navsat",
}

// device writes one as a sensor of SDF, as package sdf reads it.
func (w *printer) device(d *description.Device) {
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
	case description.Lidar:
		w.fan(d)
	case description.Camera, description.Depth:
		w.image(d)
	case description.Sonar:
		w.open("sonar")
		w.content("min", number(d.Range.Min))
		w.content("max", number(d.Range.Max))
		w.content("radius", number(d.Range.Max*math.Tan(d.Range.Aperture/2)))
		w.end("sonar")
	case description.Infrared, description.Light, description.Ground:
		w.custom(d)
	case description.IMU:
		if len(d.Axes) == 6 {
			w.open("imu")
			w.axes("linear_acceleration", d.Axes[:3])
			w.axes("angular_velocity", d.Axes[3:])
			w.end("imu")
		}
	case description.Compass:
		if len(d.Axes) == 3 {
			w.axes("magnetometer", d.Axes)
		}
	case description.Gripper:
		w.content("joint", d.Joint)
		w.content("reach", number(d.Range.Max))
	case description.Battery:
		if e := d.Energy; e != nil {
			w.energy(e)
		}
	default: // no more is said of the others
	}
	w.end("sensor")
}

func (w *printer) energy(e *description.Energy) {
	w.content("energy", numbers(e.Now, e.Most))
	w.some("load", e.Load)
	w.some("charging", e.Charging)
	w.some("voltage", e.Voltage)
	w.some("voltage_rise", e.Rise)
	w.some("resistance", e.Resistance)
}

func (w *printer) fan(d *description.Device) {
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

func (w *printer) reach(r *description.Range) {
	w.open("range")
	w.content("min", number(r.Min))
	w.content("max", number(r.Max))
	if r.Resolution != 0 {
		w.content("resolution", number(r.Resolution))
	}
	w.end("range")
}

func (w *printer) noise(n description.Noise) {
	if n == (description.Noise{}) {
		return
	}
	w.open("noise")
	w.content("type", noiseType(n))
	w.deviations(n)
	w.end("noise")
}

// axes writes the noise of three axes; SDF has its type in an attribute there.
func (w *printer) axes(element string, axes []description.Noise) {
	w.open(element)
	for i, n := range axes {
		if n == (description.Noise{}) {
			continue
		}
		name := [...]string{"x", "y", "z"}[i]
		w.open(name)
		w.open("noise", "type", noiseType(n))
		w.deviations(n)
		w.end("noise")
		w.end(name)
	}
	w.end(element)
}

// noiseType is what SDF names a noise with or without the steps of a converter.
func noiseType(n description.Noise) string {
	if n.Step != 0 {
		return "gaussian_quantized"
	}
	return "gaussian"
}

// deviations writes the numbers of a noise; relative, min and max are of this project.
func (w *printer) deviations(n description.Noise) {
	w.content("mean", number(n.Mean))
	w.content("stddev", number(n.Deviation))
	w.some("relative", n.Relative)
	w.some("bias_mean", n.BiasMean)
	w.some("bias_stddev", n.BiasDeviation)
	w.some("precision", n.Step)
	if n.Least != n.Most {
		w.content("min", number(n.Least))
		w.content("max", number(n.Most))
	}
}

// some writes an element with a number, none for 0.
func (w *printer) some(element string, v float64) {
	if v != 0 {
		w.content(element, number(v))
	}
}

func (w *printer) image(d *description.Device) {
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

func (w *printer) custom(d *description.Device) {
	if d.Range != nil {
		w.reach(d.Range)
		w.content("aperture", number(d.Range.Aperture))
		w.content("rays", strconv.Itoa(d.Range.Rays))
	}
	w.noise(d.Noise)
	w.content("table", rows(d.Table))
	w.content("saturation", rows(d.Saturation))
}

func rows(table description.Table) string {
	var v []float64
	for _, r := range table {
		v = append(v, r.Quantity, r.Value, r.Noise)
	}
	return numbers(v...)
}

func (w *printer) drive(d *description.Drive) {
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
	if d.StepsPerTurn != 0 {
		w.content("steps_per_turn", number(d.StepsPerTurn))
	}
	if d.StepTimer != 0 {
		w.content("step_timer", number(d.StepTimer))
	}
	w.content("topic", d.CommandTopic)
	w.content("odom_topic", d.OdometryTopic)
	w.end("plugin")
}
