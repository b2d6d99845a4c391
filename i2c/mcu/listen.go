// SPDX-License-Identifier: Apache-2.0

package mcu

import (
	"sync/atomic"
	"time"
)

// Deaf wheels. When the firmware starts, the timers of its motors run with a period of 65,535 ticks of 10 µs (motors.c,
// 286 and 302), and whatever a command asks for is taken over at the end of the period that runs. So the first command
// of all, zero speeds too, acts up to 0.66 s after it came; from then on the timers of standing wheels run at 100 Hz
// (motors.c, 209).
//
// A robot that gets its first command with the first motion starts that much late. So the Dev sends zero speeds before
// anything else, at the start and after each restart of the MCU it notices, and knows when the wheels listen.
//
// The counters of wheels that do not listen stay as they are, whatever was commanded: then they prove no standstill.

// deafTime is the longest time from the first command to the moment it acts: a whole period of the timer, and what
// keeps the command thread from a command (0.85 ms, see spi_comm.c, 118).
const deafTime = 65535*10*time.Microsecond + time.Millisecond

// listening is what is known about the motors' timers. The zero value knows nothing.
type listening struct {
	from atomic.Pointer[time.Time] // when the wheels listen for certain; nil while no command was accepted
}

// commanded notes that a command was accepted at now.
func (l *listening) commanded(now time.Time) {
	if l.from.Load() == nil {
		from := now.Add(deafTime)
		l.from.Store(&from)
	}
}

// forget notes that the MCU may have been restarted.
func (l *listening) forget() { l.from.Store(nil) }

// WheelsListen reports whether the wheels are known to take a new speed within 10 ms from a standstill. That is so from
// 0.66 s after the first command the MCU accepted since its start, as far as its start is known: it is also false after
// an outage long enough for a restart.
func (d *Dev) WheelsListen() bool {
	from := d.wheels.from.Load()
	return from != nil && !d.opts.Now().Before(*from)
}

// greet makes zero speeds the first command, if one of motion would be. Its reply is observed like any other.
func (d *Dev) greet(c *Command) error {
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
