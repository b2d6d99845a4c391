// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// The kernel's include/uapi/linux/i2c-dev.h, for programs of 32 bits.
const (
	i2cRetries    = 0x0701
	i2cTimeout    = 0x0702
	i2cSlave      = 0x0703
	i2cFuncs      = 0x0705
	i2cSlaveForce = 0x0706
	i2cRdwr       = 0x0707

	i2cRead      = 1
	plainI2C     = 1
	maxMessages  = 42
	maxMessage   = 8192
	messageSize  = 12
	timeoutUnit  = 10 * time.Millisecond
	handledByUs  = 1 << 32 // in the answer to the plugin
	deviceFolder = "dev"
)

// bus is one that programs reach by a device file. One transfer after the other is made.
type bus struct {
	to   Bus
	busy bool
	line []*request
}

// request is a transfer that a program requests, from a simulated time on, or, without a bus, a call that sends by the
// network.
type request struct {
	m        *Machine
	t        *thread
	call     uint64
	bus      *bus
	at       ticks
	messages []message
}

// message is struct i2c_msg.
type message struct {
	addr  uint16
	read  bool
	bytes []byte
	at    uint64 // where in the program's memory
}

// plug makes the device files.
func (m *Machine) plug() error {
	if len(m.cfg.Buses) == 0 {
		return nil
	}
	folder := filepath.Join(m.cfg.Files, deviceFolder)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for n, b := range m.cfg.Buses {
		if err := os.WriteFile(m.deviceFile(n), nil, 0o600); err != nil {
			return err
		}
		m.buses[n] = &bus{to: b}
	}
	return nil
}

func (m *Machine) deviceFile(n int) string {
	return filepath.Join(m.cfg.Files, deviceFolder, fmt.Sprintf("i2c-%d", n))
}

// busOf is the bus behind a file of a program.
func (m *Machine) busOf(p *program, fd int) *bus {
	name, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", p.pid(), fd))
	if err != nil {
		return nil
	}
	for n, b := range m.buses {
		if strings.HasSuffix(name, fmt.Sprintf("/%s/i2c-%d", deviceFolder, n)) && name == resolved(m.deviceFile(n)) {
			return b
		}
	}
	return nil
}

// resolved is a path as the kernel has it.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// device is an ioctl of i2c-dev; its answer is not handledByUs if the file is none.
func (m *Machine) device(t *thread, fd int, code, arg uint32) answer {
	b := m.busOf(t.p, fd)
	if b == nil {
		return result(0)
	}
	at := armcost.GuestBase + uint64(arg)
	switch code {
	case i2cFuncs:
		var word [4]byte
		binary.NativeEndian.PutUint32(word[:], plainI2C)
		return handled(0, write(t.tid, at, word[:]))
	case i2cTimeout:
		if bus, ok := b.to.(interface{ SetTimeout(time.Duration) }); ok {
			bus.SetTimeout(time.Duration(arg) * timeoutUnit)
		}
		return handled(0, nil)
	case i2cRetries, i2cSlave, i2cSlaveForce:
		return handled(0, nil)
	case i2cRdwr:
		messages, err := messagesAt(t.tid, at)
		if err != nil {
			return handled(0, err)
		}
		m.requests = append(m.requests, &request{m: m, t: t, call: t.call, bus: b, at: m.now(), messages: messages})
		t.block(wait{deadline: farAway, device: true})
		return answer{}
	}
	return handled(0, unix.ENOTTY)
}

// handled is what the plugin gives the program as the call's value.
func handled(value int32, err error) answer {
	if err != nil {
		errno := unix.EREMOTEIO
		if e := unix.Errno(0); errors.As(err, &e) && e != 0 {
			errno = e
		}
		value = -int32(errno)
	}
	return result(handledByUs | int64(uint32(value)))
}

// messagesAt reads struct i2c_rdwr_ioctl_data and what it leads to.
func messagesAt(tid int, at uint64) ([]message, error) {
	var head [8]byte
	if err := read(tid, at, head[:]); err != nil {
		return nil, unix.EFAULT
	}
	list, n := armcost.GuestBase+uint64(binary.NativeEndian.Uint32(head[:])), binary.NativeEndian.Uint32(head[4:])
	if n == 0 || n > maxMessages {
		return nil, unix.EINVAL
	}
	array := make([]byte, n*messageSize)
	if err := read(tid, list, array); err != nil {
		return nil, unix.EFAULT
	}
	messages := make([]message, n)
	for i := range messages {
		b := array[i*messageSize:]
		g := message{
			addr: binary.NativeEndian.Uint16(b), read: binary.NativeEndian.Uint16(b[2:])&i2cRead != 0,
			bytes: make([]byte, binary.NativeEndian.Uint16(b[4:])), at: armcost.GuestBase + uint64(binary.NativeEndian.Uint32(b[8:])),
		}
		if len(g.bytes) > maxMessage || g.addr > 0x7f {
			return nil, unix.EINVAL
		}
		if !g.read {
			if err := read(tid, g.at, g.bytes); err != nil {
				return nil, unix.EFAULT
			}
		}
		messages[i] = g
	}
	return messages, nil
}

// transfer makes the transfers of a request, as few as such a bus allows.
func (w *request) transfer() error {
	for rest := w.messages; len(rest) > 0; {
		n := 1
		var err error
		switch g := rest[0]; {
		case g.read:
			err = w.bus.to.Tx(g.addr, nil, g.bytes)
		case len(rest) > 1 && rest[1].read && rest[1].addr == g.addr:
			n, err = 2, w.bus.to.Tx(g.addr, g.bytes, rest[1].bytes)
		default:
			err = w.bus.to.Tx(g.addr, g.bytes, nil)
		}
		if err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// done gives the program what was read.
func (w *request) done(err error) error {
	t := w.t
	if t.state != blocked || !t.wait.device || t.call != w.call {
		return nil // it has ended, or a signal interrupted it
	}
	for _, g := range w.messages {
		if err == nil && g.read {
			if e := write(t.tid, g.at, g.bytes); e != nil {
				err = unix.EFAULT
			}
		}
	}
	w.m.wake(t, handled(int32(len(w.messages)), err))
	return nil
}
