// SPDX-License-Identifier: Apache-2.0

// Package wire encodes and decodes the messages of the Real-Time
// Publish-Subscribe protocol, DDSI-RTPS 2.3 (OMG formal/19-04-03), which DDS
// and ROS 2 speak over UDP. It holds no state between datagrams, opens no
// socket and knows no ROS names.
//
// # Receiving
//
// A [Parser] walks the submessages of one datagram and calls a [Handler] for
// each that concerns an entity. The interpreter submessages (INFO_TS,
// INFO_DST, INFO_SRC) change the [Receiver] that is handed along. Everything is
// validated before it is used: a Handler never sees a length, a set or a
// parameter list that has not been checked against the bytes that are there
// (TestCapturesCorrupted, TestHostileCounts, FuzzMessage).
// Slices handed out point into the datagram. Parsing does not allocate.
//
// # Sending
//
// Each submessage has an Append method that writes it little-endian, padded to
// four bytes and with its length filled in. A [Builder] packs several of them
// into one datagram of limited size.
//
// # Discovery
//
// [ParticipantData] (SPDP) and [EndpointData] (SEDP) are the contents of the
// built-in topics, [QoS] the policies in them and [Compatible] the rule by
// which a writer and a reader match.
//
// Where a widespread implementation departs from the specification, the
// branch that copes with it is named after it in quirks.go.
package wire
