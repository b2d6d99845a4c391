// SPDX-License-Identifier: Apache-2.0

package device_test

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/i2cfake"
)

// thermometer is brought up by an identity and a switch.
type thermometer struct{ steps []device.Step }

func (p *thermometer) Begin() []device.Step                  { return p.steps }
func (p *thermometer) Next(err error) ([]device.Step, error) { return nil, err }

// A chip whose identity is checked, which is switched on, and read 10 ms later.
func Example() {
	plan := &thermometer{steps: []device.Step{
		{Write: []byte{0x0F}, Read: 1, Check: func(r []byte) error {
			if r[0] != 0xB3 {
				return fmt.Errorf("%w: %#02x", device.ErrIdentity, r[0])
			}
			return nil
		}},
		{Write: []byte{0x10, 0x01}},
	}}
	bus := i2cfake.NewScript(
		i2cfake.Step{Addr: 0x5D, Write: []byte{0x0F}, Read: []byte{0xB3}},
		i2cfake.Step{Addr: 0x5D, Write: []byte{0x10, 0x01}},
		i2cfake.Step{Addr: 0x5D, Write: []byte{0x2B}, Read: []byte{21}},
	)
	chip, err := device.NewChip("thermometer", bus, 0x5D, plan, device.Opts{})
	if err != nil {
		fmt.Println(err)
		return
	}
	now := time.Unix(0, 0)
	running, err := chip.Poll(now)
	fmt.Println(running, err, chip.State())

	now = now.Add(10 * time.Millisecond)
	if running, _ = chip.Poll(now); running {
		r := make([]byte, 1)
		err = chip.Tx(now, 0, []byte{0x2B}, r)
		fmt.Println(r[0], "°C", err)
	}
	// Output:
	// true <nil> running
	// 21 °C <nil>
}
