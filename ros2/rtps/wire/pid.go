// SPDX-License-Identifier: Apache-2.0

package wire

// ParameterID identifies a parameter in a list (DDSI-RTPS 9.6.2.2, table 9.12). Bit 0x8000 makes it vendor-specific,
// bit 0x4000 forbids a receiver that does not know it to ignore it.
type ParameterID uint16

// Parameter ids.
const (
	PIDPad                        ParameterID = 0x0000
	PIDSentinel                   ParameterID = 0x0001
	PIDParticipantLease           ParameterID = 0x0002
	PIDTimeBasedFilter            ParameterID = 0x0004
	PIDTopicName                  ParameterID = 0x0005
	PIDOwnershipStrength          ParameterID = 0x0006
	PIDTypeName                   ParameterID = 0x0007
	PIDDomainID                   ParameterID = 0x000f
	PIDProtocolVersion            ParameterID = 0x0015
	PIDVendorID                   ParameterID = 0x0016
	PIDReliability                ParameterID = 0x001a
	PIDLiveliness                 ParameterID = 0x001b
	PIDDurability                 ParameterID = 0x001d
	PIDDurabilityService          ParameterID = 0x001e
	PIDOwnership                  ParameterID = 0x001f
	PIDPresentation               ParameterID = 0x0021
	PIDDeadline                   ParameterID = 0x0023
	PIDDestinationOrder           ParameterID = 0x0025
	PIDLatencyBudget              ParameterID = 0x0027
	PIDPartition                  ParameterID = 0x0029
	PIDLifespan                   ParameterID = 0x002b
	PIDUserData                   ParameterID = 0x002c
	PIDUnicastLocator             ParameterID = 0x002f
	PIDMulticastLocator           ParameterID = 0x0030
	PIDDefaultUnicastLocator      ParameterID = 0x0031
	PIDMetatrafficUnicast         ParameterID = 0x0032
	PIDMetatrafficMulticast       ParameterID = 0x0033
	PIDHistory                    ParameterID = 0x0040
	PIDResourceLimits             ParameterID = 0x0041
	PIDExpectsInlineQoS           ParameterID = 0x0043
	PIDDefaultMulticastLocator    ParameterID = 0x0048
	PIDParticipantGUID            ParameterID = 0x0050
	PIDBuiltinEndpointSet         ParameterID = 0x0058
	PIDPropertyList               ParameterID = 0x0059
	PIDEndpointGUID               ParameterID = 0x005a
	PIDTypeMaxSize                ParameterID = 0x0060
	PIDOriginalWriterInfo         ParameterID = 0x0061
	PIDEntityName                 ParameterID = 0x0062
	PIDKeyHash                    ParameterID = 0x0070
	PIDStatusInfo                 ParameterID = 0x0071
	PIDTypeObject                 ParameterID = 0x0072
	PIDDataRepresentation         ParameterID = 0x0073
	PIDTypeConsistency            ParameterID = 0x0074
	PIDTypeInformation            ParameterID = 0x0075
	PIDRelatedSampleIdentity      ParameterID = 0x0083
	PIDDomainTag                  ParameterID = 0x4014
	PIDRelatedSampleIdentityOther ParameterID = 0x800f // Fast DDS before 2.10, RTI
)

const (
	pidVendorSpecific = 0x8000
	pidMustUnderstand = 0x4000
)

// IsVendorSpecific reports whether only the sender's vendor defines id.
func (id ParameterID) IsVendorSpecific() bool { return id&pidVendorSpecific != 0 }

// MustUnderstand reports whether a receiver that does not know id must refuse
// the whole list.
func (id ParameterID) MustUnderstand() bool { return id&pidMustUnderstand != 0 }
