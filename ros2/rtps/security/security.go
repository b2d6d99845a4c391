// SPDX-License-Identifier: Apache-2.0

// Package security is what package rtps needs of the plugins for authentication and access control of DDS Security 1.1,
// to take part in a secured domain: who a peer is, and what a participant may do. The cryptography (AES-GCM-GMAC) is
// part of package rtps.
package security

import (
	"errors"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// ErrDenied means that the permissions of a participant do not allow what it asks for.
var ErrDenied = errors.New("rtps/security: not permitted")

// Kind is a protection kind of a governance document (DDS Security 1.1, 9.4.1.2.3).
type Kind uint8

// The protection kinds, in the order of their strength. The last two also show each receiver that no other receiver
// made the message.
const (
	None Kind = iota
	Sign
	Encrypt
	SignWithOrigin
	EncryptWithOrigin
)

// Protected reports whether messages are signed or encrypted.
func (k Kind) Protected() bool { return k != None }

// Encrypted reports whether messages are encrypted.
func (k Kind) Encrypted() bool { return k == Encrypt || k == EncryptWithOrigin }

// Origin reports whether messages also have a code for each receiver.
func (k Kind) Origin() bool { return k == SignWithOrigin || k == EncryptWithOrigin }

// DomainRules are the rules of a governance document for a participant.
type DomainRules struct {
	// AllowUnauthenticated lets participants without identity use topics that are not protected.
	AllowUnauthenticated bool
	// JoinControl means that only participants with permissions for the domain are accepted.
	JoinControl bool
	// RTPS, Discovery and Liveliness are the protection of whole messages, of secure discovery, and of liveliness.
	RTPS, Discovery, Liveliness Kind
}

// TopicRules are the rules of a governance document for a topic. The zero value is an unprotected topic.
type TopicRules struct {
	// Discovery means that its endpoints are announced by secure discovery only, Liveliness that the liveliness of its
	// writers is asserted by the secure writer.
	Discovery, Liveliness bool
	// ReadControl and WriteControl mean that readers and writers need permission.
	ReadControl, WriteControl bool
	// Metadata is the protection of submessages, Data that of payloads: None, Sign or Encrypt for payloads.
	Metadata, Data Kind
}

// Access decides what participants may do. It is safe for concurrent use.
type Access interface {
	// Domain returns the rules of the domain that the participant joins.
	Domain() DomainRules
	// Topic returns the rules of a topic, by its DDS name ("rt/odom").
	Topic(name string) TopicRules
	// Local returns the permissions of the local participant.
	Local() Permissions
}

// Permissions are what one participant may do. It is safe for concurrent use. The error wraps ErrDenied and says why,
// also when the permissions have expired meanwhile.
type Permissions interface {
	// Publish and Subscribe check a writer or a reader of a topic with the given partitions; none means the default
	// partition.
	Publish(topic string, partitions []string) error
	Subscribe(topic string, partitions []string) error
}

// Authentication has the local participant's identity, and authenticates others. It is safe for concurrent use.
type Authentication interface {
	// Prefix returns the GUID prefix that the identity gives to a participant whose candidate is c (9.3.3).
	Prefix(c wire.GUIDPrefix) wire.GUIDPrefix
	// IdentityToken and PermissionsToken are announced with the participant.
	IdentityToken() wire.DataHolder
	PermissionsToken() wire.DataHolder
	// Begin starts the authentication of a participant that was announced with these tokens. local and remote are the
	// GUIDs; data is the local participant's discovery data for property c.pdata. An error means that the participant
	// cannot be authenticated with these tokens, for instance because they have another class.
	Begin(local, remote wire.GUID, data []byte, identity, permissions wire.DataHolder) (Handshake, error)
}

// Handshake is the authentication of one remote participant (DDS Security 1.1, 8.3.2.8, 9.3.4). One of both ends
// initiates it: the one with the lower GUID. Its methods compute for milliseconds (for tens of them on the robot), so
// they are called by another goroutine than the participant's, one at a time. They do not modify what they are given.
//
//	initiator                            replier
//	Request()             ->  request ->  Reply(request)
//	Final(reply)          <-  reply   <-
//	                      ->  final   ->  Finish(final)
//
// A message that is rejected by an error changes nothing: the right one may follow, since any machine can send one.
// Each method may be called again with another message until Final or Finish has returned a Peer; Reply for a repeated
// request returns the same reply.
type Handshake interface {
	// Initiates reports whether the local participant initiates.
	Initiates() bool
	// AuthRequest returns the token of dds.sec.auth_request, with a challenge for the later handshake; zero if none is
	// needed. OnAuthRequest takes that of the remote participant.
	AuthRequest() wire.DataHolder
	OnAuthRequest(token wire.DataHolder) error
	// Request returns the first token of the handshake. Further calls return the same one.
	Request() (wire.DataHolder, error)
	// Reply checks the request and returns the answer.
	Reply(request wire.DataHolder) (wire.DataHolder, error)
	// Final checks the reply, and returns the last token and the authenticated peer.
	Final(reply wire.DataHolder) (wire.DataHolder, *Peer, error)
	// Finish checks the last token and returns the authenticated peer.
	Finish(final wire.DataHolder) (*Peer, error)
}

// Peer is an authenticated participant.
type Peer struct {
	// Name is the subject of its certificate, for logs.
	Name string
	// Secret is what both ends know now.
	Secret SharedSecret
	// Permissions are its permissions, which its authority signed and which allow it to join the domain if the
	// governance demands that.
	Permissions Permissions
	// Data is property c.pdata of the peer: its discovery data as a big-endian parameter list.
	Data []byte
}

// SharedSecret is the result of a handshake, for the derivation of the keys of key exchange (9.5.2.1.2).
type SharedSecret struct {
	// Challenge1 is the initiator's, Challenge2 the replier's: 32 bytes each.
	Challenge1, Challenge2 []byte
	// Secret is the SHA-256 of the result of the Diffie-Hellman exchange.
	Secret [32]byte
}

// Config secures a participant.
type Config struct {
	// Authentication and Access are the plugins. Both are needed.
	Authentication Authentication
	Access         Access
}
