// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

// Reading is the latest state of the robot and of the loop.
type Reading struct {
	// Sensors is the result of the last successful exchange, Taken the end of its transfer; zero before the first.
	Sensors mcu.Sensors
	Taken   time.Time
	// Sent are the speeds sent in that exchange.
	Sent Speeds
	// Answered is whether the last control cycle's exchange succeeded.
	Answered bool
	// Lost is whether the robot does not answer. Diagnosis is that of the last exchange or, while the robot is lost,
	// that of the loss.
	Lost      bool
	Diagnosis mcu.Diagnosis
	// WheelsListen is whether the wheels are known to accept a new speed at once, see [mcu.Dev.WheelsListen].
	WheelsListen bool
	// Losses and Restarts count how often the robot was lost, and how often it was restarted.
	Losses, Restarts uint64
	// Cycles counts control cycles, Overruns those skipped because one took too long.
	Cycles, Overruns uint64
	// Next is the time of the next control cycle.
	Next time.Time
	// Exchange is the duration of the last exchange, Cycle that of the last control cycle, Longest the longest of
	// these.
	Exchange, Cycle, Longest time.Duration
	// Busy is the total duration of all exchanges, LongestExchange the longest. [Loop.Counters] has their results.
	Busy, LongestExchange time.Duration
}

// Latest copies the latest reading to r and reports whether it is newer than at the previous call. It does not block;
// one goroutine calls it.
func (l *Loop) Latest(r *Reading) bool { return l.slot.read(r) }

// News receives after each exchange and each control cycle; the loop does not wait for the receiver.
func (l *Loop) News() <-chan struct{} { return l.news }

// tally adds the last exchange's time on the bus.
func (l *Loop) tally() {
	took := max(l.now.Exchange, 0)
	l.now.Busy, l.now.LongestExchange = l.now.Busy+took, max(l.now.LongestExchange, took)
}

// post publishes the state to the reader of the slot.
func (l *Loop) post() {
	l.now.WheelsListen = !l.link.lost && l.dev.WheelsListen()
	l.slot.put(&l.now)
	select {
	case l.news <- struct{}{}:
	default:
	}
}
