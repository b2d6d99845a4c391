// SPDX-License-Identifier: Apache-2.0

// Package wire encodes and decodes the messages of the Real-Time Publish-Subscribe protocol, DDSI-RTPS 2.3 (OMG
// formal/19-04-03), which DDS and ROS 2 use over UDP. It keeps no state between datagrams, opens no sockets and is
// independent of ROS.
//
// # Receiving
//
// A [Parser] walks the submessages of one datagram and calls a [Handler] for each entity submessage. The interpreter
// submessages (INFO_TS, INFO_DST, INFO_SRC) change the [Receiver] that is passed with them. Everything is validated
// before it is used: a Handler never gets a length, a set or a parameter list that has not been checked against the
// size of the datagram (TestCapturesCorrupted, TestHostileCounts, FuzzMessage). Slices passed to it point into the
// datagram. Parsing does not allocate.
//
// # Sending
//
// Each submessage has an Append method that encodes it little-endian, padded to four bytes and with its length. A
// [Builder] packs several of them into one datagram of limited size.
//
// # Discovery
//
// [ParticipantData] (SPDP) and [EndpointData] (SEDP) are the samples of the built-in topics, [QoS] the policies in
// them, and [Compatible] the rule by which a writer and a reader match.
//
// Where a widespread implementation deviates from the specification, quirks.go has a function that handles the
// deviation.
package wire
