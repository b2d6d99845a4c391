// SPDX-License-Identifier: Apache-2.0

//go:build linux

package cuse

import (
	"bytes"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// rig is a device with a chip and programs that use it.
type rig struct {
	t     *testing.T
	bus   *registers
	dev   *Device
	mem   *arena
	start func() program
	real  bool
}

// onEach runs a test on the fake kernel with programs of 64 and of 32 bits and, with EPUCK_CUSE=required as in the
// virtual machine, on the kernel of this machine.
func onEach(t *testing.T, f func(*rig)) {
	for name, narrow := range map[string]bool{"fake kernel": false, "fake kernel, 32 bits": true} {
		t.Run(name, func(t *testing.T) {
			bus := &registers{}
			k, d := serveFake(t, bus, narrow)
			f(&rig{t: t, bus: bus, dev: d, mem: k.arena, start: k.open})
		})
	}
	if os.Getenv("EPUCK_CUSE") != "required" {
		return
	}
	t.Run("this kernel", func(t *testing.T) {
		bus := &registers{}
		d, err := Open(Config{Bus: bus, Number: 77})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
		mem := realArena(t)
		f(&rig{t: t, bus: bus, dev: d, mem: mem, start: func() program { return openReal(t, d.Path()) }, real: true})
	})
}

// want checks one ioctl's value and error.
func (r *rig) want(p program, command uint32, arg uint64, value int, no syscall.Errno) {
	r.t.Helper()
	if n, got := p.ioctl(command, arg); got != no || no == 0 && n != value {
		r.t.Errorf("ioctl %#x: %d, %v; want %d, %v", command, n, got, value, no)
	}
}

// sent checks the transfers on the bus.
func (r *rig) sent(want string) {
	r.t.Helper()
	if got := r.bus.took(); got != want {
		r.t.Errorf("on the bus:\n  %s\nwant\n  %s", got, want)
	}
}

// repeat writes the transfer of a message n times.
func repeat(what string, n int) string {
	return strings.TrimSuffix(strings.Repeat(what+", ", n), ", ")
}

func TestSettings(t *testing.T) {
	onEach(t, func(r *rig) {
		p := r.start()
		defer p.close()
		where := r.mem.put(make([]byte, 8))
		for _, c := range []struct {
			name    string
			command uint32
			arg     uint64
			no      syscall.Errno
		}{
			{"functions", i2cFuncs, where, 0},
			{"functions nowhere", i2cFuncs, 8, syscall.EFAULT},
			{"address", i2cSlave, 0x7F, 0},
			{"address above 7 bits", i2cSlave, 0x80, syscall.EINVAL},
			{"address by force", i2cSlaveForce, 0x42, 0},
			{"ten bits", i2cTenBit, 1, 0},
			{"address of ten bits", i2cSlave, 0x3FF, 0},
			{"address above ten bits", i2cSlave, 0x400, syscall.EINVAL},
			{"seven bits", i2cTenBit, 0, 0},
			{"error codes", i2cPEC, 1, 0},
			{"retries", i2cRetries, 3, 0},
			{"retries below 0", i2cRetries, 0xFFFFFFFF, syscall.EINVAL},
			{"time-out", i2cTimeout, 2, 0},
			{"time-out below 0", i2cTimeout, 0xFFFFFFFF, syscall.EINVAL},
			{"unknown", 0x0709, 0, syscall.ENOTTY},
			{"terminal", 0x5401, 0, syscall.ENOTTY},
		} {
			if _, no := p.ioctl(c.command, c.arg); no != c.no {
				t.Errorf("%s: %v, want %v", c.name, no, c.no)
			}
		}
		got := r.mem.at(where, 8)
		if native.Uint32(got) != functions {
			t.Errorf("functions % x", got)
		}
		if r.bus.timeout != 20*time.Millisecond {
			t.Errorf("time-out of the bus %v, want 20 ms", r.bus.timeout)
		}
		if retries, timeout := r.dev.adapter.settings(); retries != 3 || timeout != 20*time.Millisecond {
			t.Errorf("%d retries, time-out %v", retries, timeout)
		}
		r.sent("")
	})
}

func TestReadAndWrite(t *testing.T) {
	onEach(t, func(r *rig) {
		p, q := r.start(), r.start()
		defer p.close()
		defer q.close()
		r.want(p, i2cSlave, chipAddr, 0, 0)
		r.want(q, i2cSlave, 0x43, 0, 0)
		if n, no := p.write([]byte{0x10, 1, 2, 3}); n != 4 || no != 0 {
			t.Errorf("write: %d, %v", n, no)
		}
		if n, no := p.write([]byte{0x11}); n != 1 || no != 0 {
			t.Errorf("write: %d, %v", n, no)
		}
		b := make([]byte, 2)
		if n, no := p.read(b); n != 2 || no != 0 || !bytes.Equal(b, []byte{2, 3}) {
			t.Errorf("read: %d, %v, % x", n, no, b)
		}
		if _, no := q.write([]byte{1}); no != system.EREMOTEIO {
			t.Errorf("write to no chip: %v", no)
		}
		if _, no := q.read(b); no != system.EREMOTEIO {
			t.Errorf("read from no chip: %v", no)
		}
		r.sent("42:w10010203 r0, 42:w11 r0, 42:w r2, 43:w01 r0, 43:w r2")
		r.want(p, i2cTenBit, 1, 0, 0)
		if _, no := p.read(b); no != syscall.EOPNOTSUPP {
			t.Errorf("read with ten bits: %v", no)
		}
		if _, no := p.write(b); no != syscall.EOPNOTSUPP {
			t.Errorf("write with ten bits: %v", no)
		}
		r.sent("")
	})
}

func TestRdwr(t *testing.T) {
	w := func(b ...byte) msg { return msg{addr: chipAddr, data: b} }
	rd := func(n int) msg { return msg{addr: chipAddr, flags: flagRead, data: make([]byte, n)} }
	long := make([]byte, maxMessage)
	onEach(t, func(r *rig) {
		p := r.start()
		defer p.close()
		for _, c := range []struct {
			name string
			msgs []msg
			no   syscall.Errno
			bus  string
		}{
			{"write", []msg{w(0x20, 7, 8, 9)}, 0, "42:w20070809 r0"},
			{"write then read", []msg{w(0x20), rd(3)}, 0, "42:w20 r3"},
			{"read", []msg{rd(1)}, 0, "42:w r1"},
			{"probe", []msg{{addr: chipAddr}}, 0, "42:w r0"},
			{"probe of no chip", []msg{{addr: 0x50}}, system.EREMOTEIO, "50:w r0"},
			{"empty read", []msg{rd(0)}, 0, "42:w r0"},
			{"two pairs", []msg{w(0x20), rd(1), w(0x21), rd(2)}, 0, "42:w20 r1, 42:w21 r2"},
			{"two writes", []msg{w(0x20), w(0x21)}, 0, "42:w20 r0, 42:w21 r0"},
			{"another chip's read", []msg{w(0x20), {addr: 0x43, flags: flagRead, data: []byte{0}}}, system.EREMOTEIO, "42:w20 r0, 43:w r1"},
			{"ends at the first failure", []msg{{addr: 0x50, data: []byte{1}}, w(0x20)}, system.EREMOTEIO, "50:w01 r0"},
			{"most messages", append(make([]msg, 0), manyProbes(maxMessages)...), 0, repeat("42:w r0", maxMessages)},
			{"too many messages", manyProbes(maxMessages + 1), syscall.EINVAL, ""},
			{"no message", nil, syscall.EINVAL, ""},
			{"too long", []msg{{addr: chipAddr, data: append(long, 0)}}, syscall.EINVAL, ""},
			{"too long to read", []msg{{addr: chipAddr, flags: flagRead, data: append(long, 0)}}, syscall.EINVAL, ""},
			{"ten bits", []msg{{addr: 0x142, flags: 0x10}}, syscall.EOPNOTSUPP, ""},
			{"address above 7 bits", []msg{{addr: 0x80}}, syscall.EINVAL, ""},
			{"length given by the chip", []msg{{addr: chipAddr, flags: flagRead | 0x400, data: []byte{1, 2}}}, syscall.EOPNOTSUPP, ""},
			{"memory for DMA", []msg{{addr: chipAddr, flags: flagDMASafe, data: []byte{0x20}}}, 0, "42:w20 r0"},
			{"one bad among good", []msg{w(0x20), {addr: 0x80}, rd(1)}, syscall.EINVAL, ""},
		} {
			r.mem.used = 0
			arg, _ := r.mem.rdwr(c.msgs...)
			r.want(p, i2cRdwr, arg, len(c.msgs), c.no)
			if got := r.bus.took(); got != c.bus {
				t.Errorf("%s: on the bus %s, want %s", c.name, got, c.bus)
			}
		}
	})
}

func manyProbes(n int) []msg {
	msgs := make([]msg, n)
	for i := range msgs {
		msgs[i].addr = chipAddr
	}
	return msgs
}

// What is read reaches the program's memory, each message its own; other memory stays.
func TestRdwrFillsMemory(t *testing.T) {
	onEach(t, func(r *rig) {
		p := r.start()
		defer p.close()
		for i := range r.bus.reg {
			r.bus.reg[i] = byte(i) ^ 0x80
		}
		big := make([]byte, maxMessage)
		arg, data := r.mem.rdwr(
			msg{addr: chipAddr, data: []byte{0x30}}, msg{addr: chipAddr, flags: flagRead, data: make([]byte, 3)},
			msg{addr: chipAddr, data: []byte{0x50}}, msg{addr: chipAddr, flags: flagRead, data: big},
		)
		r.want(p, i2cRdwr, arg, 4, 0)
		if got := r.mem.at(data[1], 5); !bytes.Equal(got, []byte{0xB0, 0xB1, 0xB2, 0, 0}) {
			t.Errorf("first read: % x", got)
		}
		got := r.mem.at(data[3], maxMessage)
		for i, b := range got {
			if b != byte(0x50+i)^0x80 {
				t.Fatalf("byte %d of the second read: %#02x", i, b)
			}
		}
	})
}

// Memory that is not the program's, and more memory than CUSE passes on.
func TestRdwrWithoutMemory(t *testing.T) {
	onEach(t, func(r *rig) {
		p := r.start()
		defer p.close()
		r.want(p, i2cRdwr, 8, 0, syscall.EFAULT)
		head := append(r.mem.word(8), 1, 0, 0, 0, 0, 0, 0, 0)
		r.want(p, i2cRdwr, r.mem.put(head), 0, syscall.EFAULT)
		clear(head[:8])
		if r.mem.narrow {
			head = append(r.mem.word(0), 1, 0, 0, 0)
		}
		r.want(p, i2cRdwr, r.mem.put(head), 0, syscall.EINVAL) // no array
		msgs := make([]msg, 17)                                // 136 KiB
		for i := range msgs {
			msgs[i] = msg{addr: chipAddr, flags: flagRead, data: make([]byte, maxMessage)}
		}
		arg, _ := r.mem.rdwr(msgs...)
		r.want(p, i2cRdwr, arg, 0, syscall.ENOMEM)
		r.mem.used = 0
		for i := range msgs {
			msgs[i].flags = 0
		}
		arg, _ = r.mem.rdwr(msgs...)
		r.want(p, i2cRdwr, arg, 0, syscall.ENOMEM)
		r.sent("")
	})
}

// Errors of the bus reach the program by their numbers; a lost bus is tried again as often as asked for.
func TestErrorsOfTheBus(t *testing.T) {
	onEach(t, func(r *rig) {
		p := r.start()
		defer p.close()
		for _, c := range []struct {
			err error
			no  syscall.Errno
		}{
			{syscall.ETIMEDOUT, syscall.ETIMEDOUT}, {syscall.EAGAIN, syscall.EAGAIN}, {os.ErrClosed, syscall.ENODEV},
			{bytes.ErrTooLarge, syscall.EIO}, {syscall.Errno(4000), syscall.EIO},
		} {
			r.bus.failing(1, c.err)
			r.mem.used = 0
			arg, _ := r.mem.rdwr(msg{addr: chipAddr})
			r.want(p, i2cRdwr, arg, 1, c.no)
		}
		r.bus.took()
		r.want(p, i2cRetries, 2, 0, 0)
		arg, _ := r.mem.rdwr(msg{addr: chipAddr})
		r.bus.failing(2, syscall.EAGAIN)
		r.want(p, i2cRdwr, arg, 1, 0)
		r.bus.failing(3, syscall.EAGAIN)
		r.want(p, i2cRdwr, arg, 1, syscall.EAGAIN)
		r.bus.failing(1, system.EREMOTEIO)
		r.want(p, i2cRdwr, arg, 1, system.EREMOTEIO)
		r.sent(repeat("42:w r0", 7))
	})
}
