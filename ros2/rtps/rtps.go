// SPDX-License-Identifier: Apache-2.0

// Package rtps is a participant of the Real-Time Publish-Subscribe protocol, DDSI-RTPS 2.3, in pure Go: it discovers
// peers (SPDP, SEDP), and sends and receives samples, best effort or reliably, of any size up to the limits, over UDP.
// It interoperates with Eclipse Cyclone DDS and eProsima Fast DDS. It is independent of ROS, whose conventions package
// rmw adds.
//
// # Parts
//
//	participant.go, events.go           start and close, locks, event goroutine, corking
//	package udp                         network interface and UDP sockets; package vnet is a virtual network for tests
//	package wire                        the codec of the messages
//	internal/discovery                  remote participants and endpoints: leases, locators, limits; announcing
//	                                    the local participant
//	peer.go                             other state of a remote participant, handling of discovery's events
//	builtin.go, sedp.go                 built-in endpoints for discovery's samples, and endpoint announcements
//	endpoint.go, match.go, proxies.go   creation and matching of endpoints
//	receive.go, dispatch.go             from datagrams to endpoints, from endpoints to user functions
//	writer*.go, reader_proxy.go         sending side: heartbeats, windows, fragments, retransmissions
//	reader.go, writer_proxy*.go         receiving side: order, requests; reclaim.go: freeing memory for other peers
//	internal/history                    a writer's samples
//	internal/reassembly                 a reader's fragments; internal/memory: each peer's memory for them
//	internal/send                       packing of datagrams, sending them in batches, pacing of bulk data
//	internal/alarm                      timers of the event goroutine
//	deadline.go, liveliness*.go         supervision of writers and readers; status.go: its events
//	drops.go, stats.go                  counters
//	secured*.go                         DDS Security: authentication, permissions, exchange of keys; internal/auth:
//	                                    handshakes; internal/shield: protection of datagrams; internal/crypto: keys
//	keyed.go                            topics with instances, which ROS 2 does not use
//
// # Goroutines and locks
//
// A participant has one goroutine for each socket, one for timers and one for calls of user functions, however many
// endpoints there are. Two more run when needed: one lists the system's interfaces, one writes log lines.
//
// One mutex, Participant.mu, guards all protocol state. With it held, the code accesses memory and makes system calls
// that do not block: sends are non-blocking (MSG_DONTWAIT), log lines go to a queue, interfaces are listed elsewhere,
// user functions are called without it. So writing and corking wait only for other goroutines' work in memory
// (TestWritingDoesNotBlock, TestStoppedLogger, TestStuckUserFunction; in a network namespace with a stalled queue
// TestStalledQueue of package interop). A stalled address or interface delays only traffic to it
// (TestStalledAddressDelaysNoOther, TestStalledInterface of package interop).
//
// User functions are called one at a time, without mu but holding Participant.turn, which is acquired before mu. They
// may call everything except Participant.Close. They must not block: reception of user traffic waits for them.
// Discovery, timers and writing do not.
//
// # Hostile peers
//
// RTPS without DDS Security is unauthenticated: any machine can publish, and announce that a participant left. The
// participant bounds the memory and traffic that peers can cause: see Limits and Stats. It sends only to
// addresses on its own subnets or to source addresses of peers, never to a multicast address that a peer announces, and
// accepts a disposal only from an address of the participant concerned (TestReflection, TestForgedDisposals). Above the
// limits, silent participants and the endpoints of the participant that has most are removed first
// (TestSilentParticipantsAreReplacedFirst, TestNewParticipantDuringAnnouncementFlood, TestEndpointMemoryIsShared).
//
// # DDS Security
//
// With Config.Security a participant takes part in a domain secured by DDS Security 1.1: it authenticates the others,
// exchanges keys with them, and protects and checks messages, submessages and payloads as the governance says
// (TestSecuredParticipants, TestStrangersAreRefused; with Cyclone DDS TestSecuredPairs of package interop). It uses no
// shared memory then. Cyclone DDS sends plain discovery unprotected whatever the protection of messages, so other
// machines can announce and withdraw its endpoints on topics whose discovery is not protected.
//
// # Not implemented
//
// XCDR2, IPv6, multicast of user data, deadlines of keyed topics, durability above transient-local.
package rtps

import "errors"

// Sentinel errors.
var (
	// ErrClosed means that the participant, writer or reader is closed.
	ErrClosed = errors.New("rtps: closed")
	// ErrConfig means that a configuration field has an unusable value.
	ErrConfig = errors.New("rtps: bad configuration")
	// ErrTooLarge means that a sample exceeds the largest size a writer may send.
	ErrTooLarge = errors.New("rtps: sample too large")
	// ErrFull means that a keep-all history is full, and that its oldest sample is unacknowledged by every reader or
	// younger than QoS.MaxBlocking.
	ErrFull = errors.New("rtps: history full")
	// ErrUnknownReader means that a directed sample names a reader that is not matched.
	ErrUnknownReader = errors.New("rtps: reader not matched")
	// ErrStuck means that a user function had not returned in time when the participant was closed.
	ErrStuck = errors.New("rtps: user function still running")
	// ErrLimit means that a local limit (endpoints of the participant) is reached.
	ErrLimit = errors.New("rtps: limit reached")
)
