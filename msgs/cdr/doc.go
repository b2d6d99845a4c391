// SPDX-License-Identifier: Apache-2.0

// Package cdr encodes and decodes the Common Data Representation that ROS 2 uses on the wire: plain CDR version 1
// (DDSI-RTPS 2.3 clause 10, DDS-XTypes 1.3 clause 7.4, XCDR1), without keys, optional members or mutable types.
//
// A serialized message is a four-byte encapsulation header and a body:
//
//	byte   0        1        2        3        4 …
//	     +--------+--------+--------+--------+-----------------+
//	     |  0x00  |  id    |     options     | body            |
//	     +--------+--------+--------+--------+-----------------+
//	       id 0x00 big-endian, 0x01 little-endian; options are ignored
//
// In the body every primitive is aligned to its size (at most 8 bytes), counted from the first body byte. A string is a
// uint32 length that includes the terminating NUL, the bytes, and the NUL. A sequence is a uint32 count and its
// elements; an array is only its elements. A structure adds no alignment; an empty structure is one zero byte.
//
// The [Encoder] writes little-endian, the [Decoder] reads both byte orders. Padding the end of a message to four bytes
// is left to the transport; a Decoder tolerates bytes after the last field.
package cdr
