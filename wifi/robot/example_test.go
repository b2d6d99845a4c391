// SPDX-License-Identifier: Apache-2.0

package robot_test

import (
	"context"
	"fmt"
	"net"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/wifi/robot"
)

// A robot that is switched off. On a real network Dial is nil, and a driver uses it as its hardware, and Camera.
func ExampleNew() {
	r, err := robot.New(robot.Config{Address: "192.168.1.20", Dial: func(context.Context, string) (net.Conn, error) {
		return nil, errFar
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	bus := r.Bus()
	dev, err := mcu.New(bus, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = dev.Exchange(mcu.Command{})
	fmt.Println(bus, err != nil, dev.Diagnosis().Health == mcu.HealthNoAnswer)
	fmt.Println(r.Close())
	// Output:
	// wifi:192.168.1.20:1000 true true
	// <nil>
}
