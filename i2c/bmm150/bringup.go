// SPDX-License-Identifier: Apache-2.0

package bmm150

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// Addr is the first of four addresses, selected by two pins.
const (
	Addr     = 0x10
	LastAddr = 0x13
)

const (
	regID      = 0x40
	regData    = 0x42
	regPower   = 0x4B
	regControl = 0x4C // after regPower
	regAxes    = 0x4E
	regRepXY   = 0x51 // then the repetitions of z
	chipID     = 0x32
	powerOn    = 0x01
	modeForced = 0x02 // of regControl: measure once
	modeSleep  = 0x06
)

// bringUp is the plan: suspend, wake, identify at each address, read the trim, set the repetitions.
type bringUp struct {
	chip      *device.Chip
	addresses []uint16
	at        int
	why       error // why no address before was right
	identify  []device.Step
	setUp     []device.Step
	identical bool // the chip was identified
	trim      trim
}

func newBringUp(o *Opts, addresses []uint16) *bringUp {
	b := &bringUp{addresses: addresses}
	b.identify = []device.Step{
		{Write: []byte{regPower, 0x00}, Tries: 1}, // suspending is the reset
		{Wait: time.Millisecond, Write: []byte{regPower, powerOn}},
		{Wait: 3 * time.Millisecond, Write: []byte{regID}, Read: 1, Check: func(r []byte) error {
			if r[0] != chipID {
				return fmt.Errorf("%w at %#02x: register 0x40 is %#02x, a BMM150 has 0x32", device.ErrIdentity, b.chip.Addr(), r[0])
			}
			return nil
		}},
	}
	reps := []byte{presets[o.Preset].xy, presets[o.Preset].z}
	b.setUp = slices.Concat(
		device.ReadTwice(regTrimXY1, trimXY1Len, func(r []byte) error { b.trim.takeXY1(r); return nil }),
		device.ReadTwice(regTrimZ4, trimZ4Len, func(r []byte) error { b.trim.takeZ4(r); return nil }),
		device.ReadTwice(regTrimZ2, trimZ2Len, b.trim.takeZ2),
		[]device.Step{
			device.Write(regRepXY, reps[0]),
			device.Write(regRepXY+1, reps[1]),
			device.Write(regAxes, 0x00),
			device.Write(regControl, modeSleep),
			device.Expect(regRepXY, reps...),
			device.Expect(regControl, modeSleep),
		})
	return b
}

// Begin implements device.Plan.
func (b *bringUp) Begin() []device.Step {
	b.at, b.why, b.identical = 0, nil, false
	b.chip.SetAddr(b.addresses[0])
	return b.identify
}

// Next implements device.Plan.
func (b *bringUp) Next(err error) ([]device.Step, error) {
	switch {
	case err == nil && b.identical:
		return nil, nil
	case err == nil:
		b.identical = true
		return b.setUp, nil
	case b.identical:
		return nil, fmt.Errorf("bmm150: bring-up: %w", err)
	}
	if b.why == nil || errors.Is(err, device.ErrIdentity) {
		b.why = err
	}
	if b.at++; b.at == len(b.addresses) {
		return nil, fmt.Errorf("bmm150: bring-up: %w", b.why)
	}
	b.chip.SetAddr(b.addresses[b.at])
	return b.identify, nil
}
