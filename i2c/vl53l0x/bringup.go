// SPDX-License-Identifier: Apache-2.0

package vl53l0x

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// bringUp is the plan: one list of steps, with the values that are known at run time.
type bringUp struct {
	steps   []device.Step
	opts    Opts
	stop    byte // the "stop variable" of this chip
	scratch byte // a register between its read and its write
	spads   spads
	clock   uint16 // oscillator counts per millisecond, for timed measurements
}

// Begin implements device.Plan.
func (b *bringUp) Begin() []device.Step { return b.steps }

// Next implements device.Plan: there are no steps after the one list.
func (b *bringUp) Next(err error) ([]device.Step, error) {
	if err != nil {
		return nil, fmt.Errorf("vl53l0x: bring-up: %w", err)
	}
	return nil, nil
}

// newBringUp compiles the steps once; a bring-up allocates nothing.
func newBringUp(o Opts) *bringUp {
	b := &bringUp{opts: o}
	b.identify()
	b.reset()
	b.basics()
	b.readSPADs()
	b.writes(tuning()...)
	b.ranging()
	b.calibrate()
	b.profile()
	b.verify()
	b.start()
	return b
}

func (b *bringUp) add(s ...device.Step) { b.steps = append(b.steps, s...) }

// writes adds single-byte writes, given as pairs of register and value.
func (b *bringUp) writes(pairs ...byte) {
	for i := 0; i+1 < len(pairs); i += 2 {
		b.add(device.Write(pairs[i], pairs[i+1]))
	}
}

// write16 adds a write of a 16-bit register.
func (b *bringUp) write16(reg byte, v uint16) {
	b.add(device.Write(reg, byte(v>>8), byte(v)))
}

// modify adds a read of a register and a write of the value that change returns.
func (b *bringUp) modify(reg byte, change func(v byte) byte) {
	b.add(
		device.Step{Write: []byte{reg}, Read: 1, Check: func(r []byte) error { b.scratch = change(r[0]); return nil }},
		device.Step{Write: []byte{reg, 0}, Prepare: func(w []byte) { w[1] = b.scratch }},
	)
}

// await adds reads of a register until ok.
func (b *bringUp) await(reg byte, ok func(v byte) bool) {
	b.add(device.Step{Write: []byte{reg}, Read: 1, Check: func(r []byte) error {
		if !ok(r[0]) {
			return device.ErrAgain
		}
		return nil
	}})
}

// identify checks whether the chip is present. An interrupted bring-up may have left another page selected, or the chip
// in reset.
func (b *bringUp) identify() {
	b.add(
		device.Step{Write: []byte{regPage, 0x00}, Tries: 1},
		device.Step{Write: []byte{regSoftReset, 0x01}},
		device.Step{Wait: 2 * time.Millisecond, Write: []byte{regPower, 0x00}},
		device.Step{Write: []byte{regModel}, Read: 1, Check: func(r []byte) error {
			if r[0] != modelID {
				return fmt.Errorf("%w: register 0xc0 is %#02x, a VL53L0X has 0xee", device.ErrIdentity, r[0])
			}
			return nil
		}},
	)
}

// reset puts the chip into its state after power-on, whatever a previous program has set.
func (b *bringUp) reset() {
	b.writes(regSoftReset, 0x00)
	b.add(device.Step{Wait: time.Millisecond, Write: []byte{regSoftReset, 0x01}})
	b.add(device.Step{Wait: 2 * time.Millisecond, Write: []byte{regModel}, Read: 1, Check: func(r []byte) error {
		if r[0] != modelID {
			return device.ErrAgain
		}
		return nil
	}})
}

// basics sets the bus to 2.8 V, reads the stop variable and disables the rate limits of the early stages.
func (b *bringUp) basics() {
	b.modify(regVHV, func(v byte) byte { return v | 0x01 })
	b.writes(0x88, 0x00, regPower, 0x01, regPage, 0x01, 0x00, 0x00)
	b.add(device.ReadTwice(regStop, 1, func(r []byte) error { b.stop = r[0]; return nil })...)
	b.writes(0x00, 0x01, regPage, 0x00, regPower, 0x00)
	b.modify(regMSRC, func(v byte) byte { return v | 0x12 })
	b.write16(regMinRate, fixed97(0.25))
	b.writes(regSequence, 0xFF)
}

// readSPADs reads the number of reference SPADs from the chip's memory and switches the right ones on.
func (b *bringUp) readSPADs() {
	b.writes(regPower, 0x01, regPage, 0x01, 0x00, 0x00, regPage, internalPage)
	b.modify(regNVMStrobe, func(v byte) byte { return v | 0x04 })
	b.writes(regPage, 0x07, 0x81, 0x01, regPower, 0x01, regNVMAddress, 0x6B, regNVMStrobe, 0x00)
	b.await(regNVMStrobe, func(v byte) bool { return v != 0 })
	b.writes(regNVMStrobe, 0x01)
	b.add(device.ReadTwice(regNVMAnswer, 1, func(r []byte) error { return b.spads.answer(r[0]) })...)
	b.writes(0x81, 0x00, regPage, internalPage)
	b.modify(regNVMStrobe, func(v byte) byte { return v &^ 0x04 })
	b.writes(regPage, 0x01, 0x00, 0x01, regPage, 0x00, regPower, 0x00)
	b.add(device.ReadTwice(regSPADMap, 6, b.spads.load)...)
	b.writes(regPage, 0x01, regSPADOffset, 0x00, regSPADCount, 0x2C, regPage, 0x00, regSPADStart, 0xB4)
	b.add(device.Step{Write: append([]byte{regSPADMap}, make([]byte, 6)...), Prepare: func(w []byte) { b.spads.enabled(w[1:]) }})
}

