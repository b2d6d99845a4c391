// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"testing"
)

func TestNewDispose(t *testing.T) {
	g := GUID{testPrefix, EntityParticipant}
	d := NewDispose(EntitySPDPWriter, 9, g)
	want := unhex(t, `15 0b 5000 0000 1000 00000000 000100c2 00000000 09000000
		7000 1000 017e0102 03040506 0708090a 000001c1 7100 0400 00000003 0100 0000
		00030000 5000 1000 017e0102 03040506 0708090a 000001c1 0100 0000`)
	if got := d.Append(nil); !bytes.Equal(got, want) {
		t.Errorf("encoded\n% x, want\n% x", got, want)
	}
	e := NewDispose(EntityPublicationsWriter, 9, GUID{testPrefix, 0x103})
	if id := littleEndian.u16(e.Payload[4:]); parameterID(id) != pidEndpointGUID {
		t.Errorf("key parameter 0x%04x", id)
	}
	var q InlineQoS
	if err := q.Decode(e.InlineQoS); err != nil || !q.Status.Gone() || q.KeyHash.GUID() != (GUID{testPrefix, 0x103}) {
		t.Errorf("%+v, %v", q, err)
	}
}

func TestBuiltinKey(t *testing.T) {
	const guid = `01100b0c 0d0e0f10 11121314 00000104`
	want := GUID{otherPrefix, 0x104}
	hash, err := ParseParameterList(unhex(t, `7000 1000`+guid+`0100 0000`), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		d    Data
		want GUID
	}{
		{"Fast DDS", Data{Writer: EntityPublicationsWriter, InlineQoS: hash}, want},
		{"Cyclone DDS, endpoint", Data{Writer: EntitySubscriptionsWriter, Kind: PayloadKey,
			Payload: unhex(t, `00030000 5a00 1000`+guid+`0100 0000`)}, want},
		{"Cyclone DDS, participant", Data{Writer: EntitySPDPWriter, Kind: PayloadKey,
			Payload: unhex(t, `00030000 5000 1000`+guid+`0100 0000`)}, want},
		{"big-endian", Data{Writer: EntitySPDPWriter, Kind: PayloadKey,
			Payload: unhex(t, `00020000 0050 0010`+guid+`0001 0000`)}, want},
		{"nothing", Data{Writer: EntitySPDPWriter}, GUID{}},
		{"wrong parameter", Data{Writer: EntitySPDPWriter, Kind: PayloadKey,
			Payload: unhex(t, `00030000 5a00 1000`+guid+`0100 0000`)}, GUID{}},
		{"short", Data{Writer: EntitySPDPWriter, Kind: PayloadKey,
			Payload: unhex(t, `00030000 5000 0400 01020304 0100 0000`)}, GUID{}},
		{"no list", Data{Writer: EntitySPDPWriter, Kind: PayloadKey, Payload: unhex(t, `00010000`+guid)}, GUID{}},
	} {
		if got, ok := BuiltinKey(&tc.d); got != tc.want || ok == tc.want.IsZero() {
			t.Errorf("%s: %v, %v", tc.name, got, ok)
		}
	}
}

func TestStatusInfo(t *testing.T) {
	for s, gone := range map[StatusInfo]bool{0: false, 1: true, 2: true, 3: true, 4: false} {
		if s.Gone() != gone {
			t.Errorf("status %d gone: %v", s, !gone)
		}
	}
}
