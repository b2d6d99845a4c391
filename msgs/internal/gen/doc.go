// SPDX-License-Identifier: Apache-2.0

// Package gen writes Go packages from ROS 2 interface definitions: a struct
// for each message and service half with its CDR encoding, decoding, ROS name
// and type hash, and the lookup by name of package msgs.
//
// The definitions lie in <package>/msg and <package>/srv below a root. A
// directory one level deeper, <package>/<variant>/msg, holds the layout of the
// same ROS types in another ROS 2 release; it becomes a Go package of its own
// and is left out of the lookup.
package gen
