// SPDX-License-Identifier: Apache-2.0

package wire

import "fmt"

// Receiver is the receiver state: the values that the interpreter submessages of a datagram set for later submessages
// (DDSI-RTPS 8.3.4, table 8.13).
type Receiver struct {
	// SourceVersion, SourceVendor and SourcePrefix are those of the participant that wrote the submessage, from the
	// header or INFO_SRC.
	SourceVersion ProtocolVersion
	SourceVendor  VendorID
	SourcePrefix  GUIDPrefix
	// DestPrefix is the addressed participant, from INFO_DST; zero for any.
	DestPrefix GUIDPrefix
	// Timestamp is the source time, from INFO_TS, or timeInvalid.
	Timestamp Time
}

// reset initialises the state with the header of a message.
func (r *Receiver) reset(h Header) {
	*r = Receiver{SourceVersion: h.Version, SourceVendor: h.Vendor, SourcePrefix: h.Prefix,
		Timestamp: timeInvalid}
}

// Source returns the GUID of an entity of the source participant.
func (r *Receiver) Source(e EntityID) GUID { return GUID{Prefix: r.SourcePrefix, Entity: e} }

// Directed reports whether INFO_DST addressed one participant.
func (r *Receiver) Directed() bool { return !r.DestPrefix.IsZero() }

// For reports whether the submessage is addressed to the participant own or to all.
func (r *Receiver) For(own GUIDPrefix) bool { return !r.Directed() || r.DestPrefix == own }

// interpret applies an interpreter submessage. entity means that s is an entity submessage.
func (r *Receiver) interpret(s *Submessage) (entity bool, err error) {
	switch s.ID {
	case subInfoTS:
		var m infoTS
		err = m.decode(s)
		r.Timestamp = m.Time
	case subInfoDst:
		var m infoDst
		err = m.decode(s)
		r.DestPrefix = m.Prefix
	case subInfoSrc:
		var m infoSrc
		if err = m.decode(s); err == nil && !m.Version.supported() {
			err = fmt.Errorf("%w: %v", errVersion, m.Version)
		}
		r.SourceVersion, r.SourceVendor, r.SourcePrefix = m.Version, m.Vendor, m.Prefix
		r.Timestamp = timeInvalid // 8.3.7.9.4
	default:
		return true, nil
	}
	return false, err
}
