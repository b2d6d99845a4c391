// SPDX-License-Identifier: Apache-2.0

// Package play publishes a bag's messages again, in their time, as "ros2 bag play" does.
//
// A [Player] offers each topic with the quality of service that its publishers offered, so that subscriptions match
// as they did. Transient local messages from before the place where playing begins, or jumps to, are published first:
// a map or /tf_static is there wherever one starts. Messages are published byte for byte; their types need not be
// known.
package play
