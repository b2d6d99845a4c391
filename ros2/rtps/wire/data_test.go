// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"testing"
)

// testList holds KEY_HASH and STATUS_INFO, whose values have no byte order.
var testList = (&InlineQoS{KeyHash: KeyHash{1, 2, 3}, HasKeyHash: true, Status: StatusDisposed}).List()

var dataCases = []subCase{
	{
		name: "data payload padded",
		le:   `15 05 1c00 0000 1000 00000104 00000203 00000000 2a000000 00010000 aabb0000`,
		be:   `15 04 001c 0000 0010 00000104 00000203 00000000 0000002a 00010000 aabb0000`,
		want: &Data{Reader: 0x104, Writer: 0x203, SN: 42, Kind: PayloadData,
			Payload: []byte{0, 1, 0, 0, 0xaa, 0xbb, 0, 0}},
	},
	{
		name: "data with large number, payload",
		le:   `15 05 1800 0000 1000 00000000 000100c2 01000000 02000000 00010000`,
		be:   `15 04 0018 0000 0010 00000000 000100c2 00000001 00000002 00010000`,
		want: &Data{Writer: EntitySPDPWriter, SN: 1<<32 + 2, Kind: PayloadData, Payload: []byte{0, 1, 0, 0}},
	},
	{
		name: "dispose as Fast DDS sends it: inline QoS only",
		le: `15 03 3400 0000 1000 000003c7 000003c2 00000000 07000000
			7000 1000 01020300000000000000000000000000 7100 0400 00000001 0100 0000`,
		be: `15 02 0034 0000 0010 000003c7 000003c2 00000000 00000007
			0070 0010 01020300000000000000000000000000 0071 0004 00000001 0001 0000`,
		want: &Data{Reader: EntityPublicationsReader, Writer: EntityPublicationsWriter, SN: 7, InlineQoS: testList},
	},
	{
		name: "dispose with key payload",
		le: `15 0b 5000 0000 1000 00000000 000004c2 00000000 07000000
			7000 1000 01020300000000000000000000000000 7100 0400 00000001 0100 0000
			00030000 5a00 1000 01020300000000000000000000000000 0100 0000`,
		be: `15 0a 0050 0000 0010 00000000 000004c2 00000000 00000007
			0070 0010 01020300000000000000000000000000 0071 0004 00000001 0001 0000
			00030000 5a00 1000 01020300000000000000000000000000 0100 0000`,
		want: &Data{Writer: EntitySubscriptionsWriter, SN: 7, InlineQoS: testList, Kind: PayloadKey,
			Payload: []byte{0, 3, 0, 0, 0x5a, 0, 16, 0, 1, 2, 3, 24: 1, 27: 0}},
	},
}

func TestDataInvalid(t *testing.T) {
	checkInvalid(t, []invalidCase{
		{"short", `15 05 1000 0000 1000 00000104 00000203 00000000`, "body 16"},
		{"D and K", `15 0d 1800 0000 1000 00000104 00000203 00000000 2a000000 00010000`, "D and K"},
		{"number 0", `15 05 1800 0000 1000 00000104 00000203 00000000 00000000 00010000`, "writerSN 0"},
		{"number unknown", `15 05 1800 0000 1000 00000104 00000203 ffffffff 00000000 00010000`, "writerSN -4294967296"},
		{"number too large", `15 05 1800 0000 1000 00000104 00000203 ffffff7f ffffffff 00010000`, "writerSN"},
		{"octetsToInlineQos small", `15 05 1800 0000 0c00 00000104 00000203 00000000 01000000 00010000`, "octetsToInlineQos 12"},
		{"octetsToInlineQos large", `15 05 1800 0000 1500 00000104 00000203 00000000 01000000 00010000`, "octetsToInlineQos 21"},
		{"payload of 0", `15 05 1400 0000 1000 00000104 00000203 00000000 01000000`, "payload 0"},
		{"no sentinel", `15 03 1400 0000 1000 00000104 00000203 00000000 01000000`, "inline QoS"},
		{"parameter too long", `15 03 1c00 0000 1000 00000104 00000203 00000000 01000000 7100 0800 00000001`, "inline QoS"},
		{"parameter odd", `15 03 1c00 0000 1000 00000104 00000203 00000000 01000000 7100 0300 0100 0000`, "inline QoS"},
	})
}

// TestDataExtended: fields that a later version adds before the inline QoS are skipped by octetsToInlineQos.
func TestDataExtended(t *testing.T) {
	c, err := collect(message(t, `15 05 2000 0000 1800 00000104 00000203 00000000 2a000000 deadbeef deadbeef 00010000`))
	if err != nil || len(c.got) != 1 || !bytes.Equal(c.got[0].(*Data).Payload, []byte{0, 1, 0, 0}) {
		t.Errorf("%+v, %v", c.got, err)
	}
}

// TestDataBigEndianList: a big-endian list is omitted.
func TestDataBigEndianList(t *testing.T) {
	d := Data{Writer: 0x203, SN: 1, InlineQoS: ParameterList{Bytes: []byte{0, 1, 0, 0}, BigEndian: true}}
	if b := d.Append(nil); len(b) != 24 || b[1] != byte(flagEndian) || d.Size() != 24 {
		t.Errorf("% x", b)
	}
}

// TestDataHuge: a submessage that exceeds the 16-bit length is sent with length 0, to the end of the message.
func TestDataHuge(t *testing.T) {
	d := Data{Writer: 0x203, SN: 1, Kind: PayloadData, Payload: make([]byte, 70000)}
	b := d.Append(unhex(t, testHeader))
	if len(b) != HeaderSize+d.Size() || b[22] != 0 || b[23] != 0 {
		t.Errorf("%d bytes, % x", len(b), b[20:24])
	}
	c, err := collect(b)
	if err != nil || len(c.got) != 1 || len(c.got[0].(*Data).Payload) != 70000 {
		t.Errorf("%d handled, %v", len(c.got), err)
	}
}
