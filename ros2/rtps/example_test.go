// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// A writer and a reader on two hosts find each other and exchange a sample. Without Config.Network the participants
// would use UDP.
func Example() {
	network := vnet.New(vnet.Config{})
	robot, err := rtps.NewParticipant(rtps.Config{Name: "robot", Network: network.Host(1)})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer robot.Close()
	laptop, err := rtps.NewParticipant(rtps.Config{Name: "laptop", Network: network.Host(2)})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer laptop.Close()

	const topic, typeName = "rt/chatter", "std_msgs::msg::dds_::String_"
	qos := wire.DefaultWriterQoS() // reliable
	received := make(chan string, 1)
	_, err = laptop.NewReader(rtps.ReaderConfig{
		Topic: topic, Type: typeName, QoS: qos,
		OnSample: func(s *rtps.Sample) { received <- string(s.Payload[8 : 8+s.Payload[4]-1]) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	matched := make(chan int, 1)
	writer, err := robot.NewWriter(rtps.WriterConfig{
		Topic: topic, Type: typeName, QoS: qos,
		OnMatch: func(n int, ev rtps.MatchEvent) {
			if ev.Kind == rtps.Matched {
				matched <- n
			}
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(<-matched, "reader")
	// A string in CDR: encapsulation header, length with the final NUL, bytes.
	if err := writer.Write([]byte("\x00\x01\x00\x00\x06\x00\x00\x00hello\x00")); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(<-received)
	// Output:
	// 1 reader
	// hello
}
