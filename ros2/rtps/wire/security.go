// SPDX-License-Identifier: Apache-2.0

package wire

import "encoding/binary"

// ParticipantSecurity is what a participant of a secured domain announces (DDS Security 1.1, 7.4.1.4).
type ParticipantSecurity struct {
	// Identity and Permissions are the tokens by which others begin its authentication.
	Identity, Permissions DataHolder
	// Info is how its messages are protected; zero if it was not announced.
	Info SecurityInfo
}

// SecurityInfo is how a participant or an endpoint is protected: ParticipantSecurityInfo or EndpointSecurityInfo
// (7.4.1.5, 7.4.1.6). Zero means that it was not announced.
type SecurityInfo struct {
	// Attributes are the attributes, Plugin those of the plugin for cryptography.
	Attributes, Plugin SecurityAttributes
}

// SecurityAttributes is a set of attributes of SecurityInfo.
type SecurityAttributes uint32

// SecurityValid is set in every set of attributes.
const SecurityValid SecurityAttributes = 1 << 31

// Attributes of a participant (7.4.1.5, 9.4.2.4).
const (
	ParticipantRTPSProtected       SecurityAttributes = 1 << 0
	ParticipantDiscoveryProtected  SecurityAttributes = 1 << 1
	ParticipantLivelinessProtected SecurityAttributes = 1 << 2
	// Of the plugin:
	ParticipantRTPSEncrypted       SecurityAttributes = 1 << 0
	ParticipantDiscoveryEncrypted  SecurityAttributes = 1 << 1
	ParticipantLivelinessEncrypted SecurityAttributes = 1 << 2
	ParticipantRTPSOrigin          SecurityAttributes = 1 << 3
	ParticipantDiscoveryOrigin     SecurityAttributes = 1 << 4
	ParticipantLivelinessOrigin    SecurityAttributes = 1 << 5
)

// Attributes of an endpoint (7.4.1.6, 9.4.2.6).
const (
	EndpointReadProtected       SecurityAttributes = 1 << 0
	EndpointWriteProtected      SecurityAttributes = 1 << 1
	EndpointDiscoveryProtected  SecurityAttributes = 1 << 2
	EndpointSubmessageProtected SecurityAttributes = 1 << 3
	EndpointPayloadProtected    SecurityAttributes = 1 << 4
	EndpointKeyProtected        SecurityAttributes = 1 << 5
	EndpointLivelinessProtected SecurityAttributes = 1 << 6
	// Of the plugin:
	EndpointSubmessageEncrypted SecurityAttributes = 1 << 0
	EndpointPayloadEncrypted    SecurityAttributes = 1 << 1
	EndpointSubmessageOrigin    SecurityAttributes = 1 << 2
)

func (r *paramReader) securityInfo() SecurityInfo {
	a := SecurityAttributes(r.u32())
	return SecurityInfo{Attributes: a, Plugin: SecurityAttributes(r.u32())}
}

// append appends the parameter, unless nothing is announced.
func (i SecurityInfo) append(dst []byte, id parameterID) []byte {
	if i == (SecurityInfo{}) {
		return dst
	}
	dst = appendU16(appendU16(dst, uint16(id)), 8)
	return appendU32(appendU32(dst, uint32(i.Attributes)), uint32(i.Plugin))
}

// decodeSecurity reads a parameter of a secured participant. A malformed one counts as absent, so that a participant
// without security accepts what it always did.
func (p *ParticipantData) decodeSecurity(id parameterID, r *paramReader) bool {
	if id != pidIdentityToken && id != pidPermissionsToken && id != pidParticipantSecurityInfo {
		return false
	}
	if p.Security == nil {
		p.Security = &ParticipantSecurity{}
	}
	s := *p.Security
	switch id {
	case pidIdentityToken:
		s.Identity = r.holder()
	case pidPermissionsToken:
		s.Permissions = r.holder()
	default:
		s.Info = r.securityInfo()
	}
	if r.err == nil {
		*p.Security = s
	}
	r.err = nil
	return true
}

// append appends the parameters of a secured participant; nil has none.
func (s *ParticipantSecurity) append(dst []byte) []byte {
	if s == nil {
		return dst
	}
	dst = appendTokenParameter(dst, pidIdentityToken, &s.Identity)
	dst = appendTokenParameter(dst, pidPermissionsToken, &s.Permissions)
	return s.Info.append(dst, pidParticipantSecurityInfo)
}

// AppendHandshakeData appends the discovery data that a handshake of the participant contains (DDS Security 1.1,
// 9.3.2.5.1): a big-endian parameter list without encapsulation, with its GUID, Vendor and Security, which must not be
// nil.
func (p *ParticipantData) AppendHandshakeData(dst []byte) []byte {
	begin := func(id parameterID, size int) {
		dst = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(dst, uint16(id)), uint16(size))
	}
	begin(pidParticipantGUID, guidSize)
	dst = p.GUID.Append(dst)
	for _, t := range []struct {
		id    parameterID
		token *DataHolder
	}{{pidIdentityToken, &p.Security.Identity}, {pidPermissionsToken, &p.Security.Permissions}} {
		w := newTokenWriter(nil, true)
		w.holder(t.token)
		value := appendPad(w.buf, 0)
		begin(t.id, len(value))
		dst = append(dst, value...)
	}
	begin(pidParticipantSecurityInfo, 8)
	dst = binary.BigEndian.AppendUint32(dst, uint32(p.Security.Info.Attributes))
	dst = binary.BigEndian.AppendUint32(dst, uint32(p.Security.Info.Plugin))
	if p.Vendor != 0 {
		begin(pidVendorID, 4)
		dst = append(dst, byte(p.Vendor>>8), byte(p.Vendor), 0, 0)
	}
	begin(pidSentinel, 0)
	return dst
}

// HandshakeVendor returns the implementation that the discovery data of a handshake names; ok is false if they name
// none.
func HandshakeVendor(data []byte) (v VendorID, ok bool) {
	for len(data) >= 4 {
		id, n := parameterID(binary.BigEndian.Uint16(data)), int(binary.BigEndian.Uint16(data[2:]))
		if data = data[4:]; n > len(data) || id == pidSentinel {
			break
		}
		if id == pidVendorID && n >= 2 {
			return VendorID(binary.BigEndian.Uint16(data)), true
		}
		data = data[n:]
	}
	return 0, false
}
