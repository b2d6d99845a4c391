// SPDX-License-Identifier: Apache-2.0

// Package ros2test holds a [ros2.Transport] that stays in memory, so that nodes
// are tested without a network.
//
// A [Network] is the ether; every transport made from it is one process on it.
// Matching, quality of service, history for late subscriptions and the graph
// work as on the wire. Delivery is at once, on the goroutine that publishes, and
// in order: when Publish returns, every callback has run. A callback that
// publishes on the publisher it was called by would therefore wait for itself.
//
// What a test wants to see is recorded, if it asks for it ([Transport.Record]),
// and what it wants to fail, fails ([Transport.FailWrites], [Transport.Break]).
package ros2test
