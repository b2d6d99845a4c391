// SPDX-License-Identifier: Apache-2.0

package checks

import (
	"context"
	"errors"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/imu"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

// sample holds the measurements at one time of a motion.
type sample struct {
	at       time.Duration // since the start of the motion
	sensors  mcu.Sensors
	gyro     [3]float64 // rad/s
	accel    [3]float64 // m/s²
	fresh    bool       // sensors was read at this time
	inertial bool       // gyro and accel were read at this time
}

// watch sends wheel speeds (steps/s) at 20 Hz for a time, polls the inertial sensor at 100 Hz unless it is nil, and
// calls each with every sample. The wheels are stopped before it returns, also after an error.
func (s *session) watch(left, right mcu.Speed, d time.Duration, inertial *imu.Dev, each func(*sample)) (err error) {
	defer func() {
		if left != 0 || right != 0 {
			err = errors.Join(err, s.stop())
		}
	}()
	s.driven = s.driven || left != 0 || right != 0
	began := s.Now()
	for n := 0; ; n++ {
		due := began.Add(time.Duration(n) * tick)
		s.Sleep(due.Sub(s.Now()))
		if err := context.Cause(s.ctx); err != nil {
			return endError{err}
		}
		m := sample{at: s.Now().Sub(began)}
		if m.at > d {
			return nil
		}
		if n%int(period/tick) == 0 {
			v, err := s.dev.Exchange(mcu.Command{Left: left, Right: right})
			if err == nil {
				m.sensors, m.fresh = v, true
			}
		}
		if inertial != nil {
			s.readInertial(inertial, &m)
		}
		if each != nil {
			each(&m)
		}
	}
}

// readInertial reads the inertial sensor, if it has a new measurement.
func (s *session) readInertial(d *imu.Dev, m *sample) {
	u, err := d.Poll(s.Now())
	if err != nil || !u.Sample {
		return
	}
	var r imu.Reading
	if d.Sense(&r) == nil {
		m.gyro, m.accel, m.inertial = r.Gyro, r.Accel, true
	}
}

// average is a running mean with its variance.
type average struct {
	n          float64
	mean, sum2 float64
}

func (a *average) add(v float64) {
	a.n++
	d := v - a.mean
	a.mean += d / a.n
	a.sum2 += d * (v - a.mean)
}

// variance returns the variance of the values; 0 for less than two.
func (a *average) variance() float64 {
	if a.n < 2 {
		return 0
	}
	return a.sum2 / (a.n - 1)
}

// sensors returns the mean of the main processor's values over a time at rest.
func (s *session) sensors(d time.Duration) (mean [28]average, last mcu.Sensors, err error) {
	err = s.watch(0, 0, d, nil, func(m *sample) {
		if !m.fresh {
			return
		}
		last = m.sensors
		for i := range 8 {
			mean[i].add(float64(m.sensors.Proximity[i]))
			mean[8+i].add(float64(m.sensors.Ambient[i]))
		}
		for i := range 4 {
			mean[16+i].add(float64(m.sensors.Microphone[i]))
		}
	})
	if err == nil && mean[0].n == 0 {
		err = errors.New("the main processor does not answer")
	}
	return mean, last, err
}

// inertial initializes the inertial sensor and waits for its first measurement.
func (s *session) inertial() (*imu.Dev, error) {
	d, err := imu.New(s.Bus, 0, nil)
	if err != nil {
		return nil, err
	}
	for range 400 {
		var m sample
		s.readInertial(d, &m)
		if m.inertial {
			return d, nil
		}
		s.Sleep(tick)
	}
	return nil, errors.New("no inertial sensor answers at 0x68 or 0x69")
}
