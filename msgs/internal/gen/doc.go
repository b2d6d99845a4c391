// SPDX-License-Identifier: Apache-2.0

// Package gen generates Go packages from ROS 2 interface definitions: a struct for each message, request and response
// with its CDR encoding, decoding, ROS name and type hash, and the lookup by name of package msgs.
//
// The definitions are in <package>/msg, <package>/srv and <package>/action below a root. A directory one level deeper,
// <package>/<variant>/msg, has the layout of the same ROS types in another ROS 2 release; it becomes a separate Go
// package and is not part of the lookup.
package gen
