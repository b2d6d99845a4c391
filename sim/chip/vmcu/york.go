// SPDX-License-Identifier: Apache-2.0

package vmcu

// Registers of York's firmware (branch pi-puck_proto-epuck1). 7–14 are the
// reflected light of the eight sensors, 15–22 the ambient light.
const (
	yorkOuterLEDs  = 0
	yorkInnerLEDs  = 1
	yorkLeftSpeed  = 2
	yorkRightSpeed = 3
	yorkLeftSteps  = 4
	yorkRightSteps = 5
	yorkReflected  = 7
	yorkAmbient    = 15
	yorkTest       = 254

	yorkSpeedLimit = 1000
)

// york is the state of York's firmware: a write of one byte chooses a register
// to read, a longer one sets it. Unknown registers leave the reply as it was.
// It exists so that a driver can be shown the wrong firmware.
type york struct {
	outer, inner byte
	speed        [2]int16
	test         byte
	reply        [2]byte
	size         int // of the reply; 0 before any register was chosen
}

func (y *york) receive(m *MCU, w []byte) int {
	switch {
	case len(w) == 0:
	case len(w) == 1:
		y.selectRegister(m, w[0])
	default:
		y.set(m, w[0], w[1:])
	}
	return len(w)
}

func (y *york) transmit(r []byte) {
	for i := range r {
		r[i] = 0
		if y.size > 0 {
			r[i] = y.reply[min(i, y.size-1)] // the last byte again and again
		}
	}
}

func (y *york) set(m *MCU, reg byte, data []byte) {
	switch reg {
	case yorkOuterLEDs:
		y.outer = data[0]
		m.leds.red = data[0] & 0x0f
	case yorkInnerLEDs:
		y.inner = data[0]
	case yorkLeftSpeed, yorkRightSpeed:
		if len(data) < 2 {
			return
		}
		v := max(-yorkSpeedLimit, min(yorkSpeedLimit, word(data[0], data[1])))
		y.speed[reg-yorkLeftSpeed] = v
		target := m.target
		target[reg-yorkLeftSpeed] = int(v)
		m.drive(target[0], target[1])
	}
}

func (y *york) selectRegister(m *MCU, reg byte) {
	switch {
	case reg == yorkOuterLEDs:
		y.short(y.outer)
	case reg == yorkInnerLEDs:
		y.short(y.inner)
	case reg == yorkLeftSpeed, reg == yorkRightSpeed:
		y.answer(uint16(y.speed[reg-yorkLeftSpeed]))
	case reg == yorkLeftSteps:
		y.answer(uint16(m.left.position()))
	case reg == yorkRightSteps:
		y.answer(uint16(m.right.position()))
	case reg >= yorkReflected && reg < yorkReflected+8:
		y.answer(uint16(m.measured().Delta[reg-yorkReflected]))
	case reg >= yorkAmbient && reg < yorkAmbient+8:
		y.answer(m.measured().Ambient[reg-yorkAmbient])
	case reg == yorkTest:
		y.short(y.test)
		y.test++
	}
}

func (y *york) answer(v uint16) { y.reply, y.size = [2]byte{byte(v), byte(v >> 8)}, 2 }

func (y *york) short(v byte) { y.reply, y.size = [2]byte{v}, 1 }
