// SPDX-License-Identifier: Apache-2.0

// Package idl reads ROS 2 interface definitions: .msg and .srv files, as
// described in the ROS 2 documentation under "About interfaces".
//
// Beyond what ROS 2 asks for, a comment belongs to something: the first block
// of comments that ends with a blank line describes the message or service,
// comments right above a field or constant or behind it on its line describe
// that. A comment elsewhere belongs to nothing and is dropped. wstring is
// refused: the two common DDS implementations encode it differently.
package idl
