// SPDX-License-Identifier: Apache-2.0

package wire

// EntityID identifies an entity within a participant: a key of three octets and a kind of one, as one big-endian number
// (DDSI-RTPS 9.3.1.2). It is an integer so that the well-known ids are constants.
type EntityID uint32

// The entity ids of the specification (9.3.1.3, 8.5.4.2, 8.4.13.4).
const (
	EntityUnknown     EntityID = 0x00000000 // any entity
	EntityParticipant EntityID = 0x000001c1

	EntitySPDPWriter EntityID = 0x000100c2 // participant announcements
	EntitySPDPReader EntityID = 0x000100c7

	EntityPublicationsWriter  EntityID = 0x000003c2 // SEDP of writers
	EntityPublicationsReader  EntityID = 0x000003c7
	EntitySubscriptionsWriter EntityID = 0x000004c2 // SEDP of readers
	EntitySubscriptionsReader EntityID = 0x000004c7

	EntityParticipantMessageWriter EntityID = 0x000200c2 // liveliness (WLP)
	EntityParticipantMessageReader EntityID = 0x000200c7
)

// The entity ids of DDS Security 1.1 (7.4.5).
const (
	EntityPublicationsSecureWriter       EntityID = 0xff0003c2
	EntityPublicationsSecureReader       EntityID = 0xff0003c7
	EntitySubscriptionsSecureWriter      EntityID = 0xff0004c2
	EntitySubscriptionsSecureReader      EntityID = 0xff0004c7
	EntityParticipantMessageSecureWriter EntityID = 0xff0200c2
	EntityParticipantMessageSecureReader EntityID = 0xff0200c7
	EntityParticipantSecureWriter        EntityID = 0xff0101c2 // participant announcements
	EntityParticipantSecureReader        EntityID = 0xff0101c7
	EntityStatelessWriter                EntityID = 0x000201c3 // handshakes
	EntityStatelessReader                EntityID = 0x000201c4
	EntityVolatileWriter                 EntityID = 0xff0202c3 // keys
	EntityVolatileReader                 EntityID = 0xff0202c4
)

// EntityKind is the last octet of an EntityID (9.3.1.2, table 9.1).
type EntityKind uint8

// Kinds of user-defined entities. Kinds of built-in entities also have the bits 0xc0 set, vendor-specific ones 0x40.
const (
	kindUnknown     EntityKind = 0x00
	kindParticipant EntityKind = 0x01
	KindWriterKeyed EntityKind = 0x02
	KindWriter      EntityKind = 0x03 // without key, as all topics of ROS
	KindReader      EntityKind = 0x04 // without key, as all topics of ROS
	KindReaderKeyed EntityKind = 0x07
)

const (
	kindOriginMask    = 0xc0
	kindBuiltin       = 0xc0
	kindVendor        = 0x40
	kindWithoutOrigin = 0x3f
)

// NewEntityID returns the entity id of the low 24 bits of key and a kind.
func NewEntityID(key uint32, kind EntityKind) EntityID {
	return EntityID(key<<8 | uint32(kind))
}

// Kind returns the last octet, with its origin bits.
func (e EntityID) Kind() EntityKind { return EntityKind(e) }

// IsBuiltin reports whether e is a built-in entity.
func (e EntityID) IsBuiltin() bool { return e.Kind()&kindOriginMask == kindBuiltin }

// isWriter reports whether e is a writer of any origin.
func (e EntityID) isWriter() bool {
	k := e.Kind() & kindWithoutOrigin
	return k == KindWriter || k == KindWriterKeyed
}

// isReader reports whether e is a reader of any origin.
func (e EntityID) isReader() bool {
	k := e.Kind() & kindWithoutOrigin
	return k == KindReader || k == KindReaderKeyed
}

// IsKeyed reports whether e is a reader or writer of a topic with key.
func (e EntityID) IsKeyed() bool {
	k := e.Kind() & kindWithoutOrigin
	return k == KindWriterKeyed || k == KindReaderKeyed
}

// bytes returns the four octets of e.
func (e EntityID) bytes() [4]byte {
	return [4]byte{byte(e >> 24), byte(e >> 16), byte(e >> 8), byte(e)}
}

// String returns the octets in dotted hex.
func (e EntityID) String() string {
	b := e.bytes()
	return string(appendDotted(nil, b[:]))
}
