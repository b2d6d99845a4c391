// SPDX-License-Identifier: Apache-2.0

//go:build peers && rclgo

package order_test

import (
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order"
	"github.com/epuck-ros2/epuck-driver/ros2/rclgo"
)

// onRCL makes transports of rcl.
func onRCL(t *testing.T) ether {
	return func() ros2.ServiceTransport {
		tr, err := rclgo.New(rclgo.Config{DomainID: rclpyDomain})
		if err != nil {
			t.Fatal(err)
		}
		return tr
	}
}

// The swarm with its foreign processes has the same record on rcl as in memory.
func TestTraceOfProcessesOnRCL(t *testing.T) {
	inMemory := mixed(t, memory(), order.Config{}, 200*time.Millisecond, nil)
	for i := range 4 {
		onRCL := mixed(t, onRCL(t), order.Config{Parallel: i%2 == 1}, 200*time.Millisecond, nil)
		if d := order.Difference(inMemory, onRCL); d != "" {
			t.Fatalf("run %d: %s\n%s\nin memory\n%s", i+1, d, text(onRCL), text(inMemory))
		}
	}
}
