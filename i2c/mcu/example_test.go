// SPDX-License-Identifier: Apache-2.0

package mcu_test

import (
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/i2c/i2cfake"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

// reply returns the bytes of a sensor packet.
func reply(s mcu.Sensors) []byte {
	var p [mcu.SensorsSize]byte
	s.Put(&p)
	return p[:]
}

// One exchange: half a wheel turn per second forwards, and what the robot measured. On a robot the bus is that of
// i2c.Open.
func ExampleDev_Exchange() {
	robot := i2cfake.Step{
		Addr: mcu.Addr,
		Read: reply(mcu.Sensors{Ambient: [8]uint16{4000}, Selector: 10, LeftSteps: 12, RightSteps: -3}),
	}
	bus := i2cfake.NewScript(robot, robot) // the first command of all has zero speeds: see Dev.WheelsListen
	dev, err := mcu.New(bus, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	v := mcu.SpeedFromRadians(math.Pi)
	s, err := dev.Exchange(mcu.Command{Left: v, Right: v, LEDs: mcu.LED1})
	fmt.Println(v, s.LeftSteps, s.RightSteps, s.Selector, err)
	// Output: 500 12 -3 10 <nil>
}

// Zeros have a right checksum but are not a measurement.
func ExampleDecode() {
	_, err := mcu.Decode(make([]byte, mcu.SensorsSize))
	fmt.Println(err)
	// Output: mcu: implausible packet: mcu: all bytes are zero
}

// The wheel turns a little faster than commanded: the firmware's timer rounds.
func ExampleSpeed_Actual() {
	fmt.Printf("%.1f %.1f\n", mcu.Speed(300).Actual(), mcu.MaxSpeed.Actual())
	// Output: 301.2 1111.1
}
