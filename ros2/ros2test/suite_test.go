// SPDX-License-Identifier: Apache-2.0

package ros2test_test

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

func TestSuite(t *testing.T) {
	ros2test.Suite{Network: func(*testing.T) func() ros2.Transport {
		net := ros2test.NewNetwork()
		return func() ros2.Transport { return net.NewTransport() }
	}}.Run(t)
}
