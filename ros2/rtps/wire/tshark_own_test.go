// SPDX-License-Identifier: Apache-2.0

//go:build peers

package wire

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestOwnMessagesInTshark has tshark dissect what this package encodes: one
// datagram of each submessage, the discovery data and a dispose.
func TestOwnMessagesInTshark(t *testing.T) {
	if _, err := exec.LookPath("tshark"); err != nil {
		t.Skip("tshark is not installed:", err)
	}
	path := filepath.Join(t.TempDir(), "own.pcap")
	datagrams := ownDatagrams()
	if err := os.WriteFile(path, pcap(datagrams), 0o600); err != nil {
		t.Fatal(err)
	}
	bad, err := exec.Command("tshark", "-r", path, "-Y", "_ws.malformed || _ws.expert.severity >= 6291456",
		"-T", "fields", "-e", "frame.number", "-e", "_ws.expert.message").Output()
	if err != nil || len(bad) > 0 {
		t.Errorf("%v: %s", err, bad)
	}
	out, err := exec.Command("tshark", "-r", path, "-Y", "rtps", "-T", "fields", "-e", fieldID).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(string(out))
	if len(lines) != len(datagrams) {
		t.Fatalf("tshark sees %d messages of %d", len(lines), len(datagrams))
	}
	tl := newTally()
	for i, d := range datagrams {
		for s := NewScanner(d); s.Next(); {
			tl.value(lines[i], s.Submessage().ID.String())
		}
	}
	if len(tl.Values) < 7 {
		t.Errorf("%d kinds of messages: %v", len(tl.Values), tl.Values)
	}
}

// ownDatagrams are messages of all kinds.
func ownDatagrams() [][]byte {
	var all [][]byte
	send := func(m appender) {
		b := NewBuilder(1472)
		b.Begin(testPrefix)
		b.InfoDst(otherPrefix)
		b.InfoTS(0x65f10001_40000000)
		addTo(b, m)
		all = append(all, b.Bytes())
	}
	for _, tc := range subCases() {
		send(tc.want)
	}
	e := endpointValue()
	dispose := NewDispose(EntitySPDPWriter, 3, participantValue.GUID)
	send(&Data{Writer: EntitySPDPWriter, SN: 1, Kind: PayloadData, Payload: participantValue.AppendPayload(nil)})
	send(&Data{Writer: EntityPublicationsWriter, SN: 1, Kind: PayloadData, Payload: e.AppendPayload(nil)})
	send(&dispose)
	return all
}

// pcap makes a capture of UDP datagrams from 192.0.2.7:7411 to 192.0.2.8:7410,
// as raw IPv4 packets.
func pcap(datagrams [][]byte) []byte {
	le := binary.LittleEndian
	b := le.AppendUint32(nil, 0xa1b2c3d4)
	b = le.AppendUint16(le.AppendUint16(b, 2), 4)
	b = le.AppendUint32(le.AppendUint64(b, 0), 65535)
	b = le.AppendUint32(b, 228) // LINKTYPE_IPV4
	for _, d := range datagrams {
		n := uint16(28 + len(d))
		b = le.AppendUint32(le.AppendUint64(b, 0), uint32(n))
		b = le.AppendUint32(b, uint32(n))
		b = binary.BigEndian.AppendUint16(append(b, 0x45, 0), n)
		b = append(b, 0, 0, 0, 0, 64, 17, 0, 0, 192, 0, 2, 7, 192, 0, 2, 8)
		b = append(b, 7411>>8, 7411&0xff, 7410>>8, 7410&0xff)
		b = binary.BigEndian.AppendUint16(b, n-20)
		b = append(append(b, 0, 0), d...)
	}
	return b
}
