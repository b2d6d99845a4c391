// SPDX-License-Identifier: Apache-2.0

// Package rtps is a participant of the Real-Time Publish-Subscribe protocol, DDSI-RTPS 2.3, in pure Go: it finds peers (SPDP, SEDP), and
// sends and receives samples, best effort or reliably, of any size up to the limits, over UDP. It interoperates with Eclipse
// Cyclone DDS and eProsima Fast DDS. It knows nothing of ROS: package rmw adds its conventions.
//
// # Parts
//
//	participant.go   life, locks, event goroutine      spdp.go, sedp.go, liveliness.go  discovery
//	network.go       what is asked of a network        remote.go, match.go, endpoint.go  who talks to whom
//	sockets_udp.go   UDP sockets, interfaces.go        receive.go    submessages to endpoints
//	sender.go        packing of datagrams, pacing.go   dispatch.go   calls of user functions
//	writer*.go, reader_proxy.go                        the sending side: history, heartbeats, repairs, fragments
//	reader.go, writer_proxy*.go, reassembly.go         the receiving side: order, requests, assembly
//
// # Goroutines and locks
//
// A participant has one goroutine for each socket and one for events (timers). Nothing else runs, however many endpoints there are.
// One mutex, Participant.mu, guards all protocol state; sending under it never waits, since sockets refuse what they cannot take. User
// functions are called one at a time, without mu, under Participant.deliverMu, which is taken first. They may call everything
// but Participant.Close, and must not block, because reception waits for them.
//
// # What peers can do to it
//
// RTPS without DDS Security is unauthenticated: anyone on the network can publish, and say that a participant left. The participant
// bounds what that costs: see Limits and Stats. It sends only to addresses on its own subnets or to those a peer sends from, never to a
// multicast address a peer names, and takes a disposal only from an address of the participant concerned.
//
// # Not implemented
//
// Keyed topics, XCDR2, DDS Security, IPv6, multicast of user data, deadline and liveliness supervision (both are matched only),
// durability above transient-local, HEARTBEAT_FRAG as a reason for a request (a HEARTBEAT follows).
package rtps
