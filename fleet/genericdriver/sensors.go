// SPDX-License-Identifier: Apache-2.0

package genericdriver

import (
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/odometry"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// makers returns the makers of components by kind of device.
func makers() map[description.DeviceKind]Maker {
	return map[description.DeviceKind]Maker{
		description.Infrared: makeRange, description.Sonar: makeRange, description.Ground: makeRange,
		description.Light: makeLight, description.Lidar: makeLidar, description.Camera: makeCamera,
		description.IMU: makeIMU, description.Accelerometer: makeIMU, description.Gyro: makeIMU, description.Orientation: makeIMU,
		description.Compass: makeCompass, description.GPS: makeGPS, description.Contact: makeContact, description.Gripper: makeContact, description.Battery: makeBattery,
		description.LED: makeLED, description.Emitter: makeEmitter, description.Receiver: makeReceiver,
	}
}

// span returns the measuring range of a distance sensor, m, of its description or else of its table.
func span(d *description.Device) (low, high float64) {
	if d.Range != nil {
		return d.Range.Min, d.Range.Max
	}
	if n := len(d.Table); n > 0 {
		return d.Table[0].Quantity, d.Table[n-1].Quantity
	}
	return 0, math.Inf(1)
}

// certain is the number of standard deviations of the noise by which a value must differ from that of no object.
const certain = 3.0

// metres returns the distance for a sensor's value, m, by REP 117: −Inf is too near; +Inf is too far, no object, or a
// value that is not significantly different from that of no object.
func metres(d *description.Device, value float64) float64 {
	low, high := span(d)
	if !math.IsInf(high, 1) {
		nothing, deviation := d.Table.Answer(high)
		deviation += d.Noise.Deviation + math.Abs(d.Noise.Relative*nothing)
		if math.Abs(value-nothing-d.Noise.Mean) <= certain*deviation {
			return math.Inf(1)
		}
	}
	r := d.Table.Quantity(value)
	switch {
	case r < low:
		return math.Inf(-1)
	case r >= high*(1-1e-9):
		return math.Inf(1)
	}
	return r
}

// makeRange creates the component of a distance sensor.
func makeRange(c *Context) (Component, error) {
	var values []float64
	return Offer(c, c.Settings.Topic, func(m *jazzy.Range, d machine.Devices, now time.Time) bool {
		values = d.Measure(c.Index, values[:0])
		low, high := span(c.Device)
		m.Header.Stamp, m.Header.FrameID = stamp(now), c.Settings.Frame
		m.MinRange, m.MaxRange, m.Range = float32(low), float32(high), float32(metres(c.Device, values[0]))
		if m.RadiationType = jazzy.RangeInfrared; c.Device.Kind == description.Sonar {
			m.RadiationType = jazzy.RangeUltrasound
		}
		if g := c.Device.Range; g != nil {
			m.FieldOfView = float32(g.Aperture)
		}
		return true
	})
}

// lux is the illuminance of sunlight of 1 W/m², as in Webots' driver for ROS 2.
const lux = 120.0

// makeLight creates the component of a light sensor; the variance is that of the table's noise.
func makeLight(c *Context) (Component, error) {
	var values []float64
	return Offer(c, c.Settings.Topic, func(m *sensor_msgs.Illuminance, d machine.Devices, now time.Time) bool {
		values = d.Measure(c.Index, values[:0])
		quantity := c.Device.Table.Quantity(values[0])
		m.Header.Stamp, m.Header.FrameID = stamp(now), c.Settings.Frame
		m.Illuminance, m.Variance = quantity*lux, 0
		if n := len(c.Device.Table); n > 1 {
			first, last := c.Device.Table[0], c.Device.Table[n-1]
			_, deviation := c.Device.Table.Answer(quantity)
			slope := (last.Value - first.Value) / (last.Quantity - first.Quantity)
			if deviation *= lux / slope; slope != 0 {
				m.Variance = deviation * deviation
			}
		}
		return true
	})
}

// makeIMU creates the component of an inertial sensor: quantities that it does not measure have −1 in their
// covariance, the variances of the others are those of the described noise, 0 without one.
func makeIMU(c *Context) (Component, error) {
	var v []float64
	kind := c.Device.Kind
	return Offer(c, c.Settings.Topic, func(m *sensor_msgs.Imu, d machine.Devices, now time.Time) bool {
		v = d.Measure(c.Index, v[:0])
		m.Header.Stamp, m.Header.FrameID = stamp(now), c.Settings.Frame
		m.Orientation.W = 1
		m.OrientationCovariance[0], m.AngularVelocityCovariance[0], m.LinearAccelerationCovariance[0] = -1, -1, -1
		next := func() (x geometry_msgs.Vector3) {
			x = geometry_msgs.Vector3{X: v[0], Y: v[1], Z: v[2]}
			v = v[3:]
			return x
		}
		if kind == description.IMU || kind == description.Accelerometer {
			m.LinearAcceleration, m.LinearAccelerationCovariance = next(), variances(c.Device, 0)
		}
		if kind == description.IMU || kind == description.Gyro {
			m.AngularVelocity, m.AngularVelocityCovariance = next(), variances(c.Device, 3)
		}
		if kind == description.IMU || kind == description.Orientation {
			m.Orientation, m.OrientationCovariance[0] = turned(v[0], v[1], v[2]), 0
		}
		return true
	})
}

// variances returns the covariance of three successive values of an IMU, from index first.
func variances(d *description.Device, first int) (all [9]float64) {
	for i := range 3 {
		if k := first + i; k < len(d.Axes) {
			all[4*i] = float64(d.Axes[k].Deviation * d.Axes[k].Deviation)
		}
	}
	return all
}

// turned returns the rotation about the fixed axes x, y and z, rad.
func turned(roll, pitch, yaw float64) geometry_msgs.Quaternion {
	sr, cr := odometry.Sincos(roll / 2)
	sp, cp := odometry.Sincos(pitch / 2)
	sy, cy := odometry.Sincos(yaw / 2)
	p := func(a, b, c float64) float64 { return float64(float64(a*b) * c) }
	return geometry_msgs.Quaternion{
		X: p(sr, cp, cy) - p(cr, sp, sy), Y: p(cr, sp, cy) + p(sr, cp, sy),
		Z: p(cr, cp, sy) - p(sr, sp, cy), W: p(cr, cp, cy) + p(sr, sp, sy),
	}
}

// makeCompass creates the component of a magnetometer, with covariances as in makeIMU.
func makeCompass(c *Context) (Component, error) {
	var v []float64
	return Offer(c, c.Settings.Topic, func(m *sensor_msgs.MagneticField, d machine.Devices, now time.Time) bool {
		v = d.Measure(c.Index, v[:0])
		m.Header.Stamp, m.Header.FrameID = stamp(now), c.Settings.Frame
		m.MagneticField = geometry_msgs.Vector3{X: v[0], Y: v[1], Z: v[2]}
		m.MagneticFieldCovariance = variances(c.Device, 0)
		return true
	})
}

// makeGPS creates the component of a position sensor: a point in the world, and a speed.
func makeGPS(c *Context) (Component, error) {
	var v []float64
	point, errPoint := Offer(c, c.Settings.Topic, func(m *geometry_msgs.PointStamped, d machine.Devices, now time.Time) bool {
		v = d.Measure(c.Index, v[:0])
		m.Header.Stamp, m.Header.FrameID = stamp(now), c.Settings.Frame
		m.Point = geometry_msgs.Point{X: v[0], Y: v[1], Z: v[2]}
		return true
	})
	speed, errSpeed := Offer(c, c.Settings.Topic+"/speed", func(m *std_msgs.Float32, d machine.Devices, _ time.Time) bool {
		v = d.Measure(c.Index, v[:0])
		m.Data = float32(v[3])
		return true
	})
	return both(point, errPoint, speed, errSpeed)
}

// makeContact creates the component of a bumper.
func makeContact(c *Context) (Component, error) {
	var v []float64
	return Offer(c, c.Settings.Topic, func(m *std_msgs.Bool, d machine.Devices, _ time.Time) bool {
		v = d.Measure(c.Index, v[:0])
		m.Data = v[0] != 0
		return true
	})
}

// makeBattery creates the component of a battery: unknown values are NaN. The current is negative while it
// discharges.
func makeBattery(c *Context) (Component, error) {
	return Offer(c, c.Settings.Topic, func(m *sensor_msgs.BatteryState, d machine.Devices, now time.Time) bool {
		nan := float32(math.NaN())
		m.Header.Stamp, m.Header.FrameID = stamp(now), c.Settings.Frame
		m.Voltage, m.Temperature, m.Current, m.Charge, m.Capacity, m.DesignCapacity, m.Percentage = nan, nan, nan, nan, nan, nan, nan
		m.PowerSupplyStatus = sensor_msgs.BatteryStatePowerSupplyStatusUnknown
		if p, ok := d.Power(); ok {
			m.Percentage, m.Voltage, m.Current = float32(p.Charge), float32(p.Voltage), -float32(p.Current)
			switch {
			case p.Charging && p.Full:
				m.PowerSupplyStatus = sensor_msgs.BatteryStatePowerSupplyStatusFull
			case p.Charging:
				m.PowerSupplyStatus = sensor_msgs.BatteryStatePowerSupplyStatusCharging
			default:
				m.PowerSupplyStatus = sensor_msgs.BatteryStatePowerSupplyStatusDischarging
			}
		}
		m.Present = true
		return true
	})
}

// makeLED creates the component of an LED: an Int32, 0xRRGGBB if its colour can be set freely, else the index of one
// of its colours from 1; 0 is off.
func makeLED(c *Context) (Component, error) {
	colors, gradual := c.Device.Colors, c.Device.Gradual
	return listen(c, c.Settings.Topic, func(d machine.Devices, m *std_msgs.Int32) {
		var color [3]float64
		switch n := int(m.Data); {
		case gradual || len(colors) == 0:
			for i, shift := range [3]int{16, 8, 0} {
				color[i] = float64(n>>shift&255) / 255
			}
		case n > 0:
			color = colors[min(n, len(colors))-1]
		}
		d.SetLED(c.Index, color)
	})
}

// makeEmitter creates the component of a radio emitter: it sends the texts on TOPIC/send as packets.
func makeEmitter(c *Context) (Component, error) {
	return listen(c, c.Settings.Topic+"/send", func(d machine.Devices, m *std_msgs.String) {
		if err := d.Send(c.Index, []byte(m.Data)); err != nil {
			c.Node.Logger().Warn("a packet was not sent", "device", c.Device.Name, "error", err)
		}
	})
}

// makeReceiver creates the component of a radio receiver: each message has the oldest packet, so its rate should be
// that of the packets.
func makeReceiver(c *Context) (Component, error) {
	return Offer(c, c.Settings.Topic+"/received", func(m *std_msgs.String, d machine.Devices, _ time.Time) bool {
		p, ok := d.Receive(c.Index)
		m.Data = string(p.Data)
		return ok
	})
}
