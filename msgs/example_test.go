// SPDX-License-Identifier: Apache-2.0

package msgs_test

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
)

// A message is a plain struct; package cdr encodes it as ROS 2 does.
func Example() {
	scan := sensor_msgs.Range{
		Header: std_msgs.Header{
			Stamp:   builtin_interfaces.TimeOf(time.Unix(1700000000, 500)),
			FrameID: "ps0",
		},
		RadiationType: sensor_msgs.RangeInfrared,
		MinRange:      0.005,
		MaxRange:      0.05,
		Range:         0.021,
	}
	data := cdr.Append(nil, &scan)
	fmt.Println(scan.ROSType(), len(data), "bytes")

	var got sensor_msgs.Range
	if err := cdr.Unmarshal(data, &got); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(got.Header.FrameID, got.Range, "m at", got.Header.Stamp.Time().Format(time.RFC3339Nano))
	// Output:
	// sensor_msgs/msg/Range 40 bytes
	// ps0 0.021 m at 2023-11-14T22:13:20.0000005Z
}

// A tool looks up a type from the network by name.
func ExampleLookup() {
	newMessage, ok := msgs.Lookup("std_msgs/msg/String")
	if !ok {
		fmt.Println("unknown type")
		return
	}
	m := newMessage()
	err := cdr.Unmarshal([]byte("\x00\x01\x00\x00\x06\x00\x00\x00hello\x00"), m)
	fmt.Println(m.(*std_msgs.String).Data, err)
	// Output: hello <nil>
}

func ExampleLookupService() {
	service, _ := msgs.LookupService("std_srvs/srv/Trigger")
	fmt.Println(service.TypeHash())
	// Output: RIHS01_eeff2cd6fa5ad9d27cdf4dec64818317839b62f212a91e6b5304b634b2062c5f
}
