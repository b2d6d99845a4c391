// SPDX-License-Identifier: Apache-2.0

package mcu

import (
	"sync/atomic"
	"time"
)

// Start-up latency of the wheels. When the firmware starts, the timers of its motors run with a period of 65,535
// ticks of 10 µs (motors.c, 286 and 302), and a command takes effect at the end of the current period. So the first
// command, also zero speeds, takes effect up to 0.66 s after it arrived; from then on the timers of stationary wheels
// run at 100 Hz (motors.c, 209).
//
// If a robot's first command were its first motion, the motion would start that late. So the Dev sends zero speeds
// before anything else, at the start and after each detected restart of the MCU, and knows when the wheels accept
// commands.
//
// The counters of wheels that do not accept commands yet do not change, whatever was commanded: they do not prove that
// the wheels are stopped.

// startupLatency is the maximum time until the first command takes effect: a whole period of the timer, and the delay
// of the command thread (0.85 ms, see spi_comm.c, 118).
const startupLatency = 65535*10*time.Microsecond + time.Millisecond

// listening is the state of the motors' timers. The zero value is unknown.
type listening struct {
	from atomic.Pointer[time.Time] // when the wheels certainly accept commands; nil while no command was accepted
}

// commanded records that a command was accepted at now.
func (l *listening) commanded(now time.Time) {
	if l.from.Load() == nil {
		from := now.Add(startupLatency)
		l.from.Store(&from)
	}
}

// forget records that the MCU may have been restarted.
func (l *listening) forget() { l.from.Store(nil) }

// WheelsListen reports whether the wheels are known to take a new speed within 10 ms from a standstill. That is the
// case from 0.66 s after the first command that the MCU accepted since its start, as far as its start is known: it is
// also false after an outage long enough for a restart.
func (d *Dev) WheelsListen() bool {
	from := d.wheels.from.Load()
	return from != nil && !d.opts.Now().Before(*from)
}

// sendZeroFirst sends zero speeds before the first command if that is a motion. The reply is processed like any other.
func (d *Dev) sendZeroFirst(c *Command) error {
	if d.wheels.from.Load() != nil || c.Left == 0 && c.Right == 0 {
		return nil
	}
	zero := *c
	zero.Left, zero.Right = 0, 0
	raw, err := d.send(&zero)
	if err == nil {
		d.observe(raw)
	}
	return err
}
