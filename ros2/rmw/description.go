// SPDX-License-Identifier: Apache-2.0

package rmw

import "github.com/epuck-ros2/epuck-driver/ros2"

var _ ros2.DescribedTransport = (*Transport)(nil)

// Description returns "rtps".
func (t *Transport) Description() string { return "rtps" }
