// SPDX-License-Identifier: Apache-2.0

package webots_test

import "github.com/epuck-ros2/epuck-driver/cosim/webots/wire"

// readDevice reads what a device is.
func (p *peer) readDevice(r *reader, kind wire.Kind) {
	p.t.Helper()
	table := func() { r.floats(3 * int(r.int32())) }
	switch kind {
	case wire.Motor, wire.LinearMotor:
		r.int32()
		r.floats(11)
		r.int32()
	case wire.PositionSensor:
		r.int32()
	case wire.DistanceSensor:
		r.int32()
		r.floats(3)
		table()
	case wire.LightSensor, wire.Accelerometer, wire.Gyro, wire.Compass:
		table()
	case wire.InertialUnit:
		r.float()
		if axes := r.string(); axes != "ENU" {
			p.t.Errorf("axes %q", axes)
		}
	case wire.GPS:
		r.int32()
	case wire.TouchSensor:
		r.int32()
		table()
	case wire.Lidar:
		r.next(8)
		r.floats(2)
		r.byte()
		r.float()
		r.uint16()
		r.floats(5)
	case wire.Camera:
		r.next(8)
		r.floats(2)
		r.byte()
		r.floats(2)
		r.next(2)
		r.floats(5)
	case wire.Receiver:
		r.next(12)
	case wire.Emitter:
		r.next(8)
		r.floats(3)
		r.int32()
	case wire.Speaker:
	default:
		p.t.Fatalf("a device of kind %d is configured", kind)
	}
}
