// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// A counter that several goroutines publish to at the same time, without a lock.
func ExampleConcurrent() {
	transport := ros2test.NewTransport()
	defer transport.Close()
	node, _ := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: transport})
	defer node.Close()
	var sum atomic.Int64
	_, _ = ros2.Listen(node, "ticks", ros2.DefaultQoS(), func(m *std_msgs.Int32) { sum.Add(int64(m.Data)) }, ros2.Concurrent())
	var senders sync.WaitGroup
	for range 4 {
		publisher, _ := ros2.NewSharedPublisher[std_msgs.Int32](node, "ticks", ros2.DefaultQoS())
		senders.Go(func() {
			for range 100 {
				_ = publisher.Publish(&std_msgs.Int32{Data: 1})
			}
		})
	}
	senders.Wait()
	fmt.Println(sum.Load())
	// Output: 400
}
