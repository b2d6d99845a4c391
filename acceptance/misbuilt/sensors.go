// SPDX-License-Identifier: Apache-2.0

package misbuilt

import (
	"encoding/binary"
	"fmt"
)

// sensorFaults returns the faults of the sensors that the main processor reads.
func sensorFaults() []Fault {
	var list []Fault
	for i := range 8 {
		list = append(list,
			word(fmt.Sprintf("infrared-%d-dead", i), fmt.Sprintf("proximity sensor %d measures nothing", i), 2*i, 0),
			word(fmt.Sprintf("light-%d-dead", i), fmt.Sprintf("light sensor %d is dark", i), 16+2*i, 4095))
	}
	for i := range 4 {
		list = append(list, word(fmt.Sprintf("microphone-%d-dead", i), fmt.Sprintf("microphone %d hears nothing", i), 32+2*i, 0))
	}
	return append(list,
		word("infrared-3-saturated", "proximity sensor 3 is saturated: something covers it", 6, 4095),
		replied("infrared-order-reversed", "the proximity sensors are numbered anticlockwise", func(p []byte) {
			for i := range 4 {
				a, b := p[2*i:2*i+2], p[14-2*i:16-2*i]
				a[0], a[1], b[0], b[1] = b[0], b[1], a[0], a[1]
			}
		}),
		replied("selector-wrong", "the selector is at 3", func(p []byte) { p[40] = p[40]&0xF0 | 3 }),
		replied("button-stuck", "the user button is pressed forever", func(p []byte) { p[40] |= 0x10 }),
	)
}

// replied returns a fault that changes the reply of the main processor.
func replied(name, what string, f func(reply []byte)) Fault {
	return Fault{Name: name, What: what, make: func() effect {
		return effect{after: func(t *transfer) {
			if t.sensors() {
				f(t.r)
			}
		}}
	}}
}

// word returns a fault that replaces a little-endian word of the reply.
func word(name, what string, at int, v uint16) Fault {
	return replied(name, what, func(p []byte) { binary.LittleEndian.PutUint16(p[at:], v) })
}
