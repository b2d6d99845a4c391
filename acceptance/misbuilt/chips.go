// SPDX-License-Identifier: Apache-2.0

package misbuilt

import (
	"encoding/binary"
	"math"
)

// chipFaults returns the faults of the chips on the robot's bus.
func chipFaults() []Fault {
	return []Fault{
		silent("imu-missing", "the inertial sensor does not answer", addrIMU, addrIMU+1),
		silent("tof-missing", "the time-of-flight sensor does not answer", addrToF),
		silent("camera-missing", "the camera's sensor does not answer", addrCamera),
		inertialFault("imu-turned", "the inertial sensor is turned by 180° about the vertical axis", func(t *transfer) { negate(t, 0, 1, 4, 5) }),
		inertialFault("imu-upside-down", "the inertial sensor is mounted upside down", func(t *transfer) { negate(t, 1, 2, 5, 6) }),
		// x of the robot is −y of the chip
		inertialFault("imu-x-mirrored", "the acceleration ahead has the wrong sign", func(t *transfer) { negate(t, 1) }),
		inertialFault("imu-y-mirrored", "the acceleration to the left has the wrong sign", func(t *transfer) { negate(t, 0) }),
		inertialFault("imu-scale-doubled", "the accelerometer's range is half as wide as set", func(t *transfer) { t.setAxis(2, 2*int(t.axis(2))) }),
		inertialFault("accelerometer-dead", "the accelerometer measures zero", func(t *transfer) { clear(t.r[:6]) }),
		inertialFault("gyroscope-dead", "the gyroscope measures zero", func(t *transfer) { clear(t.r[8:14]) }),
		inertialFault("gyroscope-biased", "the gyroscope turns by 8 °/s at rest", func(t *transfer) { t.setAxis(6, int(t.axis(6))+8*32768/500) }),
		inertialFault("imu-noisy", "the accelerometer has fifty times its noise", func(t *transfer) {
			t.setAxis(2, int(t.axis(2))+int(3000*math.Sin(float64(t.count*t.count%1009))))
		}),
		tofFault("tof-offset", "the time-of-flight sensor measures 40 mm too much", func(mm uint16) uint16 { return mm + 40 }),
		tofFault("tof-short", "the time-of-flight sensor measures half the distance: wrong calibration", func(mm uint16) uint16 { return mm / 2 }),
	}
}

// silent returns a fault of chips that do not respond.
func silent(name, what string, addrs ...uint16) Fault {
	return Fault{Name: name, What: what, make: func() effect {
		return effect{before: func(t *transfer) error {
			for _, a := range addrs {
				if t.addr == a {
					return errNoAnswer
				}
			}
			return nil
		}}
	}}
}

// inertialFault returns a fault that changes the inertial sensor's measurements.
func inertialFault(name, what string, f func(*transfer)) Fault {
	return Fault{Name: name, What: what, make: func() effect {
		return effect{after: func(t *transfer) {
			if t.inertial() {
				f(t)
			}
		}}
	}}
}

func negate(t *transfer, axes ...int) {
	for _, i := range axes {
		t.setAxis(i, -int(t.axis(i)))
	}
}

// tofFault returns a fault of the distance in the result block of the VL53L0X (register 0x14; the distance in mm is
// at its end).
func tofFault(name, what string, f func(mm uint16) uint16) Fault {
	return Fault{Name: name, What: what, make: func() effect {
		return effect{after: func(t *transfer) {
			if t.addr == addrToF && len(t.w) == 1 && t.w[0] == 0x14 && len(t.r) == 12 {
				binary.BigEndian.PutUint16(t.r[10:], f(binary.BigEndian.Uint16(t.r[10:])))
			}
		}}
	}}
}

// busFaults returns the faults of firmware, bus and battery.
func busFaults() []Fault {
	return []Fault{
		silent("firmware-standard", "the main processor has its standard firmware, which does not answer on this bus", addrMCU),
		{Name: "bus-noisy", What: "three in a hundred replies have a wrong bit", make: func() effect {
			return effect{broken: func(t *transfer) {
				if t.sensors() && t.count%33 == 32 {
					t.r[t.count%46] ^= 4
				}
			}}
		}},
		{Name: "bus-missing-acknowledge", What: "five in a hundred transfers are not acknowledged", make: func() effect {
			return effect{before: func(t *transfer) error {
				if t.addr == addrMCU && t.count%20 == 19 {
					return errNoAnswer
				}
				return nil
			}}
		}},
		{Name: "battery-weak", What: "the battery is almost empty", robot: func(r Robot) error { return r.SetCharge(0.03) }},
		{Name: "ground-dead", What: "the ground sensors measure nothing", make: func() effect {
			return effect{after: func(t *transfer) {
				if t.addr == addrGround && len(t.w) == 1 && t.w[0] == 0 && len(t.r) >= 6 {
					clear(t.r[:6])
				}
			}}
		}},
	}
}
