// SPDX-License-Identifier: Apache-2.0

package checks

import (
	"math"
	"time"
)

const (
	gravity = 9.80665 // m/s²
	lean    = 30 * math.Pi / 180
	// fromNoise is the source of the limit of the accelerometer's noise.
	fromNoise = "InvenSense PS-MPU-9250A-01, 3.2: 300 µg/√Hz is 0.02 m/s² at 45 Hz; five times that for a shaking floor"
	// maxAccelBias is twice 80 mg, the tolerance of an axis of an uncalibrated chip; the factor allows for a sloping
	// floor.
	maxAccelBias = 2 * 0.08 * gravity
	// maxGyroBias is 5 °/s, the tolerance of an axis.
	maxGyroBias = 5 * math.Pi / 180
)

// attitude holds the mean measurements of the inertial sensor at rest.
type attitude struct {
	accel, gyro [3]average
}

// rest measures with the inertial sensor for a time at rest.
func (s *session) rest(d time.Duration) (a attitude, err error) {
	dev, err := s.inertial()
	if err != nil {
		return a, err
	}
	err = s.watch(0, 0, d, dev, func(m *sample) {
		if !m.inertial {
			return
		}
		for i := range 3 {
			a.accel[i].add(m.accel[i])
			a.gyro[i].add(m.gyro[i])
		}
	})
	return a, err
}

// checkInertial measures the inertial sensor at rest on the floor.
func checkInertial(s *session) error {
	a, err := s.rest(3 * time.Second)
	if err != nil {
		s.fault("imu-missing", "%v", err)
		return nil
	}
	s.judgeGravity(&a)
	s.judgeRates(&a)
	return nil
}

func (s *session) judgeGravity(a *attitude) {
	for i, axis := range []string{"x", "y"} {
		s.expect("acceleration "+axis, a.accel[i].mean, "m/s²", -maxAccelBias, maxAccelBias, fromIMU)
	}
	up := a.accel[2].mean
	if !s.expect("acceleration z", up, "m/s²", gravity-maxAccelBias, gravity+maxAccelBias, fromIMU) {
		size := math.Hypot(math.Hypot(a.accel[0].mean, a.accel[1].mean), up)
		switch {
		case size < 0.5:
			s.fault("accelerometer-dead", "the accelerometer measures %.2f m/s² at rest", size)
		case up < -gravity/2:
			s.fault("imu-upside-down", "gravity has the wrong sign: %.2f m/s²", up)
		case size > 1.5*gravity:
			s.fault("imu-scale-doubled", "gravity is measured as %.2f m/s²", size)
		}
	}
	for i, axis := range []string{"x", "y", "z"} {
		noise := math.Sqrt(a.accel[i].variance())
		if !s.expect("noise of acceleration "+axis, noise, "m/s²", 1e-6, 0.1, fromNoise) && noise > 0.1 {
			s.fault("imu-noisy", "the acceleration along %s at rest has a noise of %.2f m/s²", axis, noise)
		}
	}
}

func (s *session) judgeRates(a *attitude) {
	dead := true
	for i, axis := range []string{"x", "y", "z"} {
		rate := a.gyro[i].mean
		if !s.expect("angular velocity "+axis, rate, "rad/s", -maxGyroBias, maxGyroBias, fromIMU) {
			s.fault("gyroscope-biased", "the gyroscope measures %.3f rad/s about %s at rest", rate, axis)
		}
		noise := math.Sqrt(a.gyro[i].variance())
		s.expect("noise of angular velocity "+axis, noise, "rad/s", 1e-7, 0.02, fromIMU)
		dead = dead && noise == 0 && rate == 0
	}
	if dead {
		s.fault("gyroscope-dead", "the gyroscope measures exactly zero")
	}
}

// checkTilt measures gravity with the nose and then the left side lifted (REP 103 and 145).
func checkTilt(s *session) error {
	flat, err := s.rest(time.Second)
	if err != nil {
		s.fault("imu-missing", "%v", err)
		return nil
	}
	lifted := [2]float64{}
	for i, task := range []Task{NoseUp, LeftUp} {
		if err := s.ask(Request{Task: task}); err != nil {
			return err
		}
		a, err := s.rest(time.Second)
		if err != nil {
			return err
		}
		lifted[i] = a.accel[i].mean - flat.accel[i].mean
	}
	if err := s.ask(Request{Task: OnFloor}); err != nil {
		return err
	}
	const low, high = 0.25 * gravity, 0.75 * gravity // of 15° to 49°, because a person holds the robot
	x := s.expect("acceleration x with the nose up", lifted[0], "m/s²", low, high, "REP 103 and 145: sin 30° of gravity")
	y := s.expect("acceleration y with the left side up", lifted[1], "m/s²", low, high, "REP 103 and 145: sin 30° of gravity")
	backX, backY := lifted[0] < -low, lifted[1] < -low
	switch {
	case x && y:
	case backX && backY:
		s.fault("imu-turned", "both horizontal axes have the wrong sign")
	case backX:
		s.fault("imu-x-mirrored", "the acceleration ahead has the wrong sign")
	case backY:
		s.fault("imu-y-mirrored", "the acceleration to the left has the wrong sign")
	}
	return nil
}
