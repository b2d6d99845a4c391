// SPDX-License-Identifier: Apache-2.0

package shapes

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// Decode reads a shape with its encapsulation header, in XCDR1 or XCDR2 and either byte order. Members appended by a
// longer version of the type are ignored; members that a shorter one lacks, in XCDR1 only the last, are zero. The
// result does not point into the payload. It fails if the encapsulation is another one (the error names its number), or
// if the payload ends within a member or the colour is too long (the error names the member and the byte).
func Decode(payload []byte) (Shape, error) {
	d, delimited, err := open(payload)
	if err != nil {
		return Shape{}, err
	}
	if delimited {
		d.delimit()
	}
	s := Shape{Color: d.color()}
	for _, v := range [...]*int32{&s.X, &s.Y, &s.Size} {
		if delimited && d.ends() {
			return s, d.err
		}
		*v = int32(d.u32("a number"))
	}
	if d.ends() { // the type of the suite until 2024
		return s, d.err
	}
	s.Extra = d.octets()
	return s, d.err
}

// DecodeKey reads the key sent with the end of an instance. In XCDR2 only some implementations write the length before
// it. The errors are those of Decode.
func DecodeKey(payload []byte) (color string, err error) {
	d, delimited, err := open(payload)
	if err != nil {
		return "", err
	}
	if delimited {
		long := *d
		long.delimit()
		if color = long.color(); long.err == nil {
			return color, nil
		}
	}
	color = d.color()
	return color, d.err
}

// decoder reads a body and keeps the first error.
type decoder struct {
	b     []byte
	at    int // all is aligned to four bytes from the beginning
	order binary.ByteOrder
	err   error
}

// open reads the encapsulation header.
func open(payload []byte) (d *decoder, delimited bool, err error) {
	if len(payload) < headerSize {
		return nil, false, fmt.Errorf("%w: %d bytes", errPayload, len(payload))
	}
	d = &decoder{b: payload[headerSize:], order: binary.BigEndian}
	id := binary.BigEndian.Uint16(payload)
	if id&littleEndian != 0 {
		d.order = binary.LittleEndian
	}
	switch id &^ littleEndian {
	case encapsulationCDR, encapsulationCDR2:
		return d, false, nil
	case encapsulationDelimit2:
		return d, true, nil
	}
	return nil, false, fmt.Errorf("%w: 0x%04x", errEncapsulation, id)
}

// fail keeps the first error.
func (d *decoder) fail(what string, n int) {
	if d.err == nil {
		d.err = fmt.Errorf("%w: %s of %d at byte %d of %d", errPayload, what, n, d.at, len(d.b))
	}
}

// delimit reads a length and ends the body there.
func (d *decoder) delimit() {
	n := d.u32("the length")
	if d.err != nil {
		return
	}
	if uint64(n) > uint64(len(d.b)-d.at) {
		d.fail("length", int(n))
		return
	}
	d.b = d.b[:d.at+int(n)]
}

// ends reports whether nothing more follows.
func (d *decoder) ends() bool { return d.err == nil && d.at >= len(d.b) }

func (d *decoder) u32(what string) uint32 {
	d.at += -d.at & 3
	if d.err != nil || d.at+4 > len(d.b) {
		d.fail(what, 4)
		return 0
	}
	v := d.order.Uint32(d.b[d.at:])
	d.at += 4
	return v
}

// bytes returns the next n bytes, in place.
func (d *decoder) bytes(what string, n uint32) []byte {
	if d.err != nil || uint64(n) > uint64(len(d.b)-d.at) {
		d.fail(what, int(n))
		return nil
	}
	b := d.b[d.at : d.at+int(n)]
	d.at += int(n)
	return b
}

// color reads the bounded string.
func (d *decoder) color() string {
	n := d.u32("the colour's length")
	if n > maxColor+1 {
		d.fail("colour", int(n))
	}
	s := strings.TrimSuffix(string(d.bytes("colour", n)), "\x00")
	if len(s) > maxColor {
		d.fail("colour", len(s))
	}
	return s
}

// octets reads the sequence.
func (d *decoder) octets() []byte {
	if b := d.bytes("extra bytes", d.u32("their number")); len(b) > 0 {
		return append([]byte(nil), b...)
	}
	return nil
}
