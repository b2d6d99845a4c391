// SPDX-License-Identifier: Apache-2.0

//go:build linux

package cuse

import (
	"math"
	"sync"
	"syscall"
)

// opener is one open file of the device: i2c-dev's i2c_client.
type opener struct {
	adapter *adapter

	mu     sync.Mutex // guards what follows: a program's threads may share a file
	addr   uint16
	tenBit bool
	pec    bool
}

// state gives the address and whether packets have an error code, or why there is no such address.
func (o *opener) state() (addr uint16, pec bool, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.tenBit {
		return 0, false, syscall.EOPNOTSUPP
	}
	return o.addr, o.pec, nil
}

// read is one message from the opener's chip.
func (o *opener) read(size uint32) ([]byte, error) {
	addr, _, err := o.state()
	if err != nil {
		return nil, err
	}
	b := make([]byte, min(size, maxMessage))
	return b, o.adapter.transact([]message{{addr: addr, read: true, buf: b}})
}

// write is one message to the opener's chip; it returns how many bytes were sent.
func (o *opener) write(b []byte) (uint32, error) {
	addr, _, err := o.state()
	if err != nil {
		return 0, err
	}
	b = b[:min(len(b), maxMessage)]
	return uint32(len(b)), o.adapter.transact([]message{{addr: addr, buf: b}})
}

// ioctl runs one ioctl and returns its value.
func (o *opener) ioctl(command uint32, arg uint64, m *memory) (int32, error) {
	switch command {
	case i2cRdwr:
		return o.rdwr(arg, m)
	case i2cSMBus:
		return 0, o.smbus(arg, m)
	case i2cFuncs:
		return 0, o.functions(arg, m)
	}
	if err := m.ready(); err != nil { // the rest uses no memory
		return 0, err
	}
	return 0, o.configure(command, arg)
}

// functions is I2C_FUNCS.
func (o *opener) functions(arg uint64, m *memory) error {
	b, err := m.fill(arg, m.word())
	if err == nil {
		err = m.ready()
	}
	if err != nil {
		return err
	}
	if m.narrow {
		native.PutUint32(b, functions)
	} else {
		native.PutUint64(b, functions)
	}
	return nil
}

// configure runs the ioctls that set something.
func (o *opener) configure(command uint32, arg uint64) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch command {
	case i2cSlave, i2cSlaveForce: // no driver of the kernel's has an address here: none is busy
		if arg > maxTenBit || !o.tenBit && arg > maxAddress {
			return syscall.EINVAL
		}
		o.addr = uint16(arg)
	case i2cTenBit:
		o.tenBit = arg != 0
	case i2cPEC:
		o.pec = arg != 0
	case i2cRetries:
		if arg > math.MaxInt32 {
			return syscall.EINVAL
		}
		o.adapter.setRetries(uint32(arg))
	case i2cTimeout:
		d, err := units(arg)
		if err != nil {
			return err
		}
		o.adapter.setTimeout(d)
	default:
		return syscall.ENOTTY
	}
	return nil
}
