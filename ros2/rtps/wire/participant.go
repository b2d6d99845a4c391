// SPDX-License-Identifier: Apache-2.0

package wire

// BuiltinEndpoints is the set of built-in endpoints of a participant (DDSI-RTPS 9.3.2.12).
type BuiltinEndpoints uint32

// Bits of BuiltinEndpoints.
const (
	hasParticipantAnnouncer     BuiltinEndpoints = 1 << 0
	hasParticipantDetector      BuiltinEndpoints = 1 << 1
	HasPublicationsWriter       BuiltinEndpoints = 1 << 2
	HasPublicationsReader       BuiltinEndpoints = 1 << 3
	HasSubscriptionsWriter      BuiltinEndpoints = 1 << 4
	HasSubscriptionsReader      BuiltinEndpoints = 1 << 5
	HasParticipantMessageWriter BuiltinEndpoints = 1 << 10
	HasParticipantMessageReader BuiltinEndpoints = 1 << 11

	// OwnBuiltinEndpoints is what this implementation announces: 0xc3f.
	OwnBuiltinEndpoints = hasParticipantAnnouncer | hasParticipantDetector |
		HasPublicationsWriter | HasPublicationsReader |
		HasSubscriptionsWriter | HasSubscriptionsReader |
		HasParticipantMessageWriter | HasParticipantMessageReader

	// SecureBuiltinEndpoints is what it announces in addition in a secured domain (DDS Security 1.1, 7.4.1.4): writers
	// and readers of secure discovery and liveliness, handshakes and keys.
	SecureBuiltinEndpoints BuiltinEndpoints = 0xfff << 16

	// The bits of secure built-in writers; that of the reader of the same topic is the next one.
	HasPublicationsSecureWriter       BuiltinEndpoints = 1 << 16
	HasSubscriptionsSecureWriter      BuiltinEndpoints = 1 << 18
	HasParticipantMessageSecureWriter BuiltinEndpoints = 1 << 20
	HasVolatileWriter                 BuiltinEndpoints = 1 << 24
	HasParticipantSecureWriter        BuiltinEndpoints = 1 << 26
)

// Has reports whether all of the bits are set.
func (b BuiltinEndpoints) Has(bits BuiltinEndpoints) bool { return b&bits == bits }

// defaultLease is the lease of a participant that announces none: 100 s
// (9.6.2.2, table 9.14).
const defaultLease = 100 * Second

// Property is an element of a participant's property list.
type Property struct {
	// Name is the key, for example "PARTICIPANT_TYPE".
	Name string
	// Value is its value.
	Value string
}

// ParticipantData is the content of an SPDP announcement (8.5.3.2).
type ParticipantData struct {
	// Version and Vendor are those of the implementation.
	Version ProtocolVersion
	Vendor  VendorID
	// GUID is the participant; mandatory.
	GUID GUID
	// DomainID is the domain, if HasDomainID.
	DomainID    uint32
	HasDomainID bool
	// DomainTag is empty by default.
	DomainTag string
	// BuiltinEndpoints are the built-in endpoints of the participant; mandatory.
	BuiltinEndpoints BuiltinEndpoints
	// The locators for discovery traffic and, for endpoints without their own, for user traffic: usable UDP ones only,
	// at most maxLocators each.
	MetatrafficUnicast   []Locator
	MetatrafficMulticast []Locator
	DefaultUnicast       []Locator
	DefaultMulticast     []Locator
	// Lease is the lease duration: how long after its last message the participant counts as present.
	Lease Duration
	// ExpectsInlineQoS means that its readers expect inline QoS with each sample.
	ExpectsInlineQoS bool
	// UserData is USER_DATA; ROS 2 puts "enclave=/;" there. Fast DDS appends a
	// NUL.
	UserData []byte
	// EntityName is a descriptive name.
	EntityName string
	// Properties are the elements of the property list.
	Properties []Property
	// Security is what a participant of a secured domain announces; nil for others.
	Security *ParticipantSecurity
}
