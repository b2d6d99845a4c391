// SPDX-License-Identifier: Apache-2.0

package procedure

import "github.com/epuck-ros2/epuck-driver/msgs/std_msgs"

// countsMessage is ps_raw: the infrared sensors' readings.
type countsMessage = std_msgs.UInt16MultiArray

// last is the newest message, zero if there was none.
func (s *Stream[T]) last() T {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.latest
}
