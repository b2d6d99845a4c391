// SPDX-License-Identifier: Apache-2.0

package vmcu_test

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
)

// darkness is an environment without light and obstacles.
type darkness struct{}

func (darkness) Infrared(_ int64, s *vmcu.Infrared) {
	*s = vmcu.Infrared{}
	for i := range s.Ambient {
		s.Ambient[i] = 4095
	}
}

func (darkness) Sound(at *[4]float64) { *at = [4]float64{} }

func ExampleMCU() {
	m := vmcu.New(vmcu.Config{Selector: 10, Environment: darkness{}})

	command := []byte{0xF4, 0x01, 0x0C, 0xFE, 19: 0} // 500 and −500 steps/s
	for _, b := range command[:19] {
		command[19] ^= b
	}
	m.Receive(command)
	m.Advance(vmcu.FirstPeriod) // the first command of all acts late
	m.Advance(vmcu.FirstPeriod + 2*time.Second)
	m.Receive(command)

	reply := make([]byte, vmcu.ReplySize)
	m.Transmit(reply)
	fmt.Println("selector", reply[40])
	fmt.Println("left", int16(uint16(reply[41])|uint16(reply[42])<<8))
	fmt.Println("right", int16(uint16(reply[43])|uint16(reply[44])<<8))
	// Output:
	// selector 10
	// left 1002
	// right -1002
}
