// SPDX-License-Identifier: Apache-2.0

// Package tf2_msgs has the messages of /tf and /tf_static: the tree of coordinate frames (REP 105).
package tf2_msgs
