// SPDX-License-Identifier: Apache-2.0

//go:build linux

package cuse

import (
	"errors"
	"os"
	"sync"
	"syscall"
	"testing"
)

// kernel is a fake of the kernel's side of CUSE that insists on the protocol as fs/fuse does: what the real one would
// answer with EINVAL or EIO fails the test.
type kernel struct {
	t     testing.TB
	arena *arena
	minor uint32 // of the protocol
	flags uint32 // offered at the initialisation

	requests chan []byte
	closed   chan struct{}
	once     sync.Once

	mu      sync.Mutex
	unique  uint64
	pending map[uint64]chan []byte
	name    string // the device's, once it is there
	between func() // called after each retry: another thread of the program
	retries int
}

func newKernel(t testing.TB, a *arena) *kernel {
	k := &kernel{
		t: t, arena: a, minor: 38, flags: unrestrictedIoctl,
		requests: make(chan []byte, 64), closed: make(chan struct{}), pending: make(map[uint64]chan []byte),
	}
	return k
}

// initialise sends CUSE_INIT; the answer is checked when it comes.
func (k *kernel) initialise() {
	body := native.AppendUint32(nil, protocolMajor)
	body = native.AppendUint32(body, k.minor)
	body = native.AppendUint32(body, 0)
	body = native.AppendUint32(body, k.flags)
	k.post(opInit, body)
}

// post sends a request and gives where its answer comes.
func (k *kernel) post(opcode uint32, body []byte) chan []byte {
	k.mu.Lock()
	k.unique += 2
	unique, answer := k.unique, make(chan []byte, 1)
	k.pending[unique] = answer
	k.mu.Unlock()
	b := make([]byte, sizeInHeader)
	native.PutUint32(b, uint32(sizeInHeader+len(body)))
	native.PutUint32(b[4:], opcode)
	native.PutUint64(b[8:], unique)
	select {
	case k.requests <- append(b, body...):
	case <-k.closed:
	}
	return answer
}

// Read gives the server one request. It implements io.Reader.
func (k *kernel) Read(b []byte) (int, error) {
	if len(b) < 8192 || len(b) < sizeInHeader+sizeWriteIn+maxMessage {
		k.t.Errorf("read with a buffer of %d bytes: EINVAL", len(b))
	}
	select {
	case <-k.closed:
		return 0, os.ErrClosed
	default:
	}
	select {
	case <-k.closed:
		return 0, os.ErrClosed
	case r := <-k.requests:
		return copy(b, r), nil
	}
}

// Write takes an answer of the server. It implements io.Writer.
func (k *kernel) Write(b []byte) (int, error) {
	if len(b) < sizeOutHeader || int(native.Uint32(b)) != len(b) {
		k.t.Errorf("answer % x: EINVAL", b[:min(len(b), sizeOutHeader)])
		return 0, syscall.EINVAL
	}
	no := int32(native.Uint32(b[4:]))
	if no <= -maxErrno || no > 0 || no < 0 && len(b) != sizeOutHeader {
		k.t.Errorf("answer with error %d and %d bytes: EINVAL", no, len(b))
		return 0, syscall.EINVAL
	}
	unique := native.Uint64(b[8:])
	k.mu.Lock()
	answer, ok := k.pending[unique]
	delete(k.pending, unique)
	k.mu.Unlock()
	if !ok {
		k.t.Errorf("answer to request %d, which does not wait: ENOENT", unique)
		return 0, syscall.ENOENT
	}
	if unique == 2 {
		return len(b), k.register(b[sizeOutHeader:])
	}
	answer <- append([]byte(nil), b...)
	return len(b), nil
}

