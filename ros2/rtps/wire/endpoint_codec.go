// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"fmt"
)

// decodeEndpoint decodes a SEDP payload with the default policies qos. It checks the kind of the entity with right.
func decodeEndpoint(payload []byte, qos QoS, right func(EntityID) bool) (EndpointData, error) {
	list, err := ParsePayloadList(payload)
	if err != nil {
		return EndpointData{}, err
	}
	e := EndpointData{QoS: qos}
	var key GUID
	err = decodeParameters(list, func(id parameterID, r *paramReader) bool {
		if id == pidKeyHash {
			key = r.guid()
			return true
		}
		return e.decodeIdentity(id, r) || e.decodeOther(id, r) || e.QoS.decode(id, r)
	})
	if err != nil {
		return EndpointData{}, err
	}
	if e.GUID.IsZero() {
		e.GUID = key
	}
	if err := e.complete(); err != nil {
		return EndpointData{}, err
	}
	if !right(e.GUID.Entity) {
		return EndpointData{}, fmt.Errorf("%w: PID_ENDPOINT_GUID %v is of the wrong kind", errParameter, e.GUID)
	}
	return e, nil
}

// complete checks for the mandatory parameters and derives the participant.
func (e *EndpointData) complete() error {
	owner := GUID{Prefix: e.GUID.Prefix, Entity: EntityParticipant}
	switch {
	case e.GUID.Prefix.IsZero():
		return fmt.Errorf("%w: PID_ENDPOINT_GUID", errMissing)
	case e.Topic == "":
		return fmt.Errorf("%w: PID_TOPIC_NAME of %v", errMissing, e.GUID)
	case e.Type == "":
		return fmt.Errorf("%w: PID_TYPE_NAME of %v", errMissing, e.GUID)
	case !e.Participant.IsZero() && e.Participant != owner:
		return fmt.Errorf("%w: PID_PARTICIPANT_GUID %v of endpoint %v", errParameter, e.Participant, e.GUID)
	}
	e.Participant = owner
	return nil
}

func (e *EndpointData) decodeIdentity(id parameterID, r *paramReader) bool {
	switch id {
	case pidEndpointGUID:
		e.GUID = r.guid()
	case pidParticipantGUID:
		e.Participant = r.guid()
	case pidTopicName:
		e.Topic = r.str()
	case pidTypeName:
		e.Type = r.str()
	case pidProtocolVersion:
		e.Version = r.version()
	case pidVendorID:
		e.Vendor = r.vendor()
	default:
		return false
	}
	return true
}

func (e *EndpointData) decodeOther(id parameterID, r *paramReader) bool {
	switch id {
	case pidUserData:
		e.UserData = bytes.Clone(r.octets(maxUserDataSize))
	case pidUnicastLocator:
		e.Unicast = r.locator(e.Unicast)
	case pidMulticastLocator:
		e.Multicast = r.locator(e.Multicast)
	case pidExpectsInlineQoS:
		e.ExpectsInlineQoS = r.boolean()
	case pidTypeMaxSize:
		e.TypeMaxSize = r.u32()
	case pidEntityName:
		e.EntityName = r.str()
	case pidEndpointSecurityInfo:
		e.Security = r.securityInfo()
	default:
		return false
	}
	return true
}

// AppendPayload appends the announcement with its PL_CDR_LE encapsulation to dst. It has reliability, durability,
// history and data representation, and other policies if they differ from the default, but neither type information nor
// type consistency: without them peers match by the type's name.
func (e *EndpointData) AppendPayload(dst []byte) []byte {
	dst = appendEncapsulation(dst, encapsulationPLCDRLE)
	dst = appendVersionVendor(dst, e.Version, e.Vendor)
	dst = appendGUIDParameter(dst, pidEndpointGUID, e.GUID)
	dst = appendGUIDParameter(dst, pidParticipantGUID, GUID{e.GUID.Prefix, EntityParticipant})
	dst = appendStringParameter(dst, pidTopicName, e.Topic)
	dst = appendStringParameter(dst, pidTypeName, e.Type)
	dst = e.QoS.appendParameters(dst)
	dst = appendLocatorParameters(dst, pidUnicastLocator, e.Unicast)
	dst = appendLocatorParameters(dst, pidMulticastLocator, e.Multicast)
	if e.ExpectsInlineQoS {
		dst = appendParameter(dst, pidExpectsInlineQoS, []byte{1})
	}
	if e.TypeMaxSize != 0 {
		dst = appendU32Parameter(dst, pidTypeMaxSize, e.TypeMaxSize)
	}
	if len(e.UserData) > 0 {
		dst = appendOctetsParameter(dst, pidUserData, e.UserData)
	}
	if e.EntityName != "" {
		dst = appendStringParameter(dst, pidEntityName, e.EntityName)
	}
	return appendSentinel(e.Security.append(dst, pidEndpointSecurityInfo))
}
