// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/binary"
	"fmt"
)

// sampleIdentitySize is a GUID and a SequenceNumber.
const sampleIdentitySize = guidSize + 8

// Decode decodes the inline QoS of a sample into q. Unknown parameters are ignored. It fails if the value of a known
// parameter is too short or an unknown one must be understood; the error names the parameter's number. It allocates
// only for the error.
func (q *InlineQoS) Decode(l ParameterList) error {
	*q = InlineQoS{}
	standard := false // 0x0083 is present and takes precedence over 0x800f
	for p := range l.all {
		want := 0
		switch p.ID {
		case pidStatusInfo:
			if want = 4; len(p.Value) >= want {
				q.Status = StatusInfo(bigEndian.u32(p.Value)) // whatever the list's byte order
			}
		case pidKeyHash:
			if want = guidSize; len(p.Value) >= want {
				q.KeyHash, q.HasKeyHash = KeyHash(p.Value[:guidSize]), true
			}
		case pidRelatedSampleIdentity:
			if want = sampleIdentitySize; len(p.Value) >= want {
				q.Related, q.HasRelated, standard = p.sampleIdentity(), true, true
			}
		case pidRelatedSampleIdentityOther:
			if !standard && len(p.Value) == sampleIdentitySize {
				q.Related, q.HasRelated = p.sampleIdentity(), true
			}
		case pidOriginalWriterInfo:
			if want = sampleIdentitySize; len(p.Value) >= want {
				q.Original, q.HasOriginal = p.sampleIdentity(), true
			}
		case pidSharedReference: // any vendor may use the number for something else
			q.Shared, q.HasShared = p.sharedReference()
		default:
			if p.ID.mustUnderstand() {
				return fmt.Errorf("%w: 0x%04x", errMustUnderstand, uint16(p.ID))
			}
		}
		if len(p.Value) < want {
			return fmt.Errorf("%w: 0x%04x of %d bytes", errParameter, uint16(p.ID), len(p.Value))
		}
	}
	return nil
}

// Append appends the list with its sentinel, little-endian, to dst. The related identity is written under both numbers:
// Fast DDS 2.6 supports only 0x800f; from 2.10 on it reads only 0x0083 from other vendors.
func (q *InlineQoS) Append(dst []byte) []byte {
	if q.HasOriginal {
		dst = appendIdentityParameter(dst, pidOriginalWriterInfo, q.Original)
	}
	if q.HasKeyHash {
		dst = appendParameter(dst, pidKeyHash, q.KeyHash[:])
	}
	if q.Status != 0 {
		s := q.Status
		dst = appendParameter(dst, pidStatusInfo, []byte{byte(s >> 24), byte(s >> 16), byte(s >> 8), byte(s)})
	}
	if q.HasRelated {
		dst = appendIdentityParameter(dst, pidRelatedSampleIdentity, q.Related)
		dst = appendIdentityParameter(dst, pidRelatedSampleIdentityOther, q.Related)
	}
	return q.appendShared(dst)
}

// AppendShared appends to dst an encoded little-endian list, which may be empty, with a reference to the payload.
func AppendShared(dst, list []byte, ref *SharedReference) []byte {
	dst = append(dst, list[:max(0, len(list)-sentinelSize)]...)
	q := InlineQoS{Shared: *ref, HasShared: true}
	return q.appendShared(dst)
}

// Sizes, bytes.
const (
	sentinelSize        = 4
	sharedReferenceSize = 20
)

// appendShared appends the reference, if there is one, and the sentinel.
func (q *InlineQoS) appendShared(dst []byte) []byte {
	if q.HasShared {
		s := &q.Shared
		dst = appendU16(appendU16(dst, uint16(pidSharedReference)), sharedReferenceSize)
		dst = binary.LittleEndian.AppendUint64(dst, s.Offset)
		dst = binary.LittleEndian.AppendUint64(dst, s.Number)
		dst = binary.LittleEndian.AppendUint32(dst, s.Length)
	}
	return appendSentinel(dst)
}

// sharedReference decodes a reference, which is little-endian in any list.
func (p parameter) sharedReference() (ref SharedReference, ok bool) {
	if len(p.Value) != sharedReferenceSize {
		return ref, false
	}
	return SharedReference{
		Offset: binary.LittleEndian.Uint64(p.Value), Number: binary.LittleEndian.Uint64(p.Value[8:]),
		Length: binary.LittleEndian.Uint32(p.Value[16:]),
	}, true
}

// List returns the list as a newly allocated ParameterList for Data and DataFrag.
func (q *InlineQoS) List() ParameterList { return ParameterList{Bytes: q.Append(nil)} }

func (p parameter) sampleIdentity() SampleIdentity {
	return SampleIdentity{Writer: GUIDFromBytes(p.Value), SN: p.order.sn(p.Value[guidSize:])}
}

func appendIdentityParameter(dst []byte, id parameterID, v SampleIdentity) []byte {
	dst = appendU16(appendU16(dst, uint16(id)), sampleIdentitySize)
	return appendSN(v.Writer.Append(dst), v.SN)
}
