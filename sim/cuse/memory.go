// SPDX-License-Identifier: Apache-2.0

//go:build linux

package cuse

import "syscall"

// memory is the memory of a program during one of its ioctls.
//
// The kernel transfers only what the server asks for, and asks the server again after that. So an ioctl is written as
// if it could read on, from the beginning each time: read returns what has been transferred, or fails with errRetry and
// has the next call bring it. What is to be filled is given to fill, and ready says whether all is there. The program
// may change its memory between two calls: nothing of an earlier one is kept, and ranges that changed are asked for
// anew.
type memory struct {
	narrow bool
	in     []byte // transferred
	space  uint64 // how much may be filled

	used   uint64 // of in
	filled uint64 // of space
	ins    []span
	outs   []span
	out    [][]byte // one for each of outs
}

// span is a range of addresses of the program.
type span struct{ base, size uint64 }

// word is the size of a pointer or a long in the program.
func (m *memory) word() uint64 {
	if m.narrow {
		return 4
	}
	return 8
}

// pointer reads a pointer or a long.
func (m *memory) pointer(b []byte) uint64 {
	if m.narrow {
		return uint64(native.Uint32(b))
	}
	return native.Uint64(b)
}

// read gives the bytes of a range, or errRetry. They stay valid during this call.
func (m *memory) read(base, size uint64) ([]byte, error) {
	if err := m.count(size); err != nil {
		return nil, err
	}
	if size == 0 {
		return nil, nil
	}
	m.ins = append(m.ins, span{base, size})
	m.used += size
	if m.used > maxBytes {
		return nil, syscall.ENOMEM
	}
	if m.used > uint64(len(m.in)) {
		return nil, errRetry
	}
	return m.in[m.used-size : m.used : m.used], nil
}

// fill returns the space for what a range is to be filled with when the ioctl succeeds.
func (m *memory) fill(base, size uint64) ([]byte, error) {
	if err := m.count(size); err != nil {
		return nil, err
	}
	if size == 0 {
		return nil, nil
	}
	m.filled += size
	if m.filled > maxBytes {
		return nil, syscall.ENOMEM
	}
	b := make([]byte, size)
	m.outs, m.out = append(m.outs, span{base, size}), append(m.out, b)
	return b, nil
}

func (m *memory) count(size uint64) error {
	if len(m.ins)+len(m.outs) >= maxIovs || size > maxBytes {
		return syscall.ENOMEM
	}
	return nil
}

// ready is nil when the kernel has transferred exactly what was read and will take what is filled.
func (m *memory) ready() error {
	if m.used != uint64(len(m.in)) || m.filled != m.space {
		return errRetry
	}
	return nil
}

// wanted is the body of an answer that asks for all ranges so far.
func (m *memory) wanted() [][]byte {
	list := make([]byte, 0, (len(m.ins)+len(m.outs))*sizeIovec)
	for _, spans := range [][]span{m.ins, m.outs} {
		for _, s := range spans {
			list = native.AppendUint64(list, s.base)
			list = native.AppendUint64(list, s.size)
		}
	}
	return [][]byte{ioctlHeader(0, ioctlRetry, uint32(len(m.ins)), uint32(len(m.outs))), list}
}
