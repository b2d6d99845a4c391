// SPDX-License-Identifier: Apache-2.0

//go:build linux

package i2c_test

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing/fstest"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/i2cfake"
)

// The bus of a Pi-puck is found by its multiplexer's link; here in a file system made up for the example.
func ExampleFind() {
	machine := fstest.MapFS{
		"sys/bus/i2c/devices/1-0070/channel-1": {Data: []byte("../i2c-12"), Mode: fs.ModeSymlink},
		"dev/i2c-12":                           {},
	}
	loc, err := i2c.Find(machine, i2c.Auto)
	fmt.Println(loc.Path, err)
	// Output: /dev/i2c-12 <nil>
}

// A robot that is switched off acknowledges nothing.
func ExampleKindOf() {
	err := fmt.Errorf("exchange: %w", &i2c.BusError{Bus: "/dev/i2c-12", Addr: 0x1F, Write: 20, Read: 47, Err: syscall.EREMOTEIO})
	fmt.Println(errors.Is(err, i2c.ErrBus), i2c.KindOf(err))
	// Output: true not acknowledged
}

// A meter around a bus counts what happens on it.
func ExampleNewMeter() {
	bus := i2cfake.NewScript(
		i2cfake.Step{Addr: 0x60, Write: []byte{0}, Err: syscall.ETIMEDOUT},
		i2cfake.Step{Addr: 0x60, Write: []byte{0}, Read: []byte{1, 2}},
	)
	meter := i2c.NewMeter(bus, nil)
	r := make([]byte, 2)
	first := meter.Tx(0x60, []byte{0}, r)
	second := meter.Tx(0x60, []byte{0}, r)
	s := meter.Stats()
	fmt.Println(r, first != nil, second, s.Transactions, s.Errors[i2c.KindTimeout])
	// Output: [1 2] true <nil> 2 1
}
