// SPDX-License-Identifier: Apache-2.0

//go:build linux

package cuse

import "syscall"

// rdwr is I2C_RDWR: struct i2c_rdwr_ioctl_data at arg leads to an array of struct i2c_msg, each of which leads to its
// bytes.
//
//	arg: +------+-------+    msgs: +------+-------+-----+-----+    buf: +-------
//	     | msgs | nmsgs |          | addr | flags | len | buf |  …      | bytes
//	     +------+-------+          +------+-------+-----+-----+         +-------
func (o *opener) rdwr(arg uint64, m *memory) (int32, error) {
	head, err := m.read(arg, 2*m.word())
	if err != nil {
		return 0, err
	}
	list, n := m.pointer(head), native.Uint32(head[m.word():])
	if list == 0 || n == 0 || n > maxMessages {
		return 0, syscall.EINVAL
	}
	size := 8 + m.word() // of struct i2c_msg: three numbers, a gap, the pointer
	array, err := m.read(list, uint64(n)*size)
	if err != nil {
		return 0, err
	}
	messages := make([]message, n)
	var missing error
	for i := range messages {
		err := messages[i].parse(array[uint64(i)*size:], m)
		if err == errRetry { //nolint:errorlint // never wrapped
			missing, err = err, nil // all ranges are asked for at once
		}
		if err != nil {
			return 0, err
		}
	}
	if missing == nil {
		missing = m.ready()
	}
	if missing != nil {
		return 0, missing
	}
	return int32(n), o.adapter.transact(messages)
}

// parse reads one struct i2c_msg and gets its bytes.
func (g *message) parse(b []byte, m *memory) error {
	addr, flags, length := native.Uint16(b), native.Uint16(b[2:]), native.Uint16(b[4:])
	where := m.pointer(b[8:])
	switch {
	case length > maxMessage:
		return syscall.EINVAL
	case flags&^(flagRead|flagDMASafe) != 0:
		return syscall.EOPNOTSUPP
	case addr > maxAddress:
		return syscall.EINVAL
	}
	g.addr, g.read = addr, flags&flagRead != 0
	var err error
	if g.read {
		g.buf, err = m.fill(where, uint64(length))
	} else {
		g.buf, err = m.read(where, uint64(length))
	}
	return err
}
