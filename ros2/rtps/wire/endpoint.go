// SPDX-License-Identifier: Apache-2.0

package wire

// EndpointData is the content of a SEDP announcement of a writer or reader
// (DDSI-RTPS 8.5.4.4).
type EndpointData struct {
	// Version and Vendor are those of the implementation, 0 if not announced.
	Version ProtocolVersion
	Vendor  VendorID
	// GUID is the endpoint; mandatory.
	GUID GUID
	// Participant is its participant.
	Participant GUID
	// Topic and Type are DDS names ("rt/chatter",
	// "std_msgs::msg::dds_::String_"); mandatory.
	Topic, Type string
	// QoS are the policies, with defaults for those not announced.
	QoS QoS
	// UserData is USER_DATA; ROS 2 puts "typehash=…;" there.
	UserData []byte
	// Unicast and Multicast are the endpoint's own locators: usable UDP ones only, at most maxLocators each. If both
	// are empty, those of the participant apply.
	Unicast, Multicast []Locator
	// ExpectsInlineQoS means that the reader expects inline QoS with each sample.
	ExpectsInlineQoS bool
	// TypeMaxSize is the largest serialized sample of a writer, bytes; 0 if
	// not announced.
	TypeMaxSize uint32
	// EntityName is a descriptive name.
	EntityName string
	// Security is how the endpoint is protected; zero without DDS Security.
	Security SecurityInfo
}

// IsWriter reports whether the entity kind of the GUID is a writer's.
func (e *EndpointData) IsWriter() bool { return e.GUID.Entity.isWriter() }

// DecodePublication decodes a sample of the publications topic, which announces a writer. Policies that are not
// announced have the defaults of a writer; unknown parameters are ignored. The result does not point into the payload.
// The errors are those of DecodeParticipant.
func DecodePublication(payload []byte) (EndpointData, error) {
	return decodeEndpoint(payload, DefaultWriterQoS(), EntityID.isWriter)
}

// DecodeSubscription decodes a sample of the subscriptions topic, which announces a reader, as DecodePublication does.
func DecodeSubscription(payload []byte) (EndpointData, error) {
	return decodeEndpoint(payload, DefaultReaderQoS(), EntityID.isReader)
}
