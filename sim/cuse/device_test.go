// SPDX-License-Identifier: Apache-2.0

//go:build linux

package cuse

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/internal/system"
)

func TestOpenRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		cfg  Config
		want error
	}{
		{"no bus", Config{Number: 1}, errConfig},
		{"number below 0", Config{Number: -1, Bus: &registers{}}, errConfig},
		{"number above 65535", Config{Number: 1 << 16, Bus: &registers{}}, errConfig},
	} {
		if d, err := Open(c.cfg); !errors.Is(err, c.want) || d != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestOpenChannelSaysWhatToDo(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "cuse")
	_, err := openChannel(missing)
	if !errors.Is(err, ErrUnavailable) || !errors.Is(err, os.ErrNotExist) || !contains(err, "modprobe cuse") {
		t.Errorf("no module: %v", err)
	}
	if err := os.WriteFile(missing, nil, 0o400); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() != 0 {
		if _, err := openChannel(missing); !errors.Is(err, ErrUnavailable) || !contains(err, "sudo") {
			t.Errorf("not root: %v", err)
		}
	}
	if _, err := openChannel(t.TempDir()); !errors.Is(err, ErrUnavailable) {
		t.Errorf("a folder: %v", err)
	}
}

func contains(err error, what string) bool { return err != nil && strings.Contains(err.Error(), what) }

// What the kernel may say at the beginning that is not understood, and what it may refuse.
func TestInitialisation(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*kernel, *Config)
		raw    []byte // instead of the initialisation
	}{
		{"old protocol", func(k *kernel, _ *Config) { k.minor = minMinor - 1 }, nil},
		{"no unrestricted ioctls", func(k *kernel, _ *Config) { k.flags = 0 }, nil},
		{"name taken", func(_ *kernel, c *Config) { c.Number = 404 }, nil},
		{"closed", func(k *kernel, _ *Config) { _ = k.Close() }, nil},
		{"too short", nil, []byte{1, 2, 3}},
		{"wrong length", nil, make([]byte, sizeInHeader)},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := newKernel(t, &arena{mem: make([]byte, 8)})
			cfg := Config{Bus: &registers{}}
			if c.change != nil {
				c.change(k, &cfg)
				k.initialise()
			} else {
				k.requests <- c.raw
			}
			d, err := answer(cfg, k)
			if !errors.Is(err, errProtocol) || d != nil {
				t.Errorf("%v", err)
			}
			if !errors.Is(k.Close(), os.ErrClosed) {
				t.Error("the channel stays open")
			}
		})
	}
	k := newKernel(t, &arena{mem: make([]byte, 8)})
	k.post(opOpen, make([]byte, sizeInitIn))
	if _, err := answer(Config{Bus: &registers{}}, k); !errors.Is(err, errProtocol) {
		t.Errorf("another request first: %v", err)
	}
}

func TestDeviceIsNamedAndClosed(t *testing.T) {
	k, d := serveFake(t, &registers{}, false)
	if k.name != "i2c-7" || d.Path() != "/dev/i2c-7" {
		t.Errorf("name %q, path %q", k.name, d.Path())
	}
	p, q := k.open(), k.open()
	if n := d.Openers(); n != 2 {
		t.Errorf("%d openers, want 2", n)
	}
	q.close()
	if n := d.Openers(); n != 1 {
		t.Errorf("%d openers, want 1", n)
	}
	select {
	case <-d.Done():
		t.Error("done while open")
	default:
	}
	for range 2 {
		if err := d.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}
	<-d.Done()
	if _, no := p.write([]byte{1}); no != syscall.ENOTCONN {
		t.Errorf("write to a device that vanished: %v", no)
	}
}

