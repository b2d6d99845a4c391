// SPDX-License-Identifier: Apache-2.0

package wire

// parameterID identifies a parameter in a list (DDSI-RTPS 9.6.2.2, table 9.12). Bit 0x8000 makes it vendor-specific;
// with bit 0x4000 a receiver must not ignore it if it is unknown.
type parameterID uint16

// Parameter ids.
const (
	pidPad                        parameterID = 0x0000
	pidSentinel                   parameterID = 0x0001
	pidParticipantLease           parameterID = 0x0002
	pidTimeBasedFilter            parameterID = 0x0004
	pidTopicName                  parameterID = 0x0005
	pidOwnershipStrength          parameterID = 0x0006
	pidTypeName                   parameterID = 0x0007
	pidDomainID                   parameterID = 0x000f
	pidProtocolVersion            parameterID = 0x0015
	pidVendorID                   parameterID = 0x0016
	pidReliability                parameterID = 0x001a
	pidLiveliness                 parameterID = 0x001b
	pidDurability                 parameterID = 0x001d
	pidDurabilityService          parameterID = 0x001e
	pidOwnership                  parameterID = 0x001f
	pidPresentation               parameterID = 0x0021
	pidDeadline                   parameterID = 0x0023
	pidDestinationOrder           parameterID = 0x0025
	pidLatencyBudget              parameterID = 0x0027
	pidPartition                  parameterID = 0x0029
	pidLifespan                   parameterID = 0x002b
	pidUserData                   parameterID = 0x002c
	pidUnicastLocator             parameterID = 0x002f
	pidMulticastLocator           parameterID = 0x0030
	pidDefaultUnicastLocator      parameterID = 0x0031
	pidMetatrafficUnicast         parameterID = 0x0032
	pidMetatrafficMulticast       parameterID = 0x0033
	pidHistory                    parameterID = 0x0040
	pidResourceLimits             parameterID = 0x0041
	pidExpectsInlineQoS           parameterID = 0x0043
	pidDefaultMulticastLocator    parameterID = 0x0048
	pidParticipantGUID            parameterID = 0x0050
	pidBuiltinEndpointSet         parameterID = 0x0058
	pidPropertyList               parameterID = 0x0059
	pidEndpointGUID               parameterID = 0x005a
	pidTypeMaxSize                parameterID = 0x0060
	pidOriginalWriterInfo         parameterID = 0x0061
	pidEntityName                 parameterID = 0x0062
	pidKeyHash                    parameterID = 0x0070
	pidStatusInfo                 parameterID = 0x0071
	pidTypeObject                 parameterID = 0x0072
	pidDataRepresentation         parameterID = 0x0073
	pidTypeConsistency            parameterID = 0x0074
	pidTypeInformation            parameterID = 0x0075
	pidRelatedSampleIdentity      parameterID = 0x0083
	pidIdentityToken              parameterID = 0x1001 // DDS Security
	pidPermissionsToken           parameterID = 0x1002
	pidEndpointSecurityInfo       parameterID = 0x1004
	pidParticipantSecurityInfo    parameterID = 0x1005
	pidDomainTag                  parameterID = 0x4014
	pidRelatedSampleIdentityOther parameterID = 0x800f // Fast DDS before 2.10, RTI
	pidSharedReference            parameterID = 0x8e01 // this implementation, to itself only
)

const (
	pidVendorSpecific = 0x8000
	pidMustUnderstand = 0x4000
)

// mustUnderstand reports whether a receiver must reject the whole list if id is unknown to it.
func (id parameterID) mustUnderstand() bool { return id&pidMustUnderstand != 0 }
