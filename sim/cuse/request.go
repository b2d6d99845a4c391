// SPDX-License-Identifier: Apache-2.0

//go:build linux

package cuse

import (
	"encoding/binary"
	"fmt"
	"syscall"
)

var native = binary.NativeEndian

// request is one message of the kernel.
type request struct {
	opcode uint32
	unique uint64
	body   []byte // after the header; the request's own
}

// parseRequest reads the header of a message.
func parseRequest(b []byte) (request, error) {
	if len(b) < sizeInHeader {
		return request{}, fmt.Errorf("%w: %d bytes, less than a header", errProtocol, len(b))
	}
	if n := native.Uint32(b); int64(n) != int64(len(b)) {
		return request{}, fmt.Errorf("%w: %d bytes that say they are %d", errProtocol, len(b), n)
	}
	return request{opcode: native.Uint32(b[4:]), unique: native.Uint64(b[8:]), body: b[sizeInHeader:]}, nil
}

// answer makes the message that answers the request: an error, or the concatenated parts of the body.
func (r request) answer(no syscall.Errno, parts ...[]byte) []byte {
	n := sizeOutHeader
	for _, p := range parts {
		n += len(p)
	}
	b := make([]byte, sizeOutHeader, n)
	if no != 0 {
		parts, n = nil, sizeOutHeader
	}
	native.PutUint32(b, uint32(n))
	native.PutUint32(b[4:], uint32(-int32(no)))
	native.PutUint64(b[8:], r.unique)
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}

// initAnswer answers CUSE_INIT: what is wanted of the kernel, and the name of the device.
func initAnswer(r request, name string) ([]byte, error) {
	if r.opcode != opInit || len(r.body) < sizeInitIn {
		return nil, fmt.Errorf("%w: opcode %d with %d bytes, not the initialisation", errProtocol, r.opcode, len(r.body))
	}
	major, minor, flags := native.Uint32(r.body), native.Uint32(r.body[4:]), native.Uint32(r.body[12:])
	if major != protocolMajor || minor < minMinor {
		return nil, fmt.Errorf("%w: version %d.%d; want %d.%d or a later %d", errProtocol, major, minor, protocolMajor, minMinor, protocolMajor)
	}
	if flags&unrestrictedIoctl == 0 {
		return nil, fmt.Errorf("%w: no unrestricted ioctls", errProtocol)
	}
	out := make([]byte, sizeInitOut)
	native.PutUint32(out[0:], protocolMajor)
	native.PutUint32(out[4:], min(minor, ourMinor))
	native.PutUint32(out[12:], unrestrictedIoctl)
	native.PutUint32(out[16:], maxMessage) // of read
	native.PutUint32(out[20:], maxMessage) // of write
	// Device number 0:0 asks for a free one: i2c-dev's own, 89, may be taken.
	return r.answer(0, out, []byte("DEVNAME="+name+"\x00")), nil
}

// ioctlRequest is struct fuse_ioctl_in and what follows it.
type ioctlRequest struct {
	file    uint64
	narrow  bool // 32-bit pointers and longs
	command uint32
	arg     uint64
	in      []byte // the program's memory that was asked for
	outSize uint32 // how much memory the answer may fill
}

func parseIoctl(body []byte) (ioctlRequest, bool) {
	if len(body) < sizeIoctlIn || uint64(native.Uint32(body[24:])) != uint64(len(body)-sizeIoctlIn) {
		return ioctlRequest{}, false
	}
	return ioctlRequest{
		file:    native.Uint64(body),
		narrow:  native.Uint32(body[8:])&ioctl32Bit != 0,
		command: native.Uint32(body[12:]),
		arg:     native.Uint64(body[16:]),
		in:      body[sizeIoctlIn:],
		outSize: native.Uint32(body[28:]),
	}, true
}

// ioctlHeader is struct fuse_ioctl_out.
func ioctlHeader(result int32, flags, ins, outs uint32) []byte {
	b := make([]byte, sizeIoctlOut)
	native.PutUint32(b, uint32(result))
	native.PutUint32(b[4:], flags)
	native.PutUint32(b[8:], ins)
	native.PutUint32(b[12:], outs)
	return b
}
