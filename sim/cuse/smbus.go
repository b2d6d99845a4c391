// SPDX-License-Identifier: Apache-2.0

//go:build linux

package cuse

import (
	"encoding/binary"
	"syscall"
)

// The transactions of I2C_SMBUS, from include/uapi/linux/i2c.h.
const (
	smbusQuick          = 0
	smbusByte           = 1
	smbusByteData       = 2
	smbusWordData       = 3
	smbusProcCall       = 4
	smbusBlockData      = 5
	smbusI2CBlockBroken = 6
	smbusBlockProcCall  = 7
	smbusI2CBlockData   = 8

	smbusBlockMax = 32
	smbusDataSize = smbusBlockMax + 2 // union i2c_smbus_data: a length, the bytes, space for an error code
)

// packet is one SMBus transaction.
type packet struct {
	kind    uint32
	read    bool
	command byte
	data    []byte // union i2c_smbus_data as the program gave it, or nil
	fill    []byte // where the answer goes, or nil
}

// smbus is I2C_SMBUS: struct i2c_smbus_ioctl_data at arg leads to a union i2c_smbus_data.
//
//	     0            1         2     4      8
//	+------------+---------+-------+------+--------+
//	| read_write | command |  gap  | size |  data  |
//	+------------+---------+-------+------+--------+
func (o *opener) smbus(arg uint64, m *memory) error {
	head, err := m.read(arg, 8+m.word())
	if err != nil {
		return err
	}
	p := packet{kind: native.Uint32(head[4:]), read: head[0] == 1, command: head[1]}
	if p.kind > smbusI2CBlockData || head[0] > 1 {
		return syscall.EINVAL
	}
	if err := p.gather(m.pointer(head[8:]), m); err != nil {
		return err
	}
	if err := m.ready(); err != nil {
		return err
	}
	addr, pec, err := o.state()
	if err != nil {
		return err
	}
	return p.run(o.adapter, addr, pec)
}

// gather gets the data of the packet and space for its answer, as i2c-dev does.
func (p *packet) gather(where uint64, m *memory) error {
	if p.kind == smbusQuick || p.kind == smbusByte && !p.read {
		return nil
	}
	if where == 0 {
		return syscall.EINVAL
	}
	size := uint64(smbusDataSize)
	switch p.kind {
	case smbusByte, smbusByteData:
		size = 1
	case smbusWordData, smbusProcCall:
		size = 2
	}
	call := p.kind == smbusProcCall || p.kind == smbusBlockProcCall
	block := p.kind == smbusI2CBlockData || p.kind == smbusI2CBlockBroken
	var err error // all that is needed is asked for at once, so the space comes before the data
	if p.read || call {
		if p.fill, err = m.fill(where, size); err != nil {
			return err
		}
	}
	if !p.read || call || block {
		if p.data, err = m.read(where, size); err != nil {
			return err
		}
	}
	if p.kind == smbusI2CBlockBroken { // of programs before Linux 2.6.23: always whole blocks
		p.kind = smbusI2CBlockData
		if p.read {
			p.data = append([]byte{smbusBlockMax}, make([]byte, smbusDataSize-1)...)
		}
	}
	return nil
}

// run sends the packet as plain messages: the kernel's i2c_smbus_xfer_emulated.
func (p *packet) run(a *adapter, addr uint16, pec bool) error {
	w, r, err := p.messages()
	if err != nil {
		return err
	}
	pec = pec && p.kind != smbusQuick && p.kind != smbusI2CBlockData
	var messages []message
	if len(w) > 0 || r == 0 {
		if pec && r == 0 {
			w = append(w, pecOf(pecOf(0, byte(addr<<1)), w...))
		}
		messages = append(messages, message{addr: addr, buf: w})
	}
	answer := make([]byte, r, r+1)
	if r > 0 {
		if pec {
			answer = answer[:r+1]
		}
		messages = append(messages, message{addr: addr, read: true, buf: answer})
	}
	if err := a.transact(messages); err != nil {
		return err
	}
	if pec && r > 0 {
		if answer, err = checkPEC(addr, w, answer); err != nil {
			return err
		}
	}
	p.answer(answer)
	return nil
}

// answer puts what was read where the program wants it.
func (p *packet) answer(b []byte) {
	switch {
	case p.fill == nil:
	case p.kind == smbusWordData || p.kind == smbusProcCall:
		native.PutUint16(p.fill, binary.LittleEndian.Uint16(b))
	case p.kind == smbusI2CBlockData:
		p.fill[0] = byte(len(b))
		copy(p.fill[1:], b)
	default:
		copy(p.fill, b)
	}
}

// messages gives what is written and how many bytes are read after that.
func (p *packet) messages() (w []byte, r int, err error) {
	command := []byte{p.command}
	switch p.kind {
	case smbusQuick:
		return nil, 0, nil
	case smbusByte:
		if p.read {
			return nil, 1, nil
		}
		return command, 0, nil
	case smbusByteData:
		if p.read {
			return command, 1, nil
		}
		return append(command, p.data[0]), 0, nil
	case smbusWordData, smbusProcCall: // the low byte goes first, whatever the machine's order
		if p.read && p.kind == smbusWordData {
			return command, 2, nil
		}
		w = binary.LittleEndian.AppendUint16(command, native.Uint16(p.data))
		if p.kind == smbusProcCall {
			r = 2
		}
		return w, r, nil
	case smbusBlockData, smbusI2CBlockData:
		return p.block(command)
	}
	return nil, 0, syscall.EOPNOTSUPP
}

// block is messages for the two kinds of blocks.
func (p *packet) block(command []byte) (w []byte, r int, err error) {
	if p.read && p.kind == smbusBlockData {
		return nil, 0, syscall.EOPNOTSUPP // the chip would say how long it is
	}
	n := int(p.data[0])
	switch {
	case n > smbusBlockMax:
		return nil, 0, syscall.EINVAL
	case p.read:
		return command, n, nil
	case p.kind == smbusBlockData:
		return append(command, p.data[:1+n]...), 0, nil
	}
	return append(command, p.data[1:1+n]...), 0, nil
}
