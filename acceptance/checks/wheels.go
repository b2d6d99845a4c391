// SPDX-License-Identifier: Apache-2.0

package checks

import (
	"errors"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/robot"
)

const (
	// testSpeed is the speed of the tests, steps/s; realSpeed is the resulting speed of the motors' timer.
	testSpeed = 300
	realSpeed = 100000.0 / (2 * 166) // 301.2

	// TurnRate is the angular velocity of the body when one wheel turns at that speed, rad/s.
	TurnRate = realSpeed * 2 * math.Pi / robot.StepsPerTurn * robot.WheelRadius / robot.WheelDistance
)

// wheelTest holds the measurements while one wheel was commanded.
type wheelTest struct {
	left, right float64 // steps/s by the counters
	rate        float64 // rad/s about z, anticlockwise, by the gyroscope, without its bias
	first       float64 // s from the command to the first step
}

// turnWheel commands speeds for 1.2 s and measures from 0.2 s on.
func (s *session) turnWheel(left, right mcu.Speed) (t wheelTest, err error) {
	dev, err := s.inertial()
	if err != nil {
		dev = nil // the counters can be checked without it
	}
	var bias, rate average
	err = s.watch(0, 0, time.Second, dev, func(m *sample) {
		if m.inertial {
			bias.add(m.gyro[2])
		}
	})
	if err != nil {
		return t, err
	}
	var from, to *sample
	var start *mcu.Sensors
	err = s.watch(left, right, 1200*time.Millisecond, dev, func(m *sample) {
		late := m.at > 200*time.Millisecond
		if m.inertial && late {
			rate.add(m.gyro[2])
		}
		if !m.fresh {
			return
		}
		if start == nil {
			start = &m.sensors
		}
		if t.first == 0 && (m.sensors.LeftSteps != start.LeftSteps || m.sensors.RightSteps != start.RightSteps) {
			t.first = m.at.Seconds()
		}
		if late && from == nil {
			from = m
		}
		to = m
	})
	if err != nil {
		return t, err
	}
	if from == nil || to.at == from.at {
		return t, errors.New("the main processor does not answer")
	}
	d := (to.at - from.at).Seconds()
	t.left = float64(to.sensors.LeftSteps-from.sensors.LeftSteps) / d
	t.right = float64(to.sensors.RightSteps-from.sensors.RightSteps) / d
	t.rate = rate.mean - bias.mean
	return t, nil
}

// checkWheels turns each wheel alone.
func checkWheels(s *session) error {
	l, err := s.turnWheel(testSpeed, 0)
	if err != nil {
		return err
	}
	r, err := s.turnWheel(0, testSpeed)
	if err != nil {
		return err
	}
	const tolerance = 0.04 // of the speed: one exchange of 50 ms in 1 s is up to 5 steps of 300 at either end
	low, high := realSpeed*(1-tolerance), realSpeed*(1+tolerance)
	s.expect("left counter, left wheel commanded", l.left, "steps/s", low, high, fromMotors)
	s.expect("right counter, left wheel commanded", l.right, "steps/s", -5, 5, fromMotors)
	s.expect("left counter, right wheel commanded", r.left, "steps/s", -5, 5, fromMotors)
	s.expect("right counter, right wheel commanded", r.right, "steps/s", low, high, fromMotors)
	s.expect("first step", max(l.first, r.first), "s", 0, 0.2, "facts of the firmware: within 10 ms once it listens; the packets are 50 ms apart")
	s.expect("turning, left wheel commanded", l.rate, "rad/s", -1.25*TurnRate, -0.75*TurnRate, fromRobot+"; slip and the gyroscope's 3 %")
	s.expect("turning, right wheel commanded", r.rate, "rad/s", 0.75*TurnRate, 1.25*TurnRate, fromRobot+"; slip and the gyroscope's 3 %")
	s.judgeCounters(l, r)
	s.judgeTurns(l, r)
	return nil
}

// judgeCounters adds faults of the step counters.
func (s *session) judgeCounters(l, r wheelTest) {
	a, b := l.left/realSpeed, r.right/realSpeed
	near := func(v, want float64) bool { return math.Abs(v-want) < 0.2*math.Abs(want) }
	switch {
	case near(l.right, realSpeed) && near(r.left, realSpeed):
		s.fault("counters-swapped", "the left wheel's steps are counted as the right one's")
	case near(a, 2) && near(b, 2):
		s.fault("steps-doubled", "%.0f steps/s are counted of %.0f", l.left, realSpeed)
	case near(a, 0.5) && near(b, 0.5):
		s.fault("steps-halved", "%.0f steps/s are counted of %.0f", l.left, realSpeed)
	default:
		s.judgeCounter("left", a)
		s.judgeCounter("right", b)
	}
}

func (s *session) judgeCounter(side string, share float64) {
	switch {
	case math.Abs(share) < 0.1:
		s.fault(side+"-counter-stuck", "the %s wheel's steps are not counted", side)
	case share < -0.1:
		s.fault(side+"-counter-reversed", "the %s wheel's steps are counted backwards", side)
	}
}

// judgeTurns adds faults of the motors, by the gyroscope.
func (s *session) judgeTurns(l, r wheelTest) {
	a, b := -l.rate/TurnRate, r.rate/TurnRate // 1 as expected
	if a < -0.5 && b < -0.5 {
		s.fault("motors-swapped", "the body turns the other way with either wheel: the motors are swapped, or both reversed")
		return
	}
	if math.Abs(a) < 0.1 && math.Abs(b) < 0.1 {
		return // the gyroscope or both motors are dead
	}
	for _, m := range []struct {
		side  string
		share float64
	}{{"left", a}, {"right", b}} {
		switch {
		case math.Abs(m.share) < 0.1:
			s.fault(m.side+"-motor-dead", "the body does not turn when the %s wheel is commanded", m.side)
		case m.share < -0.5:
			s.fault(m.side+"-motor-reversed", "the %s wheel turns backwards", m.side)
		}
	}
}

// checkStop drives ahead and counts the steps after the stop.
func checkStop(s *session) error {
	var last *mcu.Sensors
	err := s.watch(testSpeed, testSpeed, time.Second, nil, func(m *sample) {
		if m.fresh {
			last = &m.sensors
		}
	})
	if err != nil {
		return err
	}
	_, after, err := s.sensors(500 * time.Millisecond)
	if err != nil || last == nil {
		return errors.Join(err, errIf(last == nil))
	}
	const most = testSpeed * 0.12 // two packets of 50 ms, and the stop command
	s.expect("left steps after the stop", math.Abs(float64(after.LeftSteps-last.LeftSteps)), "steps", 0, most, fromMotors)
	s.expect("right steps after the stop", math.Abs(float64(after.RightSteps-last.RightSteps)), "steps", 0, most, fromMotors)
	return s.watch(-testSpeed, -testSpeed, time.Second, nil, nil) // back to the start
}

// errIf returns an error if the main processor did not respond.
func errIf(missing bool) error {
	if missing {
		return errors.New("the main processor does not answer")
	}
	return nil
}
