// SPDX-License-Identifier: Apache-2.0

package vtof

import "time"

// calibrationTime is the length of a reference calibration. The true figure
// differs; it is a few milliseconds.
const calibrationTime = 3 * time.Millisecond

// calibration is what the reference calibrations have found out.
type calibration struct {
	nvmAt      time.Duration // when the memory's answer is there; 0: not asked
	vhv        bool
	phase      bool
	pre, final byte // VCSEL periods the phase was calibrated for
	busy       byte // sequence of the calibration under way, 0 none
	readyAt    time.Duration
	done       bool // one has ended, and that was not acknowledged
}

// ranging is the measurement under way.
type ranging struct {
	mode   byte // 0 idle, 1 single, 2 back to back, 4 timed
	begun  time.Duration
	period time.Duration
	taken  int64 // measurements done since begun
	ready  bool
}

// command acts on a write to page 0.
func (c *Chip) command(reg, v byte) {
	switch reg {
	case 0x0B:
		c.rng.ready, c.cal.done = false, false
		c.mem.page[0][0x13] = 0
	case 0x00:
		c.startOrStop(v)
	}
}

// startOrStop acts on SYSRANGE_START. Starting needs the stop variable in
// place; writing 1 while measuring continuously ends that.
func (c *Chip) startOrStop(v byte) {
	mode := v & 0x0F
	switch {
	case mode == 0:
		return
	case mode == 1 && c.rng.mode > 1:
		c.rng.mode = 0
		return
	case c.mem.page[1][0x91] != c.stopVariable || c.mem.page[1][0x00] != 1:
		return // nothing happens
	}
	switch sequence := c.mem.at(0x01); sequence {
	case 0x01, 0x02:
		if sequence == 0x01 && v&0x40 == 0 || mode != 1 {
			return
		}
		c.cal.busy, c.cal.readyAt = sequence, c.cfg.Now()+calibrationTime
		return
	}
	c.epoch++
	c.rng = ranging{mode: mode, begun: c.cfg.Now(), period: c.duration()}
	if mode == 4 {
		c.rng.period = max(c.rng.period, c.interval())
	}
}

// interval is the period of timed measurements: register 0x04 counts
// oscillator ticks, 0xF8 says how many make a millisecond.
func (c *Chip) interval() time.Duration {
	ticks := uint64(c.mem.word(0x04))<<16 | uint64(c.mem.word(0x06))
	return time.Duration(ticks) * time.Millisecond / time.Duration(c.mem.word(0xF8))
}

// update lets everything happen that has happened by now.
func (c *Chip) update() {
	now := c.cfg.Now()
	if c.faults.Frozen || c.down {
		return
	}
	if c.cal.busy != 0 && now >= c.cal.readyAt {
		if c.cal.busy == 0x01 {
			c.cal.vhv = true
		} else {
			c.cal.phase, c.cal.pre, c.cal.final = true, c.mem.at(0x50), c.mem.at(0x70)
		}
		c.cal.busy, c.cal.done = 0, true
	}
	if c.rng.mode != 0 && c.rng.period > 0 {
		if n := int64((now - c.rng.begun) / c.rng.period); n > c.rng.taken {
			c.rng.taken = n
			c.rng.ready = true
			c.result(n)
			if c.rng.mode == 1 {
				c.rng.mode = 0
			}
		}
	}
	c.mem.page[0][0x13] = 0
	if (c.rng.ready || c.cal.done) && c.mem.at(0x0A)&0x07 == 4 {
		c.mem.page[0][0x13] = 0x44
	}
}
