// SPDX-License-Identifier: Apache-2.0

package misbuilt

import "fmt"

// addrBoardLEDs is the address of the FT903 on the Pi-puck board's bus, which receives the number of an LED and its
// colour.
const addrBoardLEDs = 0x1C

// lightFaults returns the faults of LEDs, speaker and selector. Byte 4 of a command is the melody, byte 5 has the red
// LEDs, bytes 6 to 17 the others.
func lightFaults() []Fault {
	var list []Fault
	for i := range 8 {
		list = append(list, commanded(fmt.Sprintf("led-%d-dead", i), fmt.Sprintf("led%d stays dark", i), func(p []byte) {
			if i%2 == 0 {
				p[5] &^= 1 << (i / 2)
				return
			}
			clear(p[6+3*(i/2) : 9+3*(i/2)])
		}))
	}
	for i := range 3 {
		list = append(list, Fault{Name: fmt.Sprintf("board-led-%d-dead", i), What: fmt.Sprintf("pi_led%d stays dark", i), make: func() effect {
			return effect{before: func(t *transfer) error {
				if t.addr == addrBoardLEDs && len(t.w) == 2 && int(t.w[0]) == i {
					t.w[1] = 0
				}
				return nil
			}}
		}})
	}
	return append(list,
		commanded("led-colours-swapped", "red and blue of the colour LEDs are swapped", func(p []byte) {
			for i := 6; i < 18; i += 3 {
				p[i], p[i+2] = p[i+2], p[i]
			}
		}),
		commanded("speaker-dead", "the speaker is silent", func(p []byte) { p[4] = 0 }),
		replied("selector-stuck", "the selector is reported at 10 wherever it is turned", func(p []byte) { p[40] = p[40]&0xF0 | 10 }),
	)
}

// commanded returns a fault that changes the commands to the main processor.
func commanded(name, what string, f func(command []byte)) Fault {
	return Fault{Name: name, What: what, make: func() effect {
		return effect{before: func(t *transfer) error {
			if t.command() {
				f(t.w)
			}
			return nil
		}}
	}}
}
