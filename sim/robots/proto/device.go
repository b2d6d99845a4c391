// SPDX-License-Identifier: Apache-2.0

package proto

import (
	"github.com/epuck-ros2/epuck-driver/sim/robots"
)

// deviceKind is what a node does, empty for one that is no device.
func deviceKind(node string) robots.DeviceKind {
	switch node {
	case "DistanceSensor":
		return robots.Infrared
	case "LightSensor":
		return robots.Light
	case "LED":
		return robots.LED
	case "Camera":
		return robots.Camera
	case "Lidar":
		return robots.Lidar
	case "RangeFinder":
		return robots.Depth
	case "GPS":
		return robots.GPS
	case "Compass":
		return robots.Compass
	case "Accelerometer":
		return robots.Accelerometer
	case "Gyro":
		return robots.Gyro
	case "InertialUnit":
		return robots.Orientation
	case "TouchSensor":
		return robots.Contact
	case "Emitter":
		return robots.Emitter
	case "Receiver":
		return robots.Receiver
	default:
		return ""
	}
}

// defaultName is what a node is called that has no name.
func defaultName(node string) string {
	switch node {
	case "DistanceSensor":
		return "distance sensor"
	case "LightSensor":
		return "light sensor"
	case "RangeFinder":
		return "range-finder"
	case "InertialUnit":
		return "inertial unit"
	case "TouchSensor":
		return "touch sensor"
	case "RotationalMotor":
		return "rotational motor"
	case "LinearMotor":
		return "linear motor"
	case "PositionSensor":
		return "position sensor"
	case "LED", "Camera", "Lidar", "GPS", "Compass", "Accelerometer", "Gyro", "Emitter", "Receiver", "Robot":
		return lower(node)
	default:
		return "solid"
	}
}

// lower is a name in small letters.
func lower(name string) string {
	out := []byte(name)
	for i, c := range out {
		if c >= 'A' && c <= 'Z' {
			out[i] = c + 'a' - 'A'
		}
	}
	return string(out)
}

// addDevice adds a device to a link.
func (b *builder) addDevice(d robots.Device, link int) {
	if len(b.robot.Devices) == robots.MaxParts {
		b.bound(d.Line, "more than %d devices", robots.MaxParts)
		return
	}
	d.Link = b.robot.Links[link].Name
	b.robot.Devices = append(b.robot.Devices, d)
}

// device reads a device whose frame is at a place.
func (b *builder) device(n *node, at place) {
	d := robots.Device{
		Kind: deviceKind(n.kind), Name: b.text(n, "name", defaultName(n.kind)), Pose: at.pose, Line: n.line,
		Resolution: b.resolution(n),
	}
	switch d.Kind {
	case robots.Infrared:
		b.distance(n, &d)
	case robots.Light:
		d.Table = b.table(n, robots.Table{{}, {Quantity: 1, Value: 1000}})
	case robots.LED:
		b.lamp(n, &d)
	case robots.Camera:
		d.Image = b.image(n)
		d.Image.Near, d.Image.Far = b.number(n, "near", .01), b.number(n, "far", 0)
		d.Noise.Deviation = b.deviation(n, "noise", 1)
	case robots.Depth:
		d.Image, d.Range = b.image(n), b.span(n)
		d.Image.Near, d.Image.Far = d.Range.Min, d.Range.Max
		d.Noise.Deviation = b.deviation(n, "noise", d.Range.Max)
	case robots.Lidar:
		b.lidar(n, &d, at)
	case robots.GPS:
		d.Subtype = b.text(n, "type", "satellite")
		d.Noise.Deviation = b.deviation(n, "accuracy", 1)
	case robots.Compass, robots.Accelerometer, robots.Gyro:
		d.Table = b.table(n, nil)
	case robots.Orientation:
		d.Noise.Deviation = b.deviation(n, "noise", 1)
	case robots.Contact:
		if d.Subtype = b.text(n, "type", "bumper"); d.Subtype != "bumper" {
			d.Table = b.table(n, robots.Table{{}, {Quantity: 5000, Value: 50000}})
		}
	case robots.Emitter, robots.Receiver:
		b.radio(n, &d)
	}
	b.addDevice(d, at.link)
}
