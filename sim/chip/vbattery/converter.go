// SPDX-License-Identifier: Apache-2.0

package vbattery

import (
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"syscall"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

// Channel is an input of the converter.
type Channel uint8

// The channels.
const (
	Robot Channel = iota // the robot's battery
	Aux                  // the auxiliary one
	channels
)

// Fault is a way for the file of a channel to be of no use.
type Fault uint8

// The faults.
const (
	// Working: no fault.
	Working Fault = iota
	// Missing: there is no such file.
	Missing
	// Empty: nothing in it.
	Empty
	// Garbage: what is in it is no number.
	Garbage
	// Endless: more digits than any voltage has.
	Endless
	// TimedOut: the kernel could not reach the converter: ETIMEDOUT.
	TimedOut
	// Denied: the file may not be read: EACCES.
	Denied
)

// Break makes the file of a channel faulty from now on.
func (b *Battery) Break(c Channel, f Fault) error {
	if c >= channels || f > Denied {
		return fmt.Errorf("%w: fault %d of channel %d", fs.ErrInvalid, f, c)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.faults[c] = f
	return nil
}

// Unplug takes the converter's driver out of the kernel, with all its files, or brings it back. Open files then fail
// with ENODEV.
func (b *Battery) Unplug(out bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.unplug = out
}

// The converter gives 2 mV a count in its ±4.096 V range, of half the battery's voltage.
const (
	countScale = 2.0   // mV
	maxCount   = 2047  // 12 bits with sign
	halved     = 500.0 // mV at the input for a volt at the battery
	// noiseCounts is the standard deviation of a conversion, counts; plausible.
	noiseCounts = 0.5
)

// conversion is how long one takes: files read within it hold the same.
const conversion = time.Millisecond

// millivolts is what is measured at an input.
func (b *Battery) millivolts(c Channel) float64 {
	b.advance()
	v := b.aux
	if c == Robot {
		v = b.voltage()
	}
	return counts(v, b.cfg.Noise, b.cfg.Perfect, c, b.now) * countScale
}

// counts is what the converter gives for a voltage at an input at a time.
func counts(volts float64, src noise.Source, perfect bool, c Channel, now time.Duration) float64 {
	v := float64(volts * halved / countScale)
	if !perfect {
		v += float64(noiseCounts * src.Stream(uint64(c)).Normal(uint64(now/conversion)))
	}
	return max(0, min(maxCount, math.Round(v)))
}

// Measured returns what the kernel's files say of the robot's battery at a time, V, for robots without files: what a
// [Battery] of the same noise source does.
func Measured(volts float64, src noise.Source, perfect bool, now time.Duration) float64 {
	return counts(volts, src, perfect, Robot, now) * countScale / halved
}

// contents is what a file holds now.
func (b *Battery) contents(p place) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.unplug {
		return nil, syscall.ENODEV
	}
	if p.what == scale {
		return []byte("2.000000000\n"), nil
	}
	switch b.faults[p.channel] {
	case Missing:
		return nil, syscall.ENODEV
	case Empty:
		return nil, nil
	case Garbage:
		return []byte("nan?\n"), nil
	case Endless:
		return []byte("184467440737095516151844674407370955161518446744073709551615\n"), nil
	case TimedOut:
		return nil, syscall.ETIMEDOUT
	case Denied:
		return nil, syscall.EACCES
	}
	v := b.millivolts(p.channel)
	if p.what == raw {
		v /= countScale
	}
	return append(strconv.AppendInt(nil, int64(v), 10), '\n'), nil
}

// shown reports whether a file is in its folder.
func (b *Battery) shown(p place) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.unplug && (p.what == scale || b.faults[p.channel] != Missing)
}
