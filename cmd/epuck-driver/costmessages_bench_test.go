// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
)

// costTypes are the types of which publishing and taking are counted apart: small and large.
func costTypes() []string {
	return []string{"sensor_msgs/msg/Range", "sensor_msgs/msg/LaserScan", "sensor_msgs/msg/Imu", "nav_msgs/msg/Odometry", "sensor_msgs/msg/CompressedImage"}
}

// BenchmarkCostPublish is one message, encoded and sent; BenchmarkCostExchange the same until a reader in the same
// program has it: both ends.
func BenchmarkCostPublish(b *testing.B) { benchmarkMessages(b, true) }

// BenchmarkCostExchange is described there.
func BenchmarkCostExchange(b *testing.B) { benchmarkMessages(b, false) }

// untilHeard publishes until both ends know each other.
func untilHeard(came <-chan struct{}, publish func()) {
	for {
		publish()
		select {
		case <-came:
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func benchmarkMessages(b *testing.B, away bool) {
	for _, t := range table.Topics() {
		if t.Direction != table.Published || !slices.Contains(costTypes(), t.Type) || t.Type == "sensor_msgs/msg/Range" && t.Name != "ps" {
			continue
		}
		b.Run(t.Type[strings.LastIndexByte(t.Type, '/')+1:], func(b *testing.B) {
			a := newAbyss(b)
			from, to := costTransport(b, a), costTransport(b, udp.System{})
			b.Cleanup(func() { _, _ = from.Close(), to.Close() })
			node, err := ros2.NewNode(ros2.NodeConfig{Name: driver.NodeName, Transport: from})
			if err != nil {
				b.Fatal(err)
			}
			user, err := ros2.NewNode(ros2.NodeConfig{Name: "user", Transport: to})
			if err != nil {
				b.Fatal(err)
			}
			came := make(chan struct{}, 1)
			r := &costRig{targetRobot: &targetRobot{node: node}, user: user}
			heard := t
			if away && t.Type == "sensor_msgs/msg/CompressedImage" {
				// A reliable sample of several datagrams that nothing acknowledges holds the next one back.
				heard.QoS.Reliability = ros2.BestEffort
			}
			r.hear(b, heard, t.Names()[0], func() {
				select {
				case came <- struct{}{}:
				default:
				}
			})
			s := targetPublisher(b, node, t)
			publish := func() {
				if err := s.publish(); err != nil {
					b.Fatal(err)
				}
			}
			untilHeard(came, publish)
			a.open.Store(away)
			countTurns(b, func(int) {
				publish()
				if !away {
					<-came
				}
			})
		})
	}
}
