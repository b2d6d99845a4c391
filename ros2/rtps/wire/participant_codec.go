// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"fmt"
)

// DecodeParticipant decodes the payload of an SPDP sample. Absent parameters have their defaults; unknown ones are
// ignored. The result does not point into the payload.
//
// It fails as [ParsePayloadList] does, and if a parameter's value is malformed or exceeds a limit, a parameter that may
// occur only once occurs again, an unknown one must be understood, or the GUID or the set of built-in endpoints is
// missing. The error names the parameter.
func DecodeParticipant(payload []byte) (ParticipantData, error) {
	list, err := ParsePayloadList(payload)
	if err != nil {
		return ParticipantData{}, err
	}
	p := ParticipantData{Lease: defaultLease}
	hasSet := false
	err = decodeParameters(list, func(id parameterID, r *paramReader) bool {
		hasSet = hasSet || id == pidBuiltinEndpointSet
		return p.decodeIdentity(id, r) || p.decodeLocator(id, r) || p.decodeNames(id, r) || p.decodeSecurity(id, r)
	})
	switch {
	case err != nil:
		return ParticipantData{}, err
	case p.GUID.IsZero() || p.GUID.Entity != EntityParticipant:
		return ParticipantData{}, fmt.Errorf("%w: PID_PARTICIPANT_GUID (%v)", errMissing, p.GUID)
	case !hasSet:
		return ParticipantData{}, fmt.Errorf("%w: PID_BUILTIN_ENDPOINT_SET", errMissing)
	}
	return p, nil
}

func (p *ParticipantData) decodeIdentity(id parameterID, r *paramReader) bool {
	switch id {
	case pidProtocolVersion:
		p.Version = r.version()
	case pidVendorID:
		p.Vendor = r.vendor()
	case pidDomainID:
		p.DomainID, p.HasDomainID = r.u32(), true
	case pidDomainTag:
		p.DomainTag = r.str()
	case pidParticipantGUID:
		p.GUID = r.guid()
	case pidBuiltinEndpointSet:
		p.BuiltinEndpoints = BuiltinEndpoints(r.u32())
	case pidParticipantLease:
		p.Lease = r.duration()
	case pidExpectsInlineQoS:
		p.ExpectsInlineQoS = r.boolean()
	default:
		return false
	}
	return true
}

func (p *ParticipantData) decodeLocator(id parameterID, r *paramReader) bool {
	switch id {
	case pidMetatrafficUnicast:
		p.MetatrafficUnicast = r.locator(p.MetatrafficUnicast)
	case pidMetatrafficMulticast:
		p.MetatrafficMulticast = r.locator(p.MetatrafficMulticast)
	case pidDefaultUnicastLocator:
		p.DefaultUnicast = r.locator(p.DefaultUnicast)
	case pidDefaultMulticastLocator:
		p.DefaultMulticast = r.locator(p.DefaultMulticast)
	default:
		return false
	}
	return true
}

func (p *ParticipantData) decodeNames(id parameterID, r *paramReader) bool {
	switch id {
	case pidUserData:
		p.UserData = bytes.Clone(r.octets(maxUserDataSize))
	case pidEntityName:
		p.EntityName = r.str()
	case pidPropertyList:
		n := r.u32()
		for i := uint32(0); i < min(n, maxProperties) && r.err == nil; i++ {
			p.Properties = append(p.Properties, Property{Name: r.str(), Value: r.str()})
		}
	default:
		return false
	}
	return true
}

// AppendPayload appends the announcement with its PL_CDR_LE encapsulation to dst. Version and vendor precede the
// locators, because Fast DDS decodes the locators depending on them.
func (p *ParticipantData) AppendPayload(dst []byte) []byte {
	dst = appendEncapsulation(dst, encapsulationPLCDRLE)
	dst = appendVersionVendor(dst, p.Version, p.Vendor)
	if p.HasDomainID {
		dst = appendU32Parameter(dst, pidDomainID, p.DomainID)
	}
	if p.DomainTag != "" {
		dst = appendStringParameter(dst, pidDomainTag, p.DomainTag)
	}
	dst = appendGUIDParameter(dst, pidParticipantGUID, p.GUID)
	dst = appendU32Parameter(dst, pidBuiltinEndpointSet, uint32(p.BuiltinEndpoints))
	dst = appendLocatorParameters(dst, pidMetatrafficUnicast, p.MetatrafficUnicast)
	dst = appendLocatorParameters(dst, pidMetatrafficMulticast, p.MetatrafficMulticast)
	dst = appendLocatorParameters(dst, pidDefaultUnicastLocator, p.DefaultUnicast)
	dst = appendLocatorParameters(dst, pidDefaultMulticastLocator, p.DefaultMulticast)
	dst = appendDurationParameter(dst, pidParticipantLease, p.Lease)
	if p.ExpectsInlineQoS {
		dst = appendParameter(dst, pidExpectsInlineQoS, []byte{1})
	}
	if len(p.UserData) > 0 {
		dst = appendOctetsParameter(dst, pidUserData, p.UserData)
	}
	if p.EntityName != "" {
		dst = appendStringParameter(dst, pidEntityName, p.EntityName)
	}
	return appendSentinel(p.Security.append(p.appendProperties(dst)))
}

func (p *ParticipantData) appendProperties(dst []byte) []byte {
	if len(p.Properties) == 0 {
		return dst
	}
	dst, start := beginParameter(dst, pidPropertyList)
	dst = appendU32(dst, uint32(len(p.Properties)))
	for _, prop := range p.Properties {
		dst = appendString(dst, start, prop.Name)
		dst = appendString(dst, start, prop.Value)
	}
	return endParameter(dst, start)
}
