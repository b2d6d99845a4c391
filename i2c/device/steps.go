// SPDX-License-Identifier: Apache-2.0

package device

import (
	"bytes"
	"fmt"
)

// Write is a step that writes a register and those after it.
func Write(b ...byte) Step { return Step{Write: b} }

// Expect is a step that reads registers back and fails with [ErrVerify] unless they hold want.
func Expect(reg byte, want ...byte) Step {
	return Step{Write: []byte{reg}, Read: len(want), Check: func(r []byte) error {
		if !bytes.Equal(r, want) {
			return fmt.Errorf("%w: register %#02x is % x, want % x", ErrVerify, reg, r, want)
		}
		return nil
	}}
}

// ReadTwice returns steps that read n bytes twice and pass them to use, or fail with [ErrVerify] if they differ. It is
// for data that are read once and used for hours, such as factory calibrations: I2C has no checksums.
func ReadTwice(reg byte, n int, use func(r []byte) error) []Step {
	first := make([]byte, n)
	return []Step{
		{Write: []byte{reg}, Read: n, Check: func(r []byte) error { copy(first, r); return nil }},
		{Write: []byte{reg}, Read: n, Check: func(r []byte) error {
			if !bytes.Equal(r, first) {
				return fmt.Errorf("%w: register %#02x is % x, then % x", ErrVerify, reg, first, r)
			}
			return use(r)
		}},
	}
}

// found is a plan with one list of steps.
type found []Step

func (f found) Begin() []Step                { return f }
func (found) Next(err error) ([]Step, error) { return nil, err }

// Found is the plan of a chip without a start-up: it runs when the steps are done.
func Found(steps ...Step) Plan { return found(steps) }
