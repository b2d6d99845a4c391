// SPDX-License-Identifier: Apache-2.0

// Package wire defines the protocol among the processes of a deterministically executed application: JSON in
// std_msgs/String, on two topics. docs/explanation/time.md describes the sequence. The Python executor of deploy/ros
// implements the same protocol.
package wire
