// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"fmt"
)

// DecodeParticipant decodes the payload of an SPDP sample. What is not
// announced has its default; unknown parameters are ignored. The result does
// not point into the payload. The errors wrap ErrEncapsulation,
// ErrParameterList, ErrParameter, ErrDuplicate, ErrMustUnderstand, ErrMissing
// or ErrLimit.
func DecodeParticipant(payload []byte) (ParticipantData, error) {
	list, err := ParsePayloadList(payload)
	if err != nil {
		return ParticipantData{}, err
	}
	p := ParticipantData{Lease: DefaultLease}
	hasSet := false
	err = decodeParameters(list, func(id ParameterID, r *paramReader) bool {
		hasSet = hasSet || id == PIDBuiltinEndpointSet
		return p.takeIdentity(id, r) || p.takeLocator(id, r) || p.takeNames(id, r)
	})
	switch {
	case err != nil:
		return ParticipantData{}, err
	case p.GUID.IsZero() || p.GUID.Entity != EntityParticipant:
		return ParticipantData{}, fmt.Errorf("%w: PID_PARTICIPANT_GUID (%v)", ErrMissing, p.GUID)
	case !hasSet:
		return ParticipantData{}, fmt.Errorf("%w: PID_BUILTIN_ENDPOINT_SET", ErrMissing)
	}
	return p, nil
}

func (p *ParticipantData) takeIdentity(id ParameterID, r *paramReader) bool {
	switch id {
	case PIDProtocolVersion:
		p.Version = r.version()
	case PIDVendorID:
		p.Vendor = r.vendor()
	case PIDDomainID:
		p.DomainID, p.HasDomainID = r.u32(), true
	case PIDDomainTag:
		p.DomainTag = r.str()
	case PIDParticipantGUID:
		p.GUID = r.guid()
	case PIDBuiltinEndpointSet:
		p.BuiltinEndpoints = BuiltinEndpoints(r.u32())
	case PIDParticipantLease:
		p.Lease = r.duration()
	case PIDExpectsInlineQoS:
		p.ExpectsInlineQoS = r.boolean()
	default:
		return false
	}
	return true
}

func (p *ParticipantData) takeLocator(id ParameterID, r *paramReader) bool {
	switch id {
	case PIDMetatrafficUnicast:
		p.MetatrafficUnicast = r.locator(p.MetatrafficUnicast)
	case PIDMetatrafficMulticast:
		p.MetatrafficMulticast = r.locator(p.MetatrafficMulticast)
	case PIDDefaultUnicastLocator:
		p.DefaultUnicast = r.locator(p.DefaultUnicast)
	case PIDDefaultMulticastLocator:
		p.DefaultMulticast = r.locator(p.DefaultMulticast)
	default:
		return false
	}
	return true
}

func (p *ParticipantData) takeNames(id ParameterID, r *paramReader) bool {
	switch id {
	case PIDUserData:
		p.UserData = bytes.Clone(r.octets(MaxUserDataSize))
	case PIDEntityName:
		p.EntityName = r.str()
	case PIDPropertyList:
		n := r.u32()
		for i := uint32(0); i < min(n, MaxProperties) && r.err == nil; i++ {
			p.Properties = append(p.Properties, Property{Name: r.str(), Value: r.str()})
		}
	default:
		return false
	}
	return true
}

// AppendPayload appends the announcement with its PL_CDR_LE encapsulation to
// dst. Version and vendor come before the locators because Fast DDS reads the
// latter depending on the former.
func (p *ParticipantData) AppendPayload(dst []byte) []byte {
	dst = appendEncapsulation(dst, EncapsulationPLCDRLE)
	dst = appendVersionVendor(dst, p.Version, p.Vendor)
	if p.HasDomainID {
		dst = appendU32Parameter(dst, PIDDomainID, p.DomainID)
	}
	if p.DomainTag != "" {
		dst = appendStringParameter(dst, PIDDomainTag, p.DomainTag)
	}
	dst = appendGUIDParameter(dst, PIDParticipantGUID, p.GUID)
	dst = appendU32Parameter(dst, PIDBuiltinEndpointSet, uint32(p.BuiltinEndpoints))
	dst = appendLocatorParameters(dst, PIDMetatrafficUnicast, p.MetatrafficUnicast)
	dst = appendLocatorParameters(dst, PIDMetatrafficMulticast, p.MetatrafficMulticast)
	dst = appendLocatorParameters(dst, PIDDefaultUnicastLocator, p.DefaultUnicast)
	dst = appendLocatorParameters(dst, PIDDefaultMulticastLocator, p.DefaultMulticast)
	dst = appendDurationParameter(dst, PIDParticipantLease, p.Lease)
	if p.ExpectsInlineQoS {
		dst = AppendParameter(dst, PIDExpectsInlineQoS, []byte{1})
	}
	if len(p.UserData) > 0 {
		dst = appendOctetsParameter(dst, PIDUserData, p.UserData)
	}
	if p.EntityName != "" {
		dst = appendStringParameter(dst, PIDEntityName, p.EntityName)
	}
	return AppendSentinel(p.appendProperties(dst))
}

func (p *ParticipantData) appendProperties(dst []byte) []byte {
	if len(p.Properties) == 0 {
		return dst
	}
	dst, start := beginParameter(dst, PIDPropertyList)
	dst = appendU32(dst, uint32(len(p.Properties)))
	for _, prop := range p.Properties {
		dst = appendString(dst, start, prop.Name)
		dst = appendString(dst, start, prop.Value)
	}
	return endParameter(dst, start)
}
