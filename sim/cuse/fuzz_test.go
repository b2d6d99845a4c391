// SPDX-License-Identifier: Apache-2.0

//go:build linux

package cuse

import (
	"log/slog"
	"testing"
)

// FuzzRequests gives a device with one opener a series of ioctls whose memory a program chose: nothing it chooses may
// crash the server, make it ask for more than the kernel passes on, or have it answer what the kernel refuses.
//
// The input is one ioctl: flags, number, argument, space for the answer, the transferred memory.
func FuzzRequests(f *testing.F) {
	wide := &arena{base: 0x1000, mem: make([]byte, 256)}
	f.Add(uint32(1), uint32(i2cFuncs), uint64(0x1000), uint32(8), []byte{})
	f.Add(uint32(9), uint32(i2cFuncs), uint64(0x1000), uint32(4), []byte{})
	f.Add(uint32(1), uint32(i2cSlave), uint64(0x42), uint32(0), []byte{})
	arg, _ := wide.rdwr(msg{addr: chipAddr, data: []byte{1, 2}}, msg{addr: chipAddr, flags: flagRead, data: make([]byte, 3)})
	array := native.Uint64(wide.at(arg, 8))
	memory := append([]byte(nil), wide.at(arg, 16)...)
	f.Add(uint32(1), uint32(i2cRdwr), arg, uint32(0), append([]byte(nil), memory...))
	memory = append(memory, wide.at(array, 32)...)
	f.Add(uint32(1), uint32(i2cRdwr), arg, uint32(3), append(memory, 1, 2))
	arg, _ = wide.smbus(false, 0x10, smbusBlockData, append([]byte{3, 1, 2, 3}, make([]byte, 30)...))
	f.Add(uint32(1), uint32(i2cSMBus), arg, uint32(0), append(append([]byte(nil), wide.at(arg, 16)...), append([]byte{3, 1, 2, 3}, make([]byte, 30)...)...))
	f.Fuzz(func(t *testing.T, flags, command uint32, arg uint64, space uint32, memory []byte) {
		d := &Device{adapter: newAdapter(&registers{}), openers: map[uint64]*opener{}}
		d.openers[1] = &opener{adapter: d.adapter}
		body := native.AppendUint32(native.AppendUint64(nil, 1), flags)
		body = native.AppendUint64(native.AppendUint32(body, command), arg)
		body = native.AppendUint32(native.AppendUint32(body, uint32(len(memory))), space)
		r := request{opcode: opIoctl, unique: 6, body: append(body, memory...)}
		if len(r.body) > requestSize {
			return
		}
		if call, ok := parseIoctl(r.body); !ok || len(call.in) != len(memory) {
			t.Fatalf("a whole ioctl is not understood: %v", ok)
		}
		d.openers[1].addr = chipAddr
		checkAnswer(t, d.ioctlAnswer(t, r), uint64(space))
	})
}

// FuzzMessages gives a device any bytes as a message of the kernel.
func FuzzMessages(f *testing.F) {
	f.Add(make([]byte, sizeInHeader))
	f.Add(append(native.AppendUint64(native.AppendUint32(native.AppendUint32(nil, 48), opOpen), 2), make([]byte, 32)...))
	f.Add(append(native.AppendUint64(native.AppendUint32(native.AppendUint32(nil, 64), opRelease), 2), make([]byte, 48)...))
	f.Add(append(native.AppendUint64(native.AppendUint32(native.AppendUint32(nil, 80), opWrite), 2), make([]byte, 64)...))
	f.Add(append(native.AppendUint64(native.AppendUint32(native.AppendUint32(nil, 80), opRead), 2), make([]byte, 64)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		d := &Device{log: slog.New(slog.DiscardHandler), adapter: newAdapter(&registers{}), openers: map[uint64]*opener{}}
		d.openers[0] = &opener{adapter: d.adapter, addr: chipAddr}
		r, err := parseRequest(b)
		if err != nil {
			return
		}
		answer := d.respond(r)
		if len(answer) < sizeOutHeader || int(native.Uint32(answer)) != len(answer) || native.Uint64(answer[8:]) != r.unique {
			t.Errorf("answer % x", answer)
		}
		if _, err := initAnswer(r, "i2c-1"); err == nil && r.opcode != opInit {
			t.Errorf("opcode %d taken for the initialisation", r.opcode)
		}
	})
}

// ioctlAnswer answers an ioctl and gives the body, nil after an error.
func (d *Device) ioctlAnswer(t *testing.T, r request) []byte {
	b := d.respond(r)
	no := int32(native.Uint32(b[4:]))
	if int(native.Uint32(b)) != len(b) || native.Uint64(b[8:]) != r.unique || no > 0 || no <= -maxErrno {
		t.Fatalf("header % x", b[:sizeOutHeader])
	}
	if no != 0 {
		if len(b) != sizeOutHeader {
			t.Errorf("error %d with %d bytes", no, len(b))
		}
		return nil
	}
	return b[sizeOutHeader:]
}

// checkAnswer checks the body of an ioctl's answer against what the kernel takes.
func checkAnswer(t *testing.T, b []byte, space uint64) {
	if b == nil {
		return
	}
	ins, outs := uint64(native.Uint32(b[8:])), uint64(native.Uint32(b[12:]))
	if native.Uint32(b[4:])&ioctlRetry == 0 {
		if got := uint64(len(b) - sizeIoctlOut); got != space || ins+outs != 0 {
			t.Errorf("%d bytes for space of %d, %d and %d ranges", got, space, ins, outs)
		}
		return
	}
	if ins+outs > maxIovs || uint64(len(b)-sizeIoctlOut) != (ins+outs)*sizeIovec {
		t.Errorf("%d and %d ranges in %d bytes", ins, outs, len(b))
	}
	total := [2]uint64{}
	for i := range ins + outs {
		side := 0
		if i >= ins {
			side = 1
		}
		total[side] += native.Uint64(b[sizeIoctlOut+i*sizeIovec+8:])
	}
	if total[0] > maxBytes || total[1] > maxBytes {
		t.Errorf("%d bytes wanted, %d to fill", total[0], total[1])
	}
}
