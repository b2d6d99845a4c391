// SPDX-License-Identifier: Apache-2.0

package ros2test

import "github.com/epuck-ros2/epuck-driver/ros2"

var _ ros2.DescribedTransport = (*Transport)(nil)

// Description returns "memory".
func (t *Transport) Description() string { return "memory" }
