// SPDX-License-Identifier: Apache-2.0

package order_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// Two nodes for 30 ms, twice: the second run follows the record of the first.
func Example() {
	run := func(cfg order.Config) []order.Run {
		t := ros2test.NewTransport()
		defer t.Close()
		var record []order.Run
		cfg.Record = func(r order.Run) { record = append(record, r) }
		c := order.New(cfg)
		node := func(name string) *ros2.Node {
			n, err := ros2.NewNode(ros2.NodeConfig{Name: name, Transport: c.Transport(t), Clock: c.Clock(), Callbacks: c.NewGroup()})
			if err != nil {
				fmt.Println(err)
			}
			return n
		}
		sensor, control := node("sensor"), node("control")
		defer sensor.Close()
		defer control.Close()
		defer c.Close()
		if _, err := ros2.Listen(control, "scan", ros2.DefaultQoS(), func(*std_msgs.String) {}); err != nil {
			fmt.Println(err)
		}
		scan, err := ros2.NewPublisher[std_msgs.String](sensor, "scan", ros2.DefaultQoS())
		if err != nil {
			fmt.Println(err)
			return nil
		}
		_, err = ros2.NewTicker(sensor, "measure", 20*time.Millisecond, func(at time.Time) {
			if err := scan.Publish(&std_msgs.String{Data: "5 cm"}); err != nil {
				fmt.Println(err)
			}
		})
		if err != nil {
			fmt.Println(err)
		}
		if err := c.Advance(time.Time{}.Add(30 * time.Millisecond)); err != nil {
			fmt.Println(err)
		}
		return record
	}
	first := run(order.Config{})
	second := run(order.Config{Replay: first, Parallel: true})
	for _, r := range second {
		fmt.Println(r)
	}
	fmt.Printf("difference: %q\n", order.Difference(first, second))
	// Output:
	// 0.020000000+0 /sensor timer "measure" > /scan 0d06b62425b0a50a
	// 0.020000000+1 /control subscription "/scan"
	// difference: ""
}

// A record is text, a line for each callback: it can be stored in a file and compared with the next run.
func ExampleReadRecord() {
	record, err := order.ReadRecord(strings.NewReader(`0.020000000+0 /sensor timer "measure" > /scan 0d06b62425b0a50a
0.020000000+1 /control subscription "/scan"
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	changed, err := order.ParseRun(`0.020000000+1 /control subscription "/scan" > /cmd_vel 00c3a1b2d4e5f607`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(record), record[0].Source.Node.FullName(), record[0].Sent[0].Topic)
	fmt.Println(order.Difference(record, []order.Run{record[0], changed}) != "")
	// Output:
	// 2 /sensor /scan
	// true
}
