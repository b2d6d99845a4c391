// SPDX-License-Identifier: Apache-2.0

package wire

import "fmt"

// sampleIdentitySize is a GUID and a SequenceNumber.
const sampleIdentitySize = GUIDSize + 8

// Decode reads the inline QoS of a sample; q is overwritten. Unknown
// parameters are ignored. It does not allocate unless it fails. The errors wrap
// ErrParameter or ErrMustUnderstand.
func (q *InlineQoS) Decode(l ParameterList) error {
	*q = InlineQoS{}
	standard := false // 0x0083 was there: it beats 0x800f
	for p := range l.All {
		want := 0
		switch p.ID {
		case PIDStatusInfo:
			if want = 4; len(p.Value) >= want {
				q.Status = StatusInfo(bigEndian.u32(p.Value)) // whatever the list's order
			}
		case PIDKeyHash:
			if want = GUIDSize; len(p.Value) >= want {
				q.KeyHash, q.HasKeyHash = KeyHash(p.Value[:GUIDSize]), true
			}
		case PIDRelatedSampleIdentity:
			if want = sampleIdentitySize; len(p.Value) >= want {
				q.Related, q.HasRelated, standard = p.sampleIdentity(), true, true
			}
		case PIDRelatedSampleIdentityOther:
			if !standard && len(p.Value) == sampleIdentitySize {
				q.Related, q.HasRelated = p.sampleIdentity(), true
			}
		case PIDOriginalWriterInfo:
			if want = sampleIdentitySize; len(p.Value) >= want {
				q.Original, q.HasOriginal = p.sampleIdentity(), true
			}
		default:
			if p.ID.MustUnderstand() {
				return fmt.Errorf("%w: 0x%04x", ErrMustUnderstand, uint16(p.ID))
			}
		}
		if len(p.Value) < want {
			return fmt.Errorf("%w: 0x%04x of %d bytes", ErrParameter, uint16(p.ID), len(p.Value))
		}
	}
	return nil
}

// Append appends the list with its sentinel, little-endian, to dst. The related
// identity is written under both numbers: Fast DDS 2.6 knows only 0x800f, from
// 2.10 on it reads only 0x0083 from others.
func (q *InlineQoS) Append(dst []byte) []byte {
	if q.HasOriginal {
		dst = appendIdentityParameter(dst, PIDOriginalWriterInfo, q.Original)
	}
	if q.HasKeyHash {
		dst = AppendParameter(dst, PIDKeyHash, q.KeyHash[:])
	}
	if q.Status != 0 {
		s := q.Status
		dst = AppendParameter(dst, PIDStatusInfo, []byte{byte(s >> 24), byte(s >> 16), byte(s >> 8), byte(s)})
	}
	if q.HasRelated {
		dst = appendIdentityParameter(dst, PIDRelatedSampleIdentity, q.Related)
		dst = appendIdentityParameter(dst, PIDRelatedSampleIdentityOther, q.Related)
	}
	return AppendSentinel(dst)
}

// List returns the list as a ParameterList for Data and DataFrag, in a buffer
// of its own.
func (q *InlineQoS) List() ParameterList { return ParameterList{Bytes: q.Append(nil)} }

func (p Parameter) sampleIdentity() SampleIdentity {
	return SampleIdentity{Writer: GUIDFromBytes(p.Value), SN: p.order.sn(p.Value[GUIDSize:])}
}

func appendIdentityParameter(dst []byte, id ParameterID, v SampleIdentity) []byte {
	dst = appendU16(appendU16(dst, uint16(id)), sampleIdentitySize)
	return appendSN(v.Writer.Append(dst), v.SN)
}
