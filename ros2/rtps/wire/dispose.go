// SPDX-License-Identifier: Apache-2.0

package wire

// BuiltinKey returns the GUID of the participant or endpoint that a sample of a built-in topic describes, without
// decoding all of it. In disposals, Fast DDS sends an inline KEY_HASH and no payload, Cyclone DDS a key payload with
// the GUID parameter. Otherwise the key is in the payload's list.
func BuiltinKey(d *Data) (GUID, bool) {
	if p, ok := d.InlineQoS.find(pidKeyHash); ok && len(p.Value) >= guidSize {
		return GUIDFromBytes(p.Value), true
	}
	if d.Kind == PayloadNone {
		return GUID{}, false
	}
	list, err := ParsePayloadList(d.Payload)
	if err != nil {
		return GUID{}, false
	}
	p, ok := list.find(builtinKeyID(d.Writer))
	if !ok || len(p.Value) < guidSize {
		return GUID{}, false
	}
	return GUIDFromBytes(p.Value), true
}

// NewDispose returns the DATA submessage that disposes participant or endpoint g: a sample of the built-in writer that
// announced it. It has the key both inline and as payload, for either vendor.
func NewDispose(writer EntityID, sn SequenceNumber, g GUID) Data {
	q := InlineQoS{Status: StatusDisposed | StatusUnregistered, KeyHash: g.Bytes(), HasKeyHash: true}
	payload := appendEncapsulation(nil, encapsulationPLCDRLE)
	payload = appendGUIDParameter(payload, builtinKeyID(writer), g)
	return Data{Writer: writer, SN: sn, InlineQoS: q.List(), Kind: PayloadKey,
		Payload: appendSentinel(payload)}
}

// builtinKeyID is the parameter that is the key of a built-in writer's topic.
func builtinKeyID(writer EntityID) parameterID {
	if writer == EntitySPDPWriter {
		return pidParticipantGUID
	}
	return pidEndpointGUID
}
