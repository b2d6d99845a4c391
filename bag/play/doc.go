// SPDX-License-Identifier: Apache-2.0

// Package play plays a bag as "ros2 bag play" does.
//
// A [Player] offers each topic with the quality of service that its publishers offered, so the same subscriptions
// match. Transient-local messages from before the start of playing, or the target of a seek, are published first: a map
// or /tf_static is available wherever playing starts. Messages are published byte for byte; their types need not be
// known.
package play
