// SPDX-License-Identifier: Apache-2.0

package wire

// BuiltinEndpoints says which built-in endpoints a participant has
// (DDSI-RTPS 9.3.2.12).
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
	// Value belongs to it.
	Value string
}

// ParticipantData is the content of an SPDP announcement (8.5.3.2).
type ParticipantData struct {
	// Version and Vendor are of the implementation.
	Version ProtocolVersion
	Vendor  VendorID
	// GUID is the participant; mandatory.
	GUID GUID
	// DomainID is the domain, if HasDomainID.
	DomainID    uint32
	HasDomainID bool
	// DomainTag is empty for the normal domain.
	DomainTag string
	// BuiltinEndpoints are those it has; mandatory.
	BuiltinEndpoints BuiltinEndpoints
	// The locators for discovery traffic and, unless an endpoint has its own,
	// for user traffic: usable UDP ones only, at most maxLocators each.
	MetatrafficUnicast   []Locator
	MetatrafficMulticast []Locator
	DefaultUnicast       []Locator
	DefaultMulticast     []Locator
	// Lease is after which silence the participant is gone.
	Lease Duration
	// ExpectsInlineQoS says that its readers want QoS with each sample.
	ExpectsInlineQoS bool
	// UserData is USER_DATA; ROS 2 puts "enclave=/;" there. Fast DDS appends a
	// NUL.
	UserData []byte
	// EntityName is a name for people.
	EntityName string
	// Properties are further names and values.
	Properties []Property
}
