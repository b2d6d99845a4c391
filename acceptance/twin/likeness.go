// SPDX-License-Identifier: Apache-2.0

package twin

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/acceptance/misbuilt"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

// parametric reports whether a fault is represented by the twin's parameters, not by its name.
func parametric(name string) bool {
	for _, prefix := range []string{"infrared-0", "infrared-1", "infrared-2", "infrared-3", "infrared-4", "infrared-5", "infrared-6",
		"infrared-7", "microphone-", "bus-", "tof-offset", "tof-short", "battery-", "ground-", "selector-wrong", "gyroscope-biased", "imu-noisy"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// likeness returns the changes that make a robot with the measurements own measure the report's values, without the
// named faults.
func (t *Twin) likeness(own *Twin) (*misbuilt.Likeness, error) {
	l := misbuilt.Unchanged(mcu.SelectorPi)
	if v, ok := t.value("idle", "selector"); ok {
		if v < 0 || v > 15 || v != math.Trunc(v) {
			return nil, fmt.Errorf("%w: idle: selector: %g is not an integer from 0 to 15", ErrReport, v)
		}
		l.Selector = uint8(v)
	}
	for name, share := range map[string]*float64{
		"share not acknowledged": &l.NotAcknowledged, "share timed out": &l.TimedOut, "share with a wrong checksum": &l.Wrong,
	} {
		if v, ok := t.value("packets", name); ok && !t.has("firmware-standard") {
			if v < 0 || v > 0.5 {
				return nil, fmt.Errorf("%w: packets: %s: %g is not within 0 to 0.5", ErrReport, name, v)
			}
			*share = v
		}
	}
	if d, ok := t.more(own, "wheels", "first step"); ok && d > 0 {
		l.StartDelay = time.Duration(min(d, 1) * float64(time.Second))
	}
	t.infrared(own, l)
	for i := range l.Microphones {
		name := fmt.Sprintf("microphone %d", i)
		l.Microphones[i].Gain = t.ratio(own, "idle", name)
	}
	for i, side := range []string{"left", "centre", "right"} {
		l.Ground[i].Gain = t.ratio(own, "ground", "reflected light "+side)
	}
	if d, ok := t.more(own, "distance", "distance"); ok {
		l.Range = d
	}
	l.RangeNoise = t.noise(own, "distance", "noise of the distance")
	t.inertia(own, l)
	return l, nil
}

// more returns the difference of a measurement and that of own; ok is false if either is missing.
func (t *Twin) more(own *Twin, check, name string) (d float64, ok bool) {
	v, has := t.value(check, name)
	from, both := own.value(check, name)
	return v - from, has && both
}

// ratio returns the ratio of a measurement to that of own; 1 if either is missing.
func (t *Twin) ratio(own *Twin, check, name string) float64 {
	v, has := t.value(check, name)
	from, both := own.value(check, name)
	if !has || !both || from == 0 {
		return 1
	}
	return v / from
}

// noise returns the standard deviation of the additional noise with which that of own becomes the measured one; 0 if
// the measured one is not larger.
func (t *Twin) noise(own *Twin, check, name string) float64 {
	v, has := t.value(check, name)
	from, both := own.value(check, name)
	if !has || !both {
		return 0
	}
	return math.Sqrt(max(0, v*v-from*from))
}

// infrared sets offset and gain of the proximity sensors.
func (t *Twin) infrared(own *Twin, l *misbuilt.Likeness) {
	reversed := t.has("infrared-order-reversed")
	for i := range l.Infrared {
		seen := i // its number in the report
		if reversed {
			seen = 7 - i
		}
		idle, ok := t.value("idle", fmt.Sprintf("ps%d idle", seen))
		from, has := own.value("idle", fmt.Sprintf("ps%d idle", i))
		if !ok || !has {
			continue
		}
		gain := 1.0
		if !reversed { // in the reversed order no card was in front of the sensor that was read
			gain = max(0, t.ratio(own, "infrared", fmt.Sprintf("ps%d with the card", i)))
		}
		l.Infrared[i] = misbuilt.Line{Gain: gain, Offset: idle - gain*from}
	}
}

// inertia sets biases and noise of the inertial sensor. Named faults change its axes afterwards, which is compensated
// here.
func (t *Twin) inertia(own *Twin, l *misbuilt.Likeness) {
	accel, gyro := t.axes()
	for i, axis := range []string{"x", "y", "z"} {
		if v, ok := t.value("inertial", "acceleration "+axis); ok && !t.has("accelerometer-dead") {
			from, _ := own.value("inertial", "acceleration "+axis)
			l.Accel[i] = v/accel[i] - from
		}
		if v, ok := t.value("inertial", "angular velocity "+axis); ok && !t.has("gyroscope-dead") {
			from, _ := own.value("inertial", "angular velocity "+axis)
			l.Gyro[i] = v/gyro[i] - from
			l.GyroNoise[i] = t.noise(own, "inertial", "noise of angular velocity "+axis)
		}
		l.AccelNoise[i] = t.noise(own, "inertial", "noise of acceleration "+axis) / math.Abs(accel[i])
	}
}

// axes returns the factors of the named faults for the robot's axes.
func (t *Twin) axes() (accel, gyro [3]float64) {
	accel, gyro = [3]float64{1, 1, 1}, [3]float64{1, 1, 1}
	for name, by := range map[string][2][3]float64{
		"imu-turned":        {{-1, -1, 1}, {-1, -1, 1}},
		"imu-upside-down":   {{-1, 1, -1}, {-1, 1, -1}},
		"imu-x-mirrored":    {{-1, 1, 1}, {1, 1, 1}},
		"imu-y-mirrored":    {{1, -1, 1}, {1, 1, 1}},
		"imu-scale-doubled": {{1, 1, 2}, {1, 1, 1}},
	} {
		if !t.has(name) {
			continue
		}
		for i := range 3 {
			accel[i] *= by[0][i]
			gyro[i] *= by[1][i]
		}
	}
	return accel, gyro
}
