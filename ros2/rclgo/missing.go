// SPDX-License-Identifier: Apache-2.0

//go:build !rclgo

package rclgo

import "github.com/epuck-ros2/epuck-driver/ros2"

// BuiltIn is whether the transport is built into this program.
const BuiltIn = false

// New returns [ErrNotBuiltIn].
func New(Config) (ros2.ServiceTransport, error) { return nil, ErrNotBuiltIn }
