// SPDX-License-Identifier: Apache-2.0

package wheels

// dropped returns the number of events dropped because the queue was full.
func (l *Loop) dropped() uint64 { return l.events.dropped.Load() }
