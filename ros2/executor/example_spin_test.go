// SPDX-License-Identifier: Apache-2.0

package executor_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// Callbacks of a reentrant group run concurrently, here two of one subscription: the first waits for the second. An
// executor can only spin once at a time.
func ExampleExecutor_Spin() {
	t := ros2test.NewTransport()
	defer t.Close()
	e := executor.NewMultiThreaded(2)
	n, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: t, Callbacks: e.NewGroup(executor.Reentrant)})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer n.Close()
	ctx, stop := context.WithCancel(context.Background())
	second := make(chan struct{})
	_, err = ros2.Listen(n, "numbers", ros2.DefaultQoS(), func(m *std_msgs.Int32) {
		if m.Data == 1 {
			<-second
			fmt.Println("spinning:", errors.Is(e.SpinSome(), executor.ErrSpinning))
			stop()
			return
		}
		close(second)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	pub, err := ros2.NewPublisher[std_msgs.Int32](n, "numbers", ros2.DefaultQoS())
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range int32(2) {
		if err := pub.Publish(&std_msgs.Int32{Data: i + 1}); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(e.Spin(ctx))
	// Output:
	// spinning: true
	// <nil>
}
