// SPDX-License-Identifier: Apache-2.0

// Package idl parses ROS 2 interface definitions: .msg, .srv and .action files, as described in the ROS 2 documentation
// under "About interfaces".
//
// In addition to ROS 2's rules, comments are assigned: the first block of comments that ends with a blank line
// describes the message or service, comments directly above a field or constant or after it on its line describe that.
// Other comments are dropped. wstring is rejected: the two common DDS implementations encode it differently.
package idl
