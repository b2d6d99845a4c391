// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

func TestMemory(t *testing.T) {
	ros2test.Suite{
		Network: func(*testing.T) func() ros2.Transport {
			net := ros2test.NewNetwork()
			return func() ros2.Transport { return net.NewTransport() }
		},
		Settle: synctest.Wait,
		Wrap:   synctest.Test,
	}.Run(t)
}

// TestRTPS runs over a perfect network in simulated time.
func TestRTPS(t *testing.T) {
	ros2test.Suite{
		Network: func(t *testing.T) func() ros2.Transport {
			net, hosts := vnet.New(vnet.Config{Seed: 1}), byte(0)
			return func() ros2.Transport {
				hosts++
				tr, err := rmw.New(rmw.Config{Network: net.Host(hosts)})
				if err != nil {
					t.Fatal(err)
				}
				return tr
			}
		},
		Settle: func() {
			time.Sleep(10 * time.Second)
			synctest.Wait()
		},
		Wrap: synctest.Test,
	}.Run(t)
}