// ranging sets the stages of a measurement and that its end is signalled.
func (b *bringUp) ranging() {
	b.writes(regInterruptConfig, 0x04)
	b.modify(regGPIOLevel, func(v byte) byte { return v &^ 0x10 })
	b.writes(regInterruptClear, 0x01, regSequence, sequenceRanging)
	b.write16(regFinalTimeout, encodeTimeout(timingFor(Standard, b.opts.TimingBudget).final))
}

// calibrate starts the chip's calibration of the bias of its photodiodes (VHV), then of the phase of its laser.
func (b *bringUp) calibrate() {
	b.calibration(0x01, 0x41)
	b.calibration(0x02, 0x01)
	b.writes(regSequence, sequenceRanging)
}

func (b *bringUp) calibration(sequence, start byte) {
	b.writes(regSequence, sequence, regRangeStart, start)
	b.await(regInterruptStatus, func(v byte) bool { return v&readyMask != 0 })
	b.writes(regInterruptClear, 0x01, regRangeStart, 0x00)
}

// profile sets rate limit, laser periods and time-outs. New periods require a new phase calibration.
func (b *bringUp) profile() {
	p := b.opts.Profile
	t := timingFor(p, b.opts.TimingBudget)
	b.write16(regMinRate, fixed97(p.rateLimit()))
	if p == LongRange {
		b.writes(regPrePhaseHigh, 0x50, regPrePhaseLow, 0x08, regPreVCSEL, byte(t.prePeriod/2-1))
		b.write16(regPreTimeout, encodeTimeout(t.pre))
		b.writes(regMSRCTimeout, byte(t.msrc-1),
			regFinalPhaseHigh, 0x48, regFinalPhaseLow, 0x08, regVCSELWidth, 0x03, regPhaseCalTimeout, 0x07,
			regPage, 0x01, regPhaseCalTimeout, 0x20, regPage, 0x00, regFinalVCSEL, byte(t.finalPeriod/2-1))
	}
	b.write16(regFinalTimeout, encodeTimeout(t.final))
	if p == LongRange {
		b.calibration(0x02, 0x01)
		b.writes(regSequence, sequenceRanging)
	}
}

// verify reads back the settings on which valid distances depend: a chip that only ever reports "no target" is worse
// than none. The bit set first of all shows whether the chip was reset during the bring-up.
func (b *bringUp) verify() {
	b.add(device.Step{Write: []byte{regVHV}, Read: 1, Check: func(r []byte) error {
		if r[0]&0x01 == 0 {
			return fmt.Errorf("%w: register 0x89 is %#02x, bit 0 was set", device.ErrReset, r[0])
		}
		return nil
	}})
	t := timingFor(b.opts.Profile, b.opts.TimingBudget)
	final, limit := encodeTimeout(t.final), fixed97(b.opts.Profile.rateLimit())
	for _, want := range [][]byte{
		{regSequence, sequenceRanging},
		{regInterruptConfig, 0x04},
		{regMinRate, byte(limit >> 8), byte(limit)},
		{regPreVCSEL, byte(t.prePeriod/2 - 1)},
		{regFinalVCSEL, byte(t.finalPeriod/2 - 1), byte(final >> 8), byte(final)},
	} {
		b.add(device.Expect(want[0], want[1:]...))
	}
}

// start starts continuous measurements.
func (b *bringUp) start() {
	mode := byte(startBackToBack)
	if b.opts.Period > 0 {
		mode = startTimed
		b.add(
			device.Step{Write: []byte{regOscillator}, Read: 2, Check: func(r []byte) error {
				b.clock = binary.BigEndian.Uint16(r)
				return nil
			}},
			device.Step{Write: []byte{regPeriod, 0, 0, 0, 0}, Prepare: func(w []byte) {
				binary.BigEndian.PutUint32(w[1:], uint32(b.opts.Period/time.Millisecond)*uint32(max(b.clock, 1)))
			}},
		)
	}
	b.writes(regPower, 0x01, regPage, 0x01, 0x00, 0x00)
	b.add(device.Step{Write: []byte{regStop, 0}, Prepare: func(w []byte) { w[1] = b.stop }})
	b.writes(0x00, 0x01, regPage, 0x00, regPower, 0x00, regRangeStart, mode)
}

// fixed97 returns a rate in MCPS in the chip's 9.7 fixed-point format.
func fixed97(mcps float64) uint16 { return uint16(math.Round(mcps * 128)) }
