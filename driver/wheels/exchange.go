// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"errors"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

// ErrLost is what a cycle gives that did not try to reach a robot that is lost.
var ErrLost = errors.New("wheels: the robot does not answer")

// cycle is one control cycle. While the robot is lost it is tried less and less often.
// end is when it was over.
func (l *Loop) cycle(now time.Time) (end time.Time, err error) {
	end, err = now, ErrLost
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

// exchange sends the command in force and takes the reading it is answered with. end is when it was over.
func (l *Loop) exchange(now time.Time) (end time.Time, err error) {
	want := l.target(now)
	command := mcu.Command{Left: want.Left, Right: want.Right}
	l.lights.put(&command)
	l.pass()
	l.moved = l.moved || want != Speeds{}
	sensors, err := l.dev.Exchange(command)
	end = l.cfg.Now()
	l.now.Exchange = end.Sub(now)
	l.tally()
	if err != nil {
		l.linkFailed(end, err)
		end = l.cfg.Now() // looking for the reason takes time
	} else {
		l.sent = want
		l.odd = sensors.Refused != l.now.Sensors.Refused || sensors.Blinded() != l.now.Sensors.Blinded()
		l.now.Sensors, l.now.Taken, l.now.Sent = sensors, end, want
		l.linkSucceeded(end)
		if Hold(l.motion.held.Load())&HoldEnd != 0 && want == (Speeds{}) {
			l.guard.stand()
		}
	}
	l.diagnose(end, err)
	return end, err
}

// target gives the speeds that are in force at now.
func (l *Loop) target(now time.Time) Speeds {
	timeout := time.Duration(l.timeout.Load())
	speeds, expired := l.motion.get(now, now.Sub(l.epoch), timeout)
	if expired {
		l.words.say(Word{Kind: WordExpired, At: now, Took: timeout})
	}
	return speeds
}

// pass hands the device what others want of it.
func (l *Loop) pass() {
	if n := l.melody.Swap(0); n != 0 {
		_ = l.dev.PlayMelody(int(n)) // checked when it was asked for
	}
	if l.infrared.Swap(false) {
		l.dev.CalibrateIR()
	}
}

// linkFailed notes that the robot did not answer. When that makes it lost, the motion is forgotten and it is found out
// why.
func (l *Loop) linkFailed(now time.Time, err error) {
	if l.link.failed(now) != linkLost {
		return
	}
	l.motion.hold(HoldLost)
	l.sent = Speeds{}
	l.now.Lost, l.now.Diagnosis = true, l.dev.Probe()
	l.now.Losses++
	l.words.say(Word{Kind: WordLost, At: now, Err: err, Text: l.now.Diagnosis.Text})
}

// linkSucceeded notes that the robot answered.
func (l *Loop) linkSucceeded(now time.Time) {
	since := l.link.since
	if l.link.succeeded() != linkBack {
		return
	}
	l.now.Lost = false
	l.motion.forget()
	l.motion.free(HoldLost)
	l.words.say(Word{Kind: WordBack, At: now, Took: now.Sub(since)})
}

// diagnose brings the diagnosis up to date when there may be something new to say. While the robot is lost the one of
// the loss stays.
func (l *Loop) diagnose(now time.Time, err error) {
	news := err != nil || l.failed || l.turned || l.odd || l.now.Diagnosis.Health == mcu.HealthUnknown
	l.failed = err != nil
	if l.link.lost || !news {
		return
	}
	l.now.Diagnosis = l.dev.Diagnosis()
	if l.turned && l.now.Diagnosis.Text != "" {
		l.words.say(Word{Kind: WordSelector, At: now, Text: l.now.Diagnosis.Text})
	}
	l.turned, l.odd = false, false
}

// onEvent is told by the device, from within an exchange, what it found out.
func (l *Loop) onEvent(e mcu.Event) {
	if e.Kind == mcu.EventRestart {
		l.now.Restarts++
	}
	if e.Kind == mcu.EventSelector {
		l.turned = true
	}
	l.words.say(Word{Kind: WordDevice, At: l.cfg.Now(), Event: e, Calibrating: l.dev.Pending().Calibrate})
}
