// SPDX-License-Identifier: Apache-2.0

package procedure

import "github.com/epuck-ros2/epuck-driver/msgs/std_msgs"

// countsMessage is the message of ps_raw: the infrared sensors' readings, counts.
type countsMessage = std_msgs.UInt16MultiArray

// last returns the newest message, the zero value if there was none.
func (s *Stream[T]) last() T {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.latest
}
