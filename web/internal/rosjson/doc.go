// SPDX-License-Identifier: Apache-2.0

// Package rosjson writes and reads ROS messages as JSON and CBOR in the form that rosbridge has made common: octets in
// base64, numbers that JSON does not have as null.
package rosjson
