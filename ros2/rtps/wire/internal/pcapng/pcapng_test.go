// SPDX-License-Identifier: Apache-2.0

package pcapng

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"
)

func block(kind uint32, body []byte) []byte {
	for len(body)%4 != 0 {
		body = append(body, 0)
	}
	b := binary.LittleEndian.AppendUint32(nil, kind)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(body)+12))
	return binary.LittleEndian.AppendUint32(append(b, body...), uint32(len(body)+12))
}

func file(link byte, packets ...[]byte) []byte {
	f := block(blockSection, []byte{0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0})
	f = append(f, block(blockInterface, []byte{link, 0, 0, 0, 0, 0, 4, 0})...)
	for _, p := range packets {
		head := make([]byte, 20)
		binary.LittleEndian.PutUint32(head[12:], uint32(len(p)))
		f = append(f, block(blockPacket, append(head, p...))...)
	}
	return f
}

// ip makes an IPv4 packet; offset counts bytes.
func ip(id byte, offset int, more bool, body []byte) []byte {
	h := make([]byte, 20)
	h[0], h[5], h[9] = 0x45, id, protocolUDP
	binary.BigEndian.PutUint16(h[2:], uint16(20+len(body)))
	bits := uint16(offset / 8)
	if more {
		bits |= 0x2000
	}
	binary.BigEndian.PutUint16(h[6:], bits)
	copy(h[12:], []byte{10, 0, 0, 1, 10, 0, 0, 2})
	return append(h, body...)
}

func segment(payload []byte) []byte {
	b := []byte{0x1c, 0xe8, 0x1c, 0xe9, 0, 0, 0, 0}
	binary.BigEndian.PutUint16(b[4:], uint16(8+len(payload)))
	return append(b, payload...)
}

func cooked(p []byte) []byte   { return append(append(make([]byte, 14), 8, 0), p...) }
func ethernet(p []byte) []byte { return append(append(make([]byte, 12), 8, 0), p...) }

func TestRead(t *testing.T) {
	payload := bytes.Repeat([]byte("0123456789abcdef"), 4)
	whole := segment(payload)
	f := file(linkCooked,
		cooked(ip(1, 0, false, whole)),
		cooked(ip(2, 24, true, whole[24:48])), // out of order, one twice
		cooked(ip(2, 0, true, whole[:24])),
		cooked(ip(2, 0, true, whole[:24])),
		cooked(ip(2, 48, false, whole[48:])),
		cooked(ip(3, 8, false, whole[8:])), // never complete
		make([]byte, 40),                   // no IP
	)
	got, err := Read(f)
	if err != nil || len(got) != 2 {
		t.Fatalf("%d datagrams, %v", len(got), err)
	}
	for i, frame := range []int{1, 5} {
		d := got[i]
		if d.Frame != frame || !bytes.Equal(d.Payload, payload) ||
			d.Src.String() != "10.0.0.1:7400" || d.Dst.String() != "10.0.0.2:7401" {
			t.Errorf("datagram %d: %+v", i, d)
		}
	}
	if got, err = Read(file(linkEthernet, ethernet(ip(1, 0, false, whole)))); err != nil || len(got) != 1 {
		t.Errorf("ethernet: %d datagrams, %v", len(got), err)
	}
}

func TestReadErrors(t *testing.T) {
	good := file(linkCooked, cooked(ip(1, 0, false, segment([]byte("x")))))
	for n := range good {
		if _, err := Read(good[:n]); err != nil && !errors.Is(err, ErrFormat) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	for _, f := range [][]byte{
		block(blockSection, []byte{0x1a, 0x2b, 0x3c, 0x4d}), // big-endian
		block(blockInterface, nil),
		block(blockPacket, make([]byte, 4)),
		block(blockPacket, make([]byte, 20)), // interface unknown
	} {
		if _, err := Read(f); !errors.Is(err, ErrFormat) {
			t.Errorf("% x: %v", f, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	whole := segment([]byte("0123456789abcdef"))
	f.Add(file(linkCooked, cooked(ip(1, 0, false, whole))))
	f.Add(file(linkEthernet, ethernet(ip(2, 8, false, whole[8:])), ethernet(ip(2, 0, true, whole[:8]))))
	f.Fuzz(func(t *testing.T, b []byte) {
		datagrams, err := Read(b)
		if err != nil && !errors.Is(err, ErrFormat) {
			t.Fatal(err)
		}
		for _, d := range datagrams {
			if len(d.Payload) > 65535 || d.Frame < 1 {
				t.Fatalf("%+v", d)
			}
		}
	})
}
