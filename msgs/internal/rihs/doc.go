// SPDX-License-Identifier: Apache-2.0

// Package rihs describes interface types and computes their RIHS01 hash, the ROS Interface Hashing Standard of REP
// 2011, which Iron and later announce in discovery: the SHA-256 of a JSON text of the type and all types to which it
// refers.
package rihs
