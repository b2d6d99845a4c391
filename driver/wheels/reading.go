// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

// Reading is the latest state of the robot and of the loop.
type Reading struct {
	// Sensors is what the last exchange that succeeded gave, Taken when its transfer ended; zero before the first.
	Sensors mcu.Sensors
	Taken   time.Time
	// Sent is the speeds that went with it.
	Sent Speeds
	// Answered tells whether the last control cycle's exchange succeeded.
	Answered bool
	// Lost tells that the robot does not answer; Diagnosis is what the last exchange says about it or, while it is
	// lost, what was found out when it got lost.
	Lost      bool
	Diagnosis mcu.Diagnosis
	// WheelsListen tells that the wheels are known to take a new speed at once, see [mcu.Dev.WheelsListen].
	WheelsListen bool
	// Losses and Restarts count how often the robot was lost, and how often it was restarted.
	Losses, Restarts uint64
	// Cycles counts control cycles, Overruns those left out because one took too long.
	Cycles, Overruns uint64
	// Next is when the next control cycle is due.
	Next time.Time
	// Exchange is what the last exchange took, Cycle the last control cycle, Longest the longest of these.
	Exchange, Cycle, Longest time.Duration
	// Busy is the time that all exchanges took, LongestExchange that of the longest. What they did [Loop.Counters]
	// tells.
	Busy, LongestExchange time.Duration
}

// Latest copies the latest reading to r and reports whether there is a newer one than at the call before. One goroutine
// calls it; it does not wait.
func (l *Loop) Latest(r *Reading) bool { return l.slot.read(r) }

// News receives after each exchange and each control cycle. One that is not received is not waited for.
func (l *Loop) News() <-chan struct{} { return l.news }

// tally notes how long the last exchange had the bus.
func (l *Loop) tally() {
	took := max(l.now.Exchange, 0)
	l.now.Busy, l.now.LongestExchange = l.now.Busy+took, max(l.now.LongestExchange, took)
}

// post shows the state to others.
func (l *Loop) post() {
	l.now.WheelsListen = !l.link.lost && l.dev.WheelsListen()
	l.slot.put(&l.now)
	select {
	case l.news <- struct{}{}:
	default:
	}
}
