// SPDX-License-Identifier: Apache-2.0

package proto

import (
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// deviceKind is what a node does, empty for one that is no device.
func deviceKind(node string) description.DeviceKind {
	switch node {
	case "DistanceSensor":
		return description.Infrared
	case "LightSensor":
		return description.Light
	case "LED":
		return description.LED
	case "Camera":
		return description.Camera
	case "Lidar":
		return description.Lidar
	case "RangeFinder":
		return description.Depth
	case "GPS":
		return description.GPS
	case "Compass":
		return description.Compass
	case "Accelerometer":
		return description.Accelerometer
	case "Gyro":
		return description.Gyro
	case "InertialUnit":
		return description.Orientation
	case "TouchSensor":
		return description.Contact
	case "Emitter":
		return description.Emitter
	case "Receiver":
		return description.Receiver
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
func (b *builder) addDevice(d description.Device, link int) {
	if len(b.robot.Devices) == description.MaxParts {
		b.bound(d.Line, "more than %d devices", description.MaxParts)
		return
	}
	d.Link = b.robot.Links[link].Name
	b.robot.Devices = append(b.robot.Devices, d)
}

// device reads a device whose frame is at a place.
func (b *builder) device(n *node, at place) {
	d := description.Device{
		Kind: deviceKind(n.kind), Name: b.text(n, "name", defaultName(n.kind)), Pose: at.pose, Line: n.line,
		Resolution: b.resolution(n),
	}
	switch d.Kind {
	case description.Infrared:
		b.distance(n, &d)
	case description.Light:
		d.Table = b.table(n, description.Table{{}, {Quantity: 1, Value: 1000}})
	case description.LED:
		b.lamp(n, &d)
	case description.Camera:
		d.Image = b.image(n)
		d.Image.Near, d.Image.Far = b.number(n, "near", .01), b.number(n, "far", 0)
		d.Noise.Deviation = b.deviation(n, "noise", 1)
	case description.Depth:
		d.Image, d.Range = b.image(n), b.span(n)
		d.Image.Near, d.Image.Far = d.Range.Min, d.Range.Max
		d.Noise.Deviation = b.deviation(n, "noise", d.Range.Max)
	case description.Lidar:
		b.lidar(n, &d, at)
	case description.GPS:
		d.Subtype = b.text(n, "type", "satellite")
		d.Noise.Deviation = b.deviation(n, "accuracy", 1)
	case description.Compass, description.Accelerometer, description.Gyro:
		d.Table = b.table(n, nil)
	case description.Orientation:
		d.Noise.Deviation = b.deviation(n, "noise", 1)
	case description.Contact:
		if d.Subtype = b.text(n, "type", "bumper"); d.Subtype != "bumper" {
			d.Table = b.table(n, description.Table{{}, {Quantity: 5000, Value: 50000}})
		}
	case description.Emitter, description.Receiver:
		b.radio(n, &d)
	}
	b.addDevice(d, at.link)
}