// register makes the device, from the answer to the initialisation.
func (k *kernel) register(b []byte) error {
	const prefix = "DEVNAME="
	if len(b) <= sizeInitOut+len(prefix) || native.Uint32(b) != protocolMajor || native.Uint32(b[4:]) > k.minor ||
		native.Uint32(b[12:]) != unrestrictedIoctl || b[len(b)-1] != 0 || string(b[sizeInitOut:][:len(prefix)]) != prefix {
		k.t.Errorf("initialisation answered with % x", b)
		return syscall.EINVAL
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.name = string(b[sizeInitOut+len(prefix) : len(b)-1])
	if k.name == "i2c-404" { // as if another had this name
		return syscall.EEXIST
	}
	return nil
}

// Close makes the device vanish. It implements io.Closer.
func (k *kernel) Close() error {
	err := os.ErrClosed
	k.once.Do(func() { close(k.closed); err = nil })
	return err
}

// call sends a request and waits for its answer: the body and the error.
func (k *kernel) call(opcode uint32, body []byte) ([]byte, syscall.Errno) {
	answer := k.post(opcode, body)
	select {
	case b := <-answer:
		return b[sizeOutHeader:], syscall.Errno(-int32(native.Uint32(b[4:])))
	case <-k.closed:
		return nil, syscall.ENOTCONN
	}
}

// fakeFile is a program on the fake kernel.
type fakeFile struct {
	k  *kernel
	fh uint64
}

func (k *kernel) open() program {
	k.t.Helper()
	b, no := k.call(opOpen, make([]byte, 8))
	if no != 0 || len(b) != sizeOpenOut {
		k.t.Fatalf("open: %v, %d bytes", no, len(b))
	}
	return fakeFile{k, native.Uint64(b)}
}

func (f fakeFile) close() {
	_, no := f.k.call(opRelease, append(native.AppendUint64(nil, f.fh), make([]byte, 16)...))
	if no != 0 && no != syscall.ENOTCONN {
		f.k.t.Errorf("release: %v", no)
	}
}

func (f fakeFile) read(b []byte) (int, syscall.Errno) {
	body := native.AppendUint64(native.AppendUint64(nil, f.fh), 0)
	body = append(native.AppendUint32(body, uint32(len(b))), make([]byte, 20)...)
	got, no := f.k.call(opRead, body)
	if len(got) > len(b) {
		f.k.t.Errorf("read of %d bytes answered with %d", len(b), len(got))
	}
	return copy(b, got), no
}

func (f fakeFile) write(b []byte) (int, syscall.Errno) {
	body := native.AppendUint64(native.AppendUint64(nil, f.fh), 0)
	body = append(native.AppendUint32(body, uint32(len(b))), make([]byte, 20)...)
	got, no := f.k.call(opWrite, append(body, b...))
	if no != 0 {
		return 0, no
	}
	if len(got) != sizeWriteOut {
		f.k.t.Fatalf("write answered with %d bytes", len(got))
	}
	return int(native.Uint32(got)), 0
}

// ioctl is fs/fuse/ioctl.c: the server is asked again until it wants no more memory.
func (f fakeFile) ioctl(command uint32, arg uint64) (int, syscall.Errno) {
	var ins, outs []span
	for {
		body, space, no := f.ioctlIn(command, arg, ins, outs)
		if no != 0 {
			return 0, no
		}
		b, no := f.k.call(opIoctl, body)
		switch {
		case no == syscall.ENOSYS:
			return 0, syscall.ENOTTY
		case no != 0:
			return 0, no
		case len(b) < sizeIoctlOut:
			f.k.t.Fatalf("ioctl answered with %d bytes", len(b))
		}
		if native.Uint32(b[4:])&ioctlRetry == 0 {
			return int(int32(native.Uint32(b))), f.k.copyOut(b[sizeIoctlOut:], space, outs)
		}
		ins, outs, no = f.k.spans(b)
		if no != 0 {
			return 0, no
		}
	}
}

// ioctlIn makes struct fuse_ioctl_in with the memory asked for.
func (f fakeFile) ioctlIn(command uint32, arg uint64, ins, outs []span) (body []byte, space uint64, no syscall.Errno) {
	flags := uint32(1) // FUSE_IOCTL_UNRESTRICTED
	if f.k.arena.narrow {
		flags |= ioctl32Bit
	}
	var data []byte
	for _, s := range ins {
		b := f.k.arena.at(s.base, s.size)
		if b == nil {
			return nil, 0, syscall.EFAULT
		}
		data = append(data, b...)
	}
	for _, s := range outs {
		space += s.size
	}
	body = native.AppendUint32(native.AppendUint64(nil, f.fh), flags)
	body = native.AppendUint64(native.AppendUint32(body, command), arg)
	body = native.AppendUint32(native.AppendUint32(body, uint32(len(data))), uint32(space))
	return append(body, data...), space, 0
}

// spans reads a request for memory and checks it as the kernel does.
func (k *kernel) spans(b []byte) (ins, outs []span, no syscall.Errno) {
	in, out := native.Uint32(b[8:]), native.Uint32(b[12:])
	list := b[sizeIoctlOut:]
	if in+out > maxIovs || len(list) != int(in+out)*sizeIovec {
		k.t.Errorf("a request for %d and %d ranges in %d bytes: EIO", in, out, len(list))
		return nil, nil, syscall.EIO
	}
	total := [2]uint64{}
	for i := range in + out {
		s := span{native.Uint64(list[i*sizeIovec:]), native.Uint64(list[i*sizeIovec+8:])}
		side := 0
		if i < in {
			ins = append(ins, s)
		} else {
			side, outs = 1, append(outs, s)
		}
		if total[side] += s.size; total[side] > maxBytes {
			return nil, nil, syscall.ENOMEM
		}
	}
	k.mu.Lock()
	k.retries++
	between := k.between
	k.mu.Unlock()
	if between != nil {
		between()
	}
	return ins, outs, 0
}

// copyOut fills the program's memory.
func (k *kernel) copyOut(data []byte, space uint64, outs []span) syscall.Errno {
	if uint64(len(data)) > space {
		k.t.Errorf("%d bytes for space of %d: EIO", len(data), space)
		return syscall.EIO
	}
	for _, s := range outs {
		to := k.arena.at(s.base, s.size)
		if to == nil {
			return syscall.EFAULT
		}
		data = data[copy(to, data):]
	}
	return 0
}

// serveFake serves a bus on a fake kernel.
func serveFake(t testing.TB, bus *registers, narrow bool) (*kernel, *Device) {
	t.Helper()
	k := newKernel(t, &arena{base: 0x10000, mem: make([]byte, 1<<20), narrow: narrow})
	k.initialise()
	d, err := answer(Config{Bus: bus, Number: 7}, k)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
			t.Errorf("close: %v", err)
		}
	})
	return k, d
}
