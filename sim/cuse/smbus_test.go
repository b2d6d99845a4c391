// SPDX-License-Identifier: Apache-2.0

//go:build linux

package cuse

import (
	"bytes"
	"syscall"
	"testing"
)

func TestSMBus(t *testing.T) {
	block := func(n byte, b ...byte) []byte {
		u := make([]byte, smbusDataSize)
		u[0] = n
		copy(u[1:], b)
		return u
	}
	word := func(v uint16) []byte { return native.AppendUint16(nil, v) }
	full := make([]byte, smbusBlockMax)
	for i := range full {
		full[i] = byte(0x40 + i)
	}
	onEach(t, func(r *rig) {
		p := r.start()
		defer p.close()
		r.want(p, i2cSlave, chipAddr, 0, 0)
		for _, c := range []struct {
			name    string
			read    bool
			command byte
			kind    uint32
			data    []byte
			no      syscall.Errno
			bus     string
			answer  []byte
		}{
			{"quick", false, 0, smbusQuick, nil, 0, "42:w r0", nil},
			{"quick read", true, 0, smbusQuick, nil, 0, "42:w r0", nil},
			{"byte", false, 0x41, smbusByte, nil, 0, "42:w41 r0", nil},
			{"byte read", true, 0, smbusByte, []byte{0}, 0, "42:w r1", []byte{0x41}},
			{"byte data", false, 0x10, smbusByteData, []byte{0x99}, 0, "42:w1099 r0", nil},
			{"byte data read", true, 0x10, smbusByteData, []byte{0}, 0, "42:w10 r1", []byte{0x99}},
			{"word data", false, 0x12, smbusWordData, word(0x1234), 0, "42:w123412 r0", nil},
			{"word data read", true, 0x12, smbusWordData, word(0), 0, "42:w12 r2", word(0x1234)},
			{"process call", false, 0x14, smbusProcCall, word(0xABCD), 0, "42:w14cdab r2", word(0x1716)},
			{"block", false, 0x20, smbusBlockData, block(3, 1, 2, 3), 0, "42:w2003010203 r0", nil},
			{"block of 33", false, 0x20, smbusBlockData, block(33), syscall.EINVAL, "", nil},
			{"block read", true, 0x20, smbusBlockData, block(0), syscall.EOPNOTSUPP, "", nil},
			{"block process call", false, 0x20, smbusBlockProcCall, block(1), syscall.EOPNOTSUPP, "", nil},
			{"I2C block", false, 0x28, smbusI2CBlockData, block(2, 8, 9), 0, "42:w280809 r0", nil},
			{"I2C block read", true, 0x28, smbusI2CBlockData, block(2), 0, "42:w28 r2", block(2, 8, 9)},
			{"I2C block of 33", true, 0x28, smbusI2CBlockData, block(33), syscall.EINVAL, "", nil},
			{"old I2C block read", true, 0x40, smbusI2CBlockBroken, block(1), 0, "42:w40 r32", block(32, full...)},
			{"unknown kind", false, 0, 9, word(0), syscall.EINVAL, "", nil},
			{"no data", true, 0, smbusByteData, nil, syscall.EINVAL, "", nil},
		} {
			r.bus.mu.Lock()
			for i := range r.bus.reg {
				if i >= 0x40 {
					r.bus.reg[i] = byte(i)
				}
			}
			r.bus.reg[0x16], r.bus.reg[0x17] = 0x16, 0x17
			r.bus.mu.Unlock()
			r.mem.used = 0
			arg, at := r.mem.smbus(c.read, c.command, c.kind, c.data)
			if _, no := p.ioctl(i2cSMBus, arg); no != c.no {
				t.Errorf("%s: %v, want %v", c.name, no, c.no)
			}
			if got := r.bus.took(); got != c.bus {
				t.Errorf("%s: on the bus %q, want %q", c.name, got, c.bus)
			}
			if got := r.mem.at(at, uint64(len(c.answer))); c.answer != nil && !bytes.Equal(got, c.answer) {
				t.Errorf("%s: answer % x, want % x", c.name, got, c.answer)
			}
		}
		arg, _ := r.mem.smbus(false, 0, smbusByteData, []byte{1})
		r.mem.at(arg, 1)[0] = 2 // neither read nor write
		r.want(p, i2cSMBus, arg, 0, syscall.EINVAL)
		r.want(p, i2cTenBit, 1, 0, 0)
		arg, _ = r.mem.smbus(false, 0, smbusQuick, nil)
		r.want(p, i2cSMBus, arg, 0, syscall.EOPNOTSUPP)
		r.want(p, i2cSMBus, 8, 0, syscall.EFAULT)
		r.sent("")
	})
}

// Packets with error codes: they are sent, checked, and taken off; a wrong one is EBADMSG. The codes are those of an
// independent calculation (CRC-8, polynomial 0x07, over 84 10 99 and so on).
func TestSMBusPEC(t *testing.T) {
	onEach(t, func(r *rig) {
		p := r.start()
		defer p.close()
		r.want(p, i2cSlave, chipAddr, 0, 0)
		r.want(p, i2cPEC, 1, 0, 0)
		code := pecOf(0, chipAddr<<1, 0x10, 0x99)
		arg, _ := r.mem.smbus(false, 0x10, smbusByteData, []byte{0x99})
		r.want(p, i2cSMBus, arg, 0, 0)
		if got := r.bus.reg[0x11]; got != code {
			t.Errorf("code sent %#02x, want %#02x", got, code)
		}
		r.bus.reg[0x11] = pecOf(0, chipAddr<<1, 0x10, chipAddr<<1|1, 0x99)
		arg, at := r.mem.smbus(true, 0x10, smbusByteData, []byte{0})
		r.want(p, i2cSMBus, arg, 0, 0)
		if got := r.mem.at(at, 1)[0]; got != 0x99 {
			t.Errorf("read %#02x", got)
		}
		r.bus.reg[0x11]++
		r.want(p, i2cSMBus, arg, 0, syscall.EBADMSG)
		r.bus.at, r.bus.reg[0x33], r.bus.reg[0x34] = 0x33, 0x55, pecOf(0, chipAddr<<1|1, 0x55)
		arg, at = r.mem.smbus(true, 0, smbusByte, []byte{0})
		r.want(p, i2cSMBus, arg, 0, 0)
		if got := r.mem.at(at, 1)[0]; got != 0x55 {
			t.Errorf("byte read %#02x", got)
		}
		r.bus.took()
		arg, _ = r.mem.smbus(false, 0, smbusQuick, nil) // these two have none
		r.want(p, i2cSMBus, arg, 0, 0)
		arg, _ = r.mem.smbus(false, 1, smbusI2CBlockData, append([]byte{1, 2}, make([]byte, 32)...))
		r.want(p, i2cSMBus, arg, 0, 0)
		r.sent("42:w r0, 42:w0102 r0")
	})
}

func TestPEC(t *testing.T) {
	for _, c := range []struct {
		text string
		want byte
	}{{"123456789", 0xF4}, {"", 0}, {"\x00", 0}, {"\x01", 0x07}, {"\x84\x10\x99", 0x31}} {
		if got := pecOf(0, []byte(c.text)...); got != c.want {
			t.Errorf("code of % x: %#02x, want %#02x", c.text, got, c.want)
		}
	}
}
