// SPDX-License-Identifier: Apache-2.0

// Package rtps is a participant of the Real-Time Publish-Subscribe protocol, DDSI-RTPS 2.3, in pure Go: it finds peers
// (SPDP, SEDP), and sends and receives samples, best effort or reliably, of any size up to the limits, over UDP. It
// interoperates with Eclipse Cyclone DDS and eProsima Fast DDS. It knows nothing of ROS: package rmw adds its
// conventions.
//
// # Parts
//
//	participant.go, events.go           life and locks, event goroutine, corking
//	package udp                         what is asked of a network, and UDP; package vnet is the virtual one for tests
//	package wire                        the codec of the messages
//	internal/discovery                  remote participants and endpoints: finding, leases, locators, limits; and the
//	                                    announcing of our own
//	peer.go                             what we keep of a remote participant besides, and do when discovery reports
//	builtin.go, sedp.go                 the endpoints that carry discovery's samples, and announce our own endpoints
//	endpoint.go, match.go, proxies.go   who talks to whom
//	receive.go, dispatch.go             from datagrams to endpoints, from endpoints to user functions
//	writer*.go, reader_proxy.go         the sending side: heartbeats, windows, fragments, repairs
//	reader.go, writer_proxy*.go         the receiving side: order, requests; reclaim.go: who gives memory back
//	internal/history                    what a writer holds
//	internal/reassembly                 what a reader puts together; internal/memory: each peer's share for it
//	internal/send                       packing of datagrams, handing them over several at a time, pace of bulk data
//	internal/alarm                      points in time, for the goroutine that waits for them
//	deadline.go, liveliness*.go         supervision of both sides; status.go: what it tells
//	drops.go, stats.go                  counters
//	keyed.go                            topics with instances, which ROS 2 does not use
//
// # Goroutines and locks
//
// A participant has one goroutine for each socket, one for timers and one for calls of user functions, however many
// endpoints there are. Two more come and go: one asks the system for its interfaces, one writes log lines.
//
// One mutex, Participant.mu, guards all protocol state. Under it there are memory and system calls that do not wait:
// sockets refuse what they cannot take (MSG_DONTWAIT), log lines go to a queue, the interfaces are looked at elsewhere,
// user functions are called without it. So writing and corking wait for other goroutines' work in memory and for
// nothing else (TestPublishingWaitsForNobody, TestStoppedLogger, TestStuckUserFunction; in a network namespace with a
// queue that stands still TestStalledQueue of package interop). An address or an interface that takes nothing costs
// those behind it something, and no others (TestOneAddressStalls, TestStalledInterface of package interop).
//
// User functions are called one at a time, without mu, in turn (Participant.turn, which is taken before mu). They may
// call everything but Participant.Close. They must not block: user traffic to the participant waits for them.
// Discovery, timers and writing do not.
//
// # What peers can do to it
//
// RTPS without DDS Security is unauthenticated: anyone on the network can publish, and say that a participant left. The
// participant bounds what that costs: see Limits and Stats. It sends only to addresses on its own subnets or to those a
// peer sends from, never to a multicast address a peer names, and takes a disposal only from an address of the
// participant concerned (TestReflection, TestForgedDisposals). Of more participants or endpoints than the limits allow
// the silent ones and those of the participant that has most go first (TestSilentGiveWay, TestNewcomerDuringFlood,
// TestGreedyParticipant).
//
// # Not implemented
//
// XCDR2, DDS Security, IPv6, multicast of user data, deadlines of topics with key, durability above transient-local.
package rtps

import "errors"

// What errors match.
var (
	// ErrClosed means that the participant, writer or reader is closed.
	ErrClosed = errors.New("rtps: closed")
	// ErrConfig means that a configuration field has an unusable value.
	ErrConfig = errors.New("rtps: bad configuration")
	// ErrTooLarge means that a sample exceeds the largest size a writer may send.
	ErrTooLarge = errors.New("rtps: sample too large")
	// ErrFull means that a keep-all history holds as many samples as it may, and that the oldest is lacking to every
	// reader, or is younger than QoS.MaxBlocking.
	ErrFull = errors.New("rtps: history full")
	// ErrUnknownReader means that a directed sample names a reader that is not matched.
	ErrUnknownReader = errors.New("rtps: reader not matched")
	// ErrStuck means that a user function had not returned when the participant was closed.
	ErrStuck = errors.New("rtps: user function still at work")
	// ErrLimit means that a local limit (endpoints of the participant) is reached.
	ErrLimit = errors.New("rtps: limit reached")
)
