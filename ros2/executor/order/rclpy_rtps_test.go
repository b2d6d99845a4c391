// SPDX-License-Identifier: Apache-2.0

//go:build peers && !rclgo

package order_test

import "testing"

// onRCL is nil: there is no rcl in this build.
func onRCL(*testing.T) ether { return nil }
