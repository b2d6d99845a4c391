// SPDX-License-Identifier: Apache-2.0

package sdf

import (
	"math"
	"strings"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
)

// kinds are the devices behind SDF's types of sensors. A lidar of one ray is an infrared sensor.
var kinds = map[string]description.DeviceKind{
	"ray": description.Lidar, "lidar": description.Lidar, "gpu_ray": description.Lidar, "gpu_lidar": description.Lidar,
	"camera": description.Camera, "wideanglecamera": description.Camera, "depth": description.Depth, "depth_camera": description.Depth,
	"rgbd_camera": description.Depth, "rgbd": description.Depth, "imu": description.IMU, "sonar": description.Sonar, "contact": description.Contact,
	"magnetometer": description.Compass, "gps": description.GPS, "navsat": description.GPS,
}

// customs are those behind the types of custom sensors.
var customs = map[string]description.DeviceKind{
	"infrared": description.Infrared, "light": description.Light, "ground": description.Ground, "led": description.LED, "battery": description.Battery,
	"gripper": description.Gripper,
}

// ReadSensor reads a sensor of a link. It reports false for one that has no meaning here, which is listed as ignored.
func ReadSensor(e *xmltree.Element, link string) (d description.Device, ok bool) {
	kind := e.Needed("type")
	if d.Kind, ok = kinds[kind]; !ok && kind == "custom" {
		custom, _ := e.Attribute("gz:type")
		if custom == "" {
			custom, _ = e.Attribute("ignition:type")
		}
		d.Kind, ok = customs[custom]
		kind += " " + custom
	}
	if !ok {
		e.Ignore("a sensor of type %q", kind)
		return d, false
	}
	d.Name, d.Link, d.Line = e.Needed("name"), link, e.Line
	d.Pose = readPose(e.Child("pose"))
	d.Rate, d.Unasked = e.ContentNumber("update_rate", 0), e.ContentTruth("always_on", false)
	d.Topic = e.Content("topic", "")
	e.Child("visualize").Know()
	switch d.Kind {
	case description.Lidar:
		readLidar(e, &d)
	case description.Camera, description.Depth:
		readCamera(e, &d)
	case description.Sonar:
		readSonar(e.Child("sonar"), &d)
	case description.Infrared, description.Light, description.Ground:
		readCustom(e, &d)
	case description.IMU:
		d.Axes = readInertial(e.Child("imu"))
	case description.Compass:
		d.Axes = someNoise(readAxes(e.Child("magnetometer")))
	case description.Battery:
		d.Energy = readEnergy(e)
	case description.Gripper:
		d.Joint = e.Content("joint", "")
		d.Range = &description.Range{Max: e.ContentNumber("reach", 0.01), Rays: 1}
	default: // no more is said of the others
	}
	return d, true
}

func readLidar(e *xmltree.Element, d *description.Device) {
	ray := e.Child("ray")
	if ray == nil {
		ray = e.Child("lidar")
	}
	d.Range = readRange(ray.Child("range"))
	d.Noise = readNoise(ray.Child("noise"))
	h := ray.Child("scan").Child("horizontal")
	d.Fan = &description.Fan{Samples: h.Count("samples", 640), MinAngle: h.ContentNumber("min_angle", 0), MaxAngle: h.ContentNumber("max_angle", 0)}
	h.Child("resolution").Know()
	if d.Fan.Samples == 1 {
		d.Kind, d.Fan = description.Infrared, nil
	}
}

// readRange reads how far a sensor measures; without it, that is SDF's default.
func readRange(e *xmltree.Element) *description.Range {
	r := &description.Range{Min: e.ContentNumber("min", 0), Max: e.ContentNumber("max", math.MaxFloat64), Rays: 1}
	r.Resolution = e.ContentNumber("resolution", 0)
	return r
}

