// SPDX-License-Identifier: Apache-2.0

package parts_test

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// thermometer is a part that is always there.
type thermometer struct{}

func (thermometer) Measure(time.Time) (news bool, err error) { return true, nil }
func (thermometer) State() device.State                      { return device.Running }
func (thermometer) String() string                           { return "thermometer i2c-1(0x48)" }
func (thermometer) Halt() error                              { return nil }

// printer prints what becomes of the parts.
type printer struct{}

func (printer) Measured(s *parts.Slot, _ time.Time)             { fmt.Println("measured:", s.Name()) }
func (printer) Found(s parts.Status)                            { fmt.Println("found:", s.Device) }
func (printer) Lost(s parts.Status, _ error)                    { fmt.Println("gone:", s.Name) }
func (printer) NotOffered(_ parts.Status, _ time.Time, _ error) {}

// A thermometer that is read twice a second, by control cycles of a quarter of a second.
func Example() {
	now := time.Unix(0, 0)
	scheduler := parts.NewScheduler(func() time.Time { return now }, printer{})
	scheduler.Add(parts.NewSlot("thermometer", thermometer{}, nil, 2, nil, now))
	const cycle = 250 * time.Millisecond
	for range 4 {
		scheduler.PollAll(now, cycle)
		now = now.Add(cycle)
	}
	fmt.Println(scheduler.Statuses(nil)[0].Polls, scheduler.Halt())
	// Output:
	// found: thermometer i2c-1(0x48)
	// measured: thermometer
	// measured: thermometer
	// 2 <nil>
}
