// SPDX-License-Identifier: Apache-2.0

//go:build linux

package cuse

import (
	"syscall"
	"testing"
	"unsafe"
)

// arena is memory of a program, at addresses that stand for themselves: real ones for the kernel, made up ones for the
// fake of it.
type arena struct {
	base   uint64
	mem    []byte
	used   int
	narrow bool // pointers and longs of 32 bits
}

// put copies bytes into the arena and gives their address.
func (a *arena) put(b []byte) uint64 {
	at := a.base + uint64(a.used)
	a.used += copy(a.mem[a.used:], b)
	a.used = (a.used + 7) &^ 7
	return at
}

// at gives a range, nil if it is not in the arena.
func (a *arena) at(addr, size uint64) []byte {
	if addr < a.base || addr-a.base > uint64(len(a.mem)) || size > uint64(len(a.mem))-(addr-a.base) {
		return nil
	}
	return a.mem[addr-a.base:][:size]
}

func (a *arena) word(v uint64) []byte {
	if a.narrow {
		return native.AppendUint32(nil, uint32(v))
	}
	return native.AppendUint64(nil, v)
}

// msg is one struct i2c_msg with its bytes.
type msg struct {
	addr, flags uint16
	data        []byte // written; for a read as long as what is read
}

// rdwr puts an I2C_RDWR into the arena and gives its address and those of the bytes.
func (a *arena) rdwr(msgs ...msg) (arg uint64, data []uint64) {
	var array []byte
	for _, m := range msgs {
		at := a.put(m.data)
		data = append(data, at)
		array = native.AppendUint16(array, m.addr)
		array = native.AppendUint16(array, m.flags)
		array = native.AppendUint16(array, uint16(len(m.data)))
		array = append(array, 0xA5, 0x5A) // the gap
		array = append(array, a.word(at)...)
	}
	head := append(a.word(a.put(array)), native.AppendUint32(nil, uint32(len(msgs)))...)
	if !a.narrow {
		head = append(head, 1, 2, 3, 4) // the gap at the end
	}
	return a.put(head), data
}

// smbus puts an I2C_SMBUS into the arena and gives its address and that of its data.
func (a *arena) smbus(read bool, command byte, kind uint32, data []byte) (arg, at uint64) {
	if data != nil {
		at = a.put(data)
	}
	head := []byte{0, command, 0x77, 0x77}
	if read {
		head[0] = 1
	}
	head = append(native.AppendUint32(head, kind), a.word(at)...)
	return a.put(head), at
}

// program is a program with a file of the device open.
type program interface {
	ioctl(command uint32, arg uint64) (int, syscall.Errno)
	read(b []byte) (int, syscall.Errno)
	write(b []byte) (int, syscall.Errno)
	close()
}

// realFile is a program on the real kernel.
type realFile int

func openReal(t testing.TB, path string) program {
	t.Helper()
	fd, err := syscall.Open(path, syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		t.Fatalf("open %s: %v", path, err)
	}
	return realFile(fd)
}

func (f realFile) ioctl(command uint32, arg uint64) (int, syscall.Errno) {
	n, _, no := syscall.Syscall(syscall.SYS_IOCTL, uintptr(f), uintptr(command), uintptr(arg))
	return int(n), no
}

func (f realFile) read(b []byte) (int, syscall.Errno) {
	n, err := syscall.Read(int(f), b)
	return n, errnoOf(err)
}

func (f realFile) write(b []byte) (int, syscall.Errno) {
	n, err := syscall.Write(int(f), b)
	return n, errnoOf(err)
}

func (f realFile) close() { _ = syscall.Close(int(f)) }

// realArena is memory that the garbage collector knows nothing of, so that its addresses may be given to the kernel.
func realArena(t testing.TB) *arena {
	t.Helper()
	mem, err := syscall.Mmap(-1, 0, 1<<20, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(mem) })
	return &arena{base: uint64(uintptr(unsafe.Pointer(&mem[0]))), mem: mem, narrow: unsafe.Sizeof(uintptr(0)) == 4}
}
