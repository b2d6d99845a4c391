// SPDX-License-Identifier: Apache-2.0

package ros2test

import "github.com/epuck-ros2/epuck-driver/ros2"

var _ ros2.CountingTransport = (*Transport)(nil)

// SetCounters sets the counters that [Transport.Counters] returns. It defaults to none.
func (t *Transport) SetCounters(list ...ros2.Counter) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counters = append(t.counters[:0], list...)
}

// Counters appends the counters that were set.
func (t *Transport) Counters(dst []ros2.Counter) []ros2.Counter {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append(dst, t.counters...)
}
