// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"errors"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

// errLost is returned by a cycle without an attempt to reach a lost robot.
var errLost = errors.New("wheels: the robot does not answer")

// cycle performs one control cycle. While the robot is lost, the time between attempts increases. end is the time when
// it was finished.
func (l *Loop) cycle(now time.Time) (end time.Time, err error) {
	end, err = now, errLost
	if !l.link.lost || !now.Before(l.link.due(now)) {
		end, err = l.exchange(now)
	}
	l.now.Answered = err == nil
	l.now.Cycles++
	l.now.Cycle = end.Sub(now)
	l.now.Longest = max(l.now.Longest, l.now.Cycle)
	l.now.Next = l.ticks.Next.Add(l.cfg.Period)
	l.post()
	return end, err
}

// exchange sends the current command and takes the reading of the reply. end is the time when it was finished.
func (l *Loop) exchange(now time.Time) (end time.Time, err error) {
	want := l.target(now)
	command := mcu.Command{Left: want.Left, Right: want.Right}
	l.lights.put(&command)
	l.forwardRequests()
	l.moved = l.moved || want != Speeds{}
	sensors, err := l.dev.Exchange(command)
	end = l.cfg.Now()
	l.now.Exchange = end.Sub(now)
	l.tally()
	if err != nil {
		l.linkFailed(end, err)
		end = l.cfg.Now() // the diagnosis takes time
	} else {
		l.sent = want
		l.odd = sensors.Refused != l.now.Sensors.Refused || sensors.Blinded() != l.now.Sensors.Blinded()
		l.now.Sensors, l.now.Taken, l.now.Sent = sensors, end, want
		l.linkSucceeded(end)
		if Hold(l.motion.held.Load())&holdEnd != 0 && want == (Speeds{}) {
			l.guard.setHalted()
		}
	}
	l.diagnose(end, err)
	return end, err
}

// target returns the speeds in force at now.
func (l *Loop) target(now time.Time) Speeds {
	timeout := time.Duration(l.timeout.Load())
	speeds, expired := l.motion.get(now, now.Sub(l.epoch), timeout)
	if expired {
		l.events.push(Event{Kind: EventExpired, At: now, Took: timeout})
	}
	return speeds
}

// forwardRequests forwards pending requests to the device.
func (l *Loop) forwardRequests() {
	if n := l.melody.Swap(0); n != 0 {
		_ = l.dev.PlayMelody(int(n)) // PlayMelody has validated it
	}
	if l.infrared.Swap(false) {
		l.dev.CalibrateIR()
	}
}

// linkFailed handles an exchange without an answer. If the robot is lost now, the motion ends and the cause is
// diagnosed.
func (l *Loop) linkFailed(now time.Time, err error) {
	if l.link.failed(now) != linkLost {
		return
	}
	l.motion.hold(holdLost)
	l.sent = Speeds{}
	l.now.Lost, l.now.Diagnosis = true, l.dev.Probe()
	l.now.Losses++
	l.events.push(Event{Kind: EventLost, At: now, Err: err, Text: l.now.Diagnosis.Text})
}

// linkSucceeded handles an exchange with an answer.
func (l *Loop) linkSucceeded(now time.Time) {
	since := l.link.since
	if l.link.succeeded() != linkBack {
		return
	}
	l.now.Lost = false
	l.motion.forget()
	l.motion.free(holdLost)
	l.events.push(Event{Kind: EventBack, At: now, Took: now.Sub(since)})
}

// diagnose updates the diagnosis when it may have changed. While the robot is lost, the diagnosis of the loss is
// kept.
func (l *Loop) diagnose(now time.Time, err error) {
	news := err != nil || l.failed || l.turned || l.odd || l.now.Diagnosis.Health == mcu.HealthUnknown
	l.failed = err != nil
	if l.link.lost || !news {
		return
	}
	l.now.Diagnosis = l.dev.Diagnosis()
	if l.turned && l.now.Diagnosis.Text != "" {
		l.events.push(Event{Kind: EventSelector, At: now, Text: l.now.Diagnosis.Text})
	}
	l.turned, l.odd = false, false
}

// onEvent receives the device's events, from within an exchange.
func (l *Loop) onEvent(e mcu.Event) {
	if e.Kind == mcu.EventRestart {
		l.now.Restarts++
	}
	if e.Kind == mcu.EventSelector {
		l.turned = true
	}
	l.events.push(Event{Kind: EventDevice, At: l.cfg.Now(), Device: e, Calibrating: l.dev.Pending().Calibrate})
}
