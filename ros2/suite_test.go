// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"testing"
	"testing/synctest"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// TestSuite: what holds for nodes on every transport, here on the one in memory.
func TestSuite(t *testing.T) {
	ros2test.Suite{
		Network: func(*testing.T) func() ros2.Transport {
			net := ros2test.NewNetwork()
			return func() ros2.Transport { return net.NewTransport() }
		},
		Settle: synctest.Wait, // for the handlers of services; all else is done at once
		Wrap:   synctest.Test,
	}.Run(t)
}
