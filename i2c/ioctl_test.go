// SPDX-License-Identifier: Apache-2.0

package i2c

import (
	"encoding/binary"
	"testing"
	"unsafe"
)

const is64 = unsafe.Sizeof(uintptr(0)) == 8

// TestLayout compares the structures with the kernel's, which differ between 32 and 64 bits.
func TestLayout(t *testing.T) {
	type layout struct{ size, addr, flags, len, buf, trSize, n uintptr }
	var m message
	var tr transaction
	got := layout{
		unsafe.Sizeof(m), unsafe.Offsetof(m.addr), unsafe.Offsetof(m.flags), unsafe.Offsetof(m.len), unsafe.Offsetof(m.buf),
		unsafe.Sizeof(tr), unsafe.Offsetof(tr.n),
	}
	want := layout{12, 0, 2, 4, 8, 8, 4}
	if is64 {
		want = layout{16, 0, 2, 4, 8, 16, 8}
	}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// rawMessage is a message as the kernel reads it in memory.
type rawMessage struct {
	addr, flags uint16
	bytes       []byte
}

// parse reads a transaction as the kernel does, by byte offsets.
func parse(tr *transaction) []rawMessage {
	msgs := make([]rawMessage, tr.n)
	size := uintptr(12)
	if is64 {
		size = 16
	}
	for i := range msgs {
		at := unsafe.Add(tr.msgs, uintptr(i)*size)
		head := unsafe.Slice((*byte)(at), 8)
		buf := *(*unsafe.Pointer)(unsafe.Add(at, 8))
		msgs[i] = rawMessage{
			addr: binary.NativeEndian.Uint16(head), flags: binary.NativeEndian.Uint16(head[2:]),
			bytes: unsafe.Slice((*byte)(buf), binary.NativeEndian.Uint16(head[4:])),
		}
	}
	return msgs
}
