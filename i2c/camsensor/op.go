// SPDX-License-Identifier: Apache-2.0

package camsensor

import "time"

// op is one step of a sequence: a register is written, or some of its bits are.
type op struct {
	reg, value byte
	mask       byte          // 0: the whole register; otherwise these bits, the others do not change
	wait       time.Duration // afterwards
	look       bool          // only read it: the end of the sequence
}

// change is an op that writes some bits of a register.
func change(reg, mask, value byte) op { return op{reg: reg, mask: mask, value: value & mask} }

// program builds the sequence of a model in p.
func program(p []op, m Model, s *Settings) []op {
	switch m {
	case ov7670:
		p = ovProgram(p, s)
	case po8030:
		p = poProgram(p, s)
	}
	reg, _, _ := m.sentinel()
	return append(p, op{reg: reg, look: true})
}
