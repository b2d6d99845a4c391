// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/hex"
	"reflect"
	"testing"
)

// aMessage is a message with all that one can have.
func aMessage() GenericMessage {
	guid := func(n byte) GUID { return GUID{Prefix: GUIDPrefix{n}, Entity: EntityParticipant} }
	return GenericMessage{
		Identity: MessageIdentity{guid(1), 2}, Related: MessageIdentity{guid(3), 1 << 40}, DestinationParticipant: guid(5),
		DestinationEndpoint: guid(6), SourceEndpoint: guid(7), Class: ClassHandshake,
		Data: []DataHolder{{ClassID: "DDS:Auth:PKI-DH:1.0+Req", Properties: []Property{{"name", "value"}},
			Binary: []BinaryProperty{{"c.id", []byte("certificate")}, {"c.perm", bytes.Repeat([]byte{7}, 5000)}}}},
	}
}

func TestGenericMessage(t *testing.T) {
	m := aMessage()
	b := m.AppendPayload(nil)
	got, err := DecodeGenericMessage(b)
	if err != nil || !reflect.DeepEqual(got, m) {
		t.Errorf("%+v, %v", got, err)
	}
	for n := range 200 {
		if _, err := DecodeGenericMessage(b[:n]); err == nil {
			t.Errorf("%d bytes accepted", n)
		}
	}
	if v := got.Data[0].Value("c.id"); string(v) != "certificate" || got.Data[0].Value("x") != nil {
		t.Errorf("c.id is %q", v)
	}
	if got.Data[0].Property("name") != "value" || got.Data[0].Property("x") != "" {
		t.Error("property")
	}
}

// TestBinaryPropertiesAreBigEndian: what is hashed and signed (DDS Security 1.1, 9.3.2.5).
func TestBinaryPropertiesAreBigEndian(t *testing.T) {
	b := AppendBinaryProperties(nil, []BinaryProperty{{"ab", []byte{1}}, {"c", []byte{2, 3}}})
	want := "00000002" + "0000000361620000" + "0000000101000000" + "000000026300" + "0000" + "000000020203"
	if got := hex.EncodeToString(b); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestSecurityIsAnnounced(t *testing.T) {
	p := ParticipantData{GUID: GUID{Prefix: GUIDPrefix{1}, Entity: EntityParticipant}, BuiltinEndpoints: OwnBuiltinEndpoints | SecureBuiltinEndpoints,
		Lease: defaultLease, Security: &ParticipantSecurity{
			Identity: DataHolder{ClassID: "DDS:Auth:PKI-DH:1.0", Properties: []Property{{"dds.cert.sn", "CN=robot"}}},
			Info:     SecurityInfo{SecurityValid | ParticipantRTPSProtected, SecurityValid},
		}}
	got, err := DecodeParticipant(p.AppendPayload(nil))
	if err != nil || !reflect.DeepEqual(got, p) {
		t.Errorf("%+v, %v", got, err)
	}
	e := EndpointData{GUID: GUID{Prefix: GUIDPrefix{1}, Entity: NewEntityID(1, KindWriter)}, Topic: "rt/a", Type: "t", QoS: DefaultWriterQoS(),
		Security: SecurityInfo{SecurityValid | EndpointPayloadProtected, SecurityValid | EndpointPayloadEncrypted}}
	endpoint, err := DecodePublication(e.AppendPayload(nil))
	if err != nil || endpoint.Security != e.Security {
		t.Errorf("%+v, %v", endpoint.Security, err)
	}
}

// TestMalformedTokensAreAbsent: a participant without security accepts what it always did.
func TestMalformedTokensAreAbsent(t *testing.T) {
	p := ParticipantData{GUID: GUID{Prefix: GUIDPrefix{1}, Entity: EntityParticipant}, Lease: defaultLease}
	b := p.AppendPayload(nil)
	b = b[:len(b)-4] // the sentinel
	b = appendParameter(b, pidIdentityToken, []byte{1, 2, 3, 4})
	got, err := DecodeParticipant(appendSentinel(b))
	if err != nil || got.Security == nil || !got.Security.Identity.IsZero() {
		t.Errorf("%+v, %v", got.Security, err)
	}
}

func TestHandshakeData(t *testing.T) {
	p := ParticipantData{GUID: GUID{Prefix: GUIDPrefix{1, 2}, Entity: EntityParticipant}, Security: &ParticipantSecurity{
		Identity: DataHolder{ClassID: "I"}, Permissions: DataHolder{ClassID: "P"}, Info: SecurityInfo{SecurityValid, SecurityValid | 1}}}
	want := "00500010" + "010200000000000000000000000001c1" +
		"10010010" + "00000002" + "49000000" + "00000000" + "00000000" +
		"10020010" + "00000002" + "50000000" + "00000000" + "00000000" +
		"10050008" + "8000000080000001"
	if got := hex.EncodeToString(p.AppendHandshakeData(nil)); got != want+"00010000" {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if v, ok := HandshakeVendor(p.AppendHandshakeData(nil)); ok {
		t.Errorf("vendor %v of data without", v)
	}
	p.Vendor = VendorCyclone
	want += "00160004" + "01100000" + "00010000"
	got := p.AppendHandshakeData(nil)
	if v, ok := HandshakeVendor(got); !ok || v != VendorCyclone || hex.EncodeToString(got) != want {
		t.Errorf("vendor %v, got  %x\nwant %s", v, got, want)
	}
	for n := range got {
		if v, ok := HandshakeVendor(got[:n]); ok && v != VendorCyclone {
			t.Errorf("vendor %v of %d bytes", v, n)
		}
	}
}

// FuzzDecodeGenericMessage: what is decoded is encoded to the same.
func FuzzDecodeGenericMessage(f *testing.F) {
	m := aMessage()
	f.Add(m.AppendPayload(nil))
	f.Add([]byte{0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := DecodeGenericMessage(b)
		if err != nil {
			return
		}
		again, err := DecodeGenericMessage(m.AppendPayload(nil))
		if err != nil || !reflect.DeepEqual(again, m) {
			t.Errorf("%+v, %v", again, err)
		}
	})
}
