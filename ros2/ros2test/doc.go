// SPDX-License-Identifier: Apache-2.0

// Package ros2test implements a [ros2.Transport] in memory, for testing nodes without a network.
//
// Every transport of a [Network] represents one process. Matching, quality of service, history for late subscriptions
// and the graph work as on a real network. Delivery is immediate, on the publishing goroutine, and in order: when
// Publish returns, all callbacks have run. So a callback that publishes with the publisher that called it would
// deadlock.
//
// Tests can record messages ([Transport.Record]) and inject failures ([Transport.FailWrites], [Transport.Break]).
package ros2test
