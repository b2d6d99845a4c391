// SPDX-License-Identifier: Apache-2.0

//go:build !rclgo

package conformance

import (
	"errors"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2/rclgo"
)

// TestRCLGo reports that the tests with rclgo were not run.
func TestRCLGo(t *testing.T) {
	if tr, err := rclgo.New(rclgo.Config{}); tr != nil || !errors.Is(err, rclgo.ErrNotBuiltIn) || rclgo.BuiltIn {
		t.Errorf("a program without rclgo opens %v, %v", tr, err)
	}
	t.Skip("the rclgo half did not run: it needs ROS 2 (source its setup.sh, then make test-rclgo)")
}