// A device that the kernel takes away, or that it cannot be understood about any more, ends and says why.
func TestDeviceLost(t *testing.T) {
	for name, spoil := range map[string]func(*kernel){
		"channel closed": func(k *kernel) { _ = k.Close() },
		"nonsense":       func(k *kernel) { k.requests <- []byte("nonsense") },
		"wrong length":   func(k *kernel) { k.requests <- append([]byte{255, 255, 255, 255}, make([]byte, 60)...) },
	} {
		k := newKernel(t, &arena{mem: make([]byte, 8)})
		k.initialise()
		d, err := answer(Config{Bus: &registers{}}, k)
		if err != nil {
			t.Fatal(err)
		}
		spoil(k)
		<-d.Done()
		if err := d.Close(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Requests of the right kind with the wrong contents get an errno, and the device continues.
func TestBadRequests(t *testing.T) {
	k, _ := serveFake(t, &registers{}, false)
	wrong := native.AppendUint64(nil, 99)
	pad := func(b []byte, n int) []byte { return append(append([]byte(nil), b...), make([]byte, n-len(b))...) }
	for _, c := range []struct {
		name   string
		opcode uint32
		body   []byte
		want   syscall.Errno
	}{
		{"short ioctl", opIoctl, make([]byte, sizeIoctlIn-1), syscall.EINVAL},
		{"ioctl of no file", opIoctl, pad(wrong, sizeIoctlIn), syscall.EBADF},
		{"ioctl with too little", opIoctl, append(make([]byte, 24), 9, 0, 0, 0, 0, 0, 0, 0), syscall.EINVAL},
		{"short read", opRead, wrong, syscall.EINVAL},
		{"read of no file", opRead, pad(wrong, sizeReadIn), syscall.EBADF},
		{"short write", opWrite, wrong, syscall.EINVAL},
		{"write of no file", opWrite, pad(wrong, sizeWriteIn), syscall.EBADF},
		{"short release", opRelease, wrong, syscall.EINVAL},
		{"release of no file", opRelease, pad(wrong, sizeRelease), 0},
		{"interrupt", 36, make([]byte, 8), syscall.ENOSYS},
		{"poll", 40, make([]byte, 24), syscall.ENOSYS},
		{"unknown", 7777, nil, syscall.ENOSYS},
	} {
		if _, no := k.call(c.opcode, c.body); no != c.want {
			t.Errorf("%s: %v, want %v", c.name, no, c.want)
		}
	}
	p := k.open()
	body := pad(native.AppendUint32(native.AppendUint64(native.AppendUint64(nil, 1), 0), 5), sizeWriteIn)
	if _, no := k.call(opWrite, append(body, 1, 2)); no != syscall.EINVAL {
		t.Errorf("a write with a wrong length: %v", no)
	}
	p.close()
}

// A program whose memory changes between the calls gets what is there at the end, and no call uses a length that was
// checked in another one.
func TestMemoryThatChanges(t *testing.T) {
	bus := &registers{}
	k, _ := serveFake(t, bus, false)
	p := k.open()
	defer p.close()
	arg, _ := k.arena.rdwr(msg{addr: chipAddr, data: []byte{0x10, 1, 2, 3}}, msg{addr: chipAddr, flags: flagRead, data: make([]byte, 4)})
	array := native.Uint64(k.arena.at(arg, 8))
	step := 0
	k.between = func() {
		step++
		switch step {
		case 2: // the array is transferred next; after that the first message grows
			return
		case 3:
			native.PutUint16(k.arena.at(array+4, 2), 2) // a shorter write
		case 4:
			native.PutUint32(k.arena.at(arg+8, 4), 1) // one message less
		}
	}
	n, no := p.ioctl(i2cRdwr, arg)
	if no != 0 || n != 1 {
		t.Errorf("%d, %v; want 1 message", n, no)
	}
	if got := bus.took(); got != "42:w1001 r0" {
		t.Errorf("on the bus %s", got)
	}
	if k.retries != 5 {
		t.Errorf("%d retries, want 5", k.retries)
	}
}

// Programs that use the device at once: no transaction of one gets into that of another, and all get their own answers.
func TestManyPrograms(t *testing.T) {
	bus := &registers{}
	k, d := serveFake(t, bus, false)
	var wg sync.WaitGroup
	var mu sync.Mutex // the arena is one program's; here each takes its part of it in turn
	for i := range 8 {
		wg.Go(func() {
			p := k.open()
			defer p.close()
			mu.Lock()
			arg, data := k.arena.rdwr(
				msg{addr: chipAddr, data: []byte{byte(i * 4), byte(i), byte(i + 100)}},
				msg{addr: chipAddr, data: []byte{byte(i * 4)}},
				msg{addr: chipAddr, flags: flagRead, data: make([]byte, 2)},
			)
			mu.Unlock()
			for range 50 {
				n, no := p.ioctl(i2cRdwr, arg)
				if n != 3 || no != 0 {
					t.Errorf("program %d: %d, %v", i, n, no)
				}
				if got := k.arena.at(data[2], 2); got[0] != byte(i) || got[1] != byte(i+100) {
					t.Errorf("program %d got % d", i, got)
				}
			}
		})
	}
	wg.Wait()
	if bus.overlap {
		t.Error("two transactions at once")
	}
	if n := d.Openers(); n != 0 {
		t.Errorf("%d openers left", n)
	}
}

// slow is a bus whose transfers wait until they are resumed.
type slow struct {
	registers
	began, resume chan struct{}
}

func (s *slow) Tx(addr uint16, w, r []byte) error {
	s.began <- struct{}{}
	<-s.resume
	return s.registers.Tx(addr, w, r)
}

// While a transfer takes its time others open, configure and close; Close waits for it.
func TestSlowTransfer(t *testing.T) {
	k := newKernel(t, &arena{base: 0x1000, mem: make([]byte, 1<<12)})
	k.initialise()
	bus := &slow{began: make(chan struct{}), resume: make(chan struct{})}
	d, err := answer(Config{Bus: bus}, k)
	if err != nil {
		t.Fatal(err)
	}
	p := k.open()
	result := make(chan syscall.Errno, 1)
	go func() {
		_, no := p.read(make([]byte, 1))
		result <- no
	}()
	<-bus.began
	q := k.open()
	if _, no := q.ioctl(i2cSlave, 5); no != 0 {
		t.Errorf("I2C_SLAVE during a transfer: %v", no)
	}
	q.close()
	closed := make(chan error, 1)
	go func() { closed <- d.Close() }()
	<-k.closed
	select {
	case <-d.Done():
		t.Error("done during a transfer")
	default:
	}
	close(bus.resume)
	if err := <-closed; err != nil {
		t.Errorf("close: %v", err)
	}
	if no := <-result; no != syscall.ENOTCONN {
		t.Errorf("read on a device that vanished: %v", no)
	}
}

// A bus without a settable time-out keeps its own, and a lost bus is not tried for longer than the time-out.
func TestAdapterTimeout(t *testing.T) {
	type plain struct{ i2c.Bus } // hides SetTimeout
	a := newAdapter(plain{&registers{}})
	if _, timeout := a.settings(); timeout != time.Second {
		t.Errorf("time-out %v at first, want the kernel's 1 s", timeout)
	}
	bus := &registers{}
	a = newAdapter(bus)
	a.setRetries(1000)
	a.setTimeout(0)
	bus.failing(1000, syscall.EAGAIN)
	if err := a.transact([]message{{addr: chipAddr}}); !errors.Is(err, syscall.EAGAIN) {
		t.Errorf("%v", err)
	}
	if n := len(bus.log); n > 500 {
		t.Errorf("%d transfers within no time", n)
	}
}

func TestErrnoOf(t *testing.T) {
	for _, c := range []struct {
		err  error
		want syscall.Errno
	}{
		{nil, 0}, {fmt.Errorf("x: %w", system.EREMOTEIO), system.EREMOTEIO}, {os.ErrClosed, syscall.ENODEV},
		{io.EOF, syscall.EIO}, {syscall.Errno(0), syscall.EIO}, {syscall.Errno(512), syscall.EIO}, {syscall.Errno(511), 511},
	} {
		if got := errnoOf(c.err); got != c.want {
			t.Errorf("%v: %v, want %v", c.err, got, c.want)
		}
	}
}