func readNoise(e *xmltree.Element) description.Noise {
	kind := e.Content("type", "")
	if old, ok := e.Attribute("type"); ok {
		kind = old
	}
	if e != nil && kind != "" && kind != "none" && !strings.HasPrefix(kind, "gaussian") {
		e.Failf("noise of type %q; gaussian and none are known", kind)
	}
	n := description.Noise{
		Mean: e.ContentNumber("mean", 0), Deviation: e.ContentNumber("stddev", 0), Relative: e.ContentNumber("relative", 0),
		BiasMean: e.ContentNumber("bias_mean", 0), BiasDeviation: e.ContentNumber("bias_stddev", 0),
		Step: e.ContentNumber("precision", 0), Least: e.ContentNumber("min", 0), Most: e.ContentNumber("max", 0),
	}
	if kind == "none" {
		return description.Noise{}
	}
	return n
}

func readCamera(e *xmltree.Element, d *description.Device) {
	c := e.Child("camera")
	image, clip := c.Child("image"), c.Child("clip")
	d.Image = &description.Image{
		FieldOfView: c.ContentNumber("horizontal_fov", 1.047), Width: image.Count("width", 320), Height: image.Count("height", 240),
		Format: image.Content("format", "R8G8B8"), Near: clip.ContentNumber("near", 0.1), Far: clip.ContentNumber("far", 100),
	}
	d.Noise = readNoise(c.Child("noise"))
	if d.Kind == description.Depth {
		d.Range = &description.Range{Min: d.Image.Near, Max: d.Image.Far, Rays: 1}
	}
}

func readSonar(e *xmltree.Element, d *description.Device) {
	d.Range = &description.Range{Min: e.ContentNumber("min", 0), Max: e.ContentNumber("max", 1), Rays: 1}
	// SDF gives the radius of the cone's far end.
	d.Range.Aperture = 2 * math.Atan2(e.ContentNumber("radius", 0.5), d.Range.Max)
}

func readCustom(e *xmltree.Element, d *description.Device) {
	if r := e.Child("range"); r != nil {
		d.Range = readRange(r)
		d.Range.Aperture, d.Range.Rays = e.ContentNumber("aperture", 0), e.Count("rays", 1)
	}
	d.Noise = readNoise(e.Child("noise"))
	d.Table, d.Saturation = readTable(e.Child("table")), readTable(e.Child("saturation"))
}

// readTable reads rows of quantity, value and noise.
func readTable(e *xmltree.Element) (table description.Table) {
	if e == nil {
		return nil
	}
	v, ok := e.Numbers("the table", e.Text, 3*max(1, len(strings.Fields(e.Text))/3))
	for i := 0; ok && i < len(v); i += 3 {
		table = append(table, description.Row{Quantity: v[i], Value: v[i+1], Noise: v[i+2]})
	}
	return table
}

// readInertial reads the noise of accelerometer and gyroscope, as of SDF 1.5 by axes, before that for all axes.
func readInertial(e *xmltree.Element) []description.Noise {
	if old := e.Child("noise"); old != nil {
		kind := old.Content("type", "")
		accel, rate := readNoise(old.Child("accel")), readNoise(old.Child("rate"))
		if kind == "none" {
			accel, rate = description.Noise{}, description.Noise{}
		}
		return someNoise([]description.Noise{accel, accel, accel, rate, rate, rate})
	}
	return someNoise(append(readAxes(e.Child("linear_acceleration")), readAxes(e.Child("angular_velocity"))...))
}

// readAxes reads the noise of three axes.
func readAxes(e *xmltree.Element) (axes []description.Noise) {
	for _, name := range [...]string{"x", "y", "z"} {
		axes = append(axes, readNoise(e.Child(name).Child("noise")))
	}
	return axes
}

// someNoise returns nil for axes that have none.
func someNoise(axes []description.Noise) []description.Noise {
	for _, n := range axes {
		if n != (description.Noise{}) {
			return axes
		}
	}
	return nil
}
