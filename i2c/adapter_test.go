// SPDX-License-Identifier: Apache-2.0

package i2c

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"periph.io/x/conn/v3/physic"

	"github.com/epuck-ros2/epuck-driver/internal/filetree"
	"github.com/epuck-ros2/epuck-driver/internal/system"
)

func newAdapter(k *kernel) *Adapter {
	a := &Adapter{find: func() (Location, port, error) {
		p, err := k.open("/dev/i2c-12")
		return Location{Path: "/dev/i2c-12", Number: 12}, p, err
	}}
	a.loc, a.port, _ = a.find()
	k.log = nil
	return a
}

// A bus that vanishes is reopened when it is back, whatever its number is then; the old file is closed.
func TestBusThatVanishesAndReturns(t *testing.T) {
	k := newKernel()
	machine := filepath.Join(t.TempDir(), "machine")
	become := func(entries []string) {
		t.Helper()
		_ = os.Remove(machine)
		if err := os.Symlink(filetree.Make(t, entries...), machine); err != nil {
			t.Fatal(err)
		}
	}
	become(piPuck("12"))
	a, err := Open(Config{Root: os.DirFS(machine), Bus: "auto", open: k.open})
	if err != nil {
		t.Fatal(err)
	}
	k.log = nil
	k.xferErr = syscall.ENODEV
	w, r := []byte{1}, make([]byte, 2)
	if err := a.Tx(0x1F, w, r); KindOf(err) != KindGone {
		t.Errorf("the transaction that finds it gone: %v", err)
	}
	if len(k.log) != 1 || k.log[0] != "close /dev/i2c-12" {
		t.Errorf("did %q", k.log)
	}
	k.xferErr = nil
	become([]string{"dev/null="})
	for range 3 {
		if err := a.Tx(0x1F, w, r); !errors.Is(err, ErrBus) || !errors.Is(err, ErrNoBus) || KindOf(err) != KindGone {
			t.Errorf("while it is gone: %v", err)
		}
	}
	become(piPuck("7"))
	if err := a.Tx(0x1F, w, r); err != nil {
		t.Errorf("when it is back: %v", err)
	}
	if a.location().Number != 7 || a.String() != "/dev/i2c-7" {
		t.Errorf("it is %v now", a.location())
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}

func TestCloseWhileTheBusIsGone(t *testing.T) {
	k := newKernel()
	a := newAdapter(k)
	k.xferErr = syscall.ESHUTDOWN
	_ = a.Tx(0x1F, []byte{1}, nil)
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	k.xferErr = nil
	if err := a.Tx(0x1F, []byte{1}, nil); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

func TestTx(t *testing.T) {
	long := make([]byte, maxLen)
	for _, c := range []struct {
		name  string
		w, r  []byte
		flags []uint16
	}{
		{"combined", []byte{1, 2, 3}, make([]byte, 5), []uint16{0, 1}},
		{"write", []byte{9}, nil, []uint16{0}},
		{"read", nil, make([]byte, 2), []uint16{1}},
		{"longest", long, long, []uint16{0, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := newKernel()
			k.reply = 0x40
			w := bytes.Clone(c.w)
			if err := newAdapter(k).Tx(0x1F, w, c.r); err != nil {
				t.Fatal(err)
			}
			if len(k.seen) != len(c.flags) {
				t.Fatalf("%d messages, want %d", len(k.seen), len(c.flags))
			}
			for i, m := range k.seen {
				want := w
				if c.flags[i] == flagRead {
					want = c.r
				}
				if m.addr != 0x1F || m.flags != c.flags[i] || len(m.bytes) != len(want) || &m.bytes[0] != &want[0] {
					t.Errorf("message %d: address %#x flags %#x length %d", i, m.addr, m.flags, len(m.bytes))
				}
			}
			if len(c.r) > 1 && (c.r[0] != 0x40 || c.r[1] != 0x41) {
				t.Errorf("read % x", c.r[:2])
			}
		})
	}
	k := newKernel()
	if err := newAdapter(k).Tx(0x1F, nil, nil); err != nil || k.seen != nil {
		t.Errorf("an empty transaction: %v, %d messages", err, len(k.seen))
	}
}

func TestTxErrors(t *testing.T) {
	k := newKernel()
	a := newAdapter(k)
	w, r := make([]byte, 20), make([]byte, 47)
	for errno, kind := range map[syscall.Errno]Kind{
		system.EREMOTEIO: KindNAK, syscall.ENXIO: KindNAK, syscall.ETIMEDOUT: KindTimeout, syscall.EIO: KindIO,
		syscall.EAGAIN: KindArbitration, syscall.ENODEV: KindGone, syscall.EINVAL: KindOther,
	} {
		k.xferErr = errno
		err := a.Tx(0x1F, w, r)
		if !errors.Is(err, ErrBus) || !errors.Is(err, errno) || KindOf(err) != kind {
			t.Errorf("%v: got %v of kind %v, want %v", errno, err, KindOf(err), kind)
		}
		for _, s := range []string{"/dev/i2c-12", "0x1f", "20", "47", kind.String()} {
			if !strings.Contains(err.Error(), s) {
				t.Errorf("%q does not name %s", err, s)
			}
		}
	}
	k.xferErr = nil
	for _, c := range []struct {
		addr uint16
		w, r []byte
		is   error
	}{
		{0x80, w, r, errAddress}, {0xFFFF, w, r, errAddress},
		{0x1F, make([]byte, maxLen+1), nil, errTooLong}, {0x1F, nil, make([]byte, maxLen+1), errTooLong},
	} {
		k.seen = nil
		if err := a.Tx(c.addr, c.w, c.r); !errors.Is(err, c.is) || !errors.Is(err, ErrBus) || k.seen != nil {
			t.Errorf("address %#x, lengths %d and %d: %v", c.addr, len(c.w), len(c.r), err)
		}
	}
}

func TestAdapterClose(t *testing.T) {
	k := newKernel()
	a := newAdapter(k)
	for range 2 {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
	if n := len(k.log); n != 1 {
		t.Errorf("closed %d times", n)
	}
	if err := a.Tx(0x1F, []byte{0}, nil); !errors.Is(err, ErrClosed) || KindOf(err) != KindGone {
		t.Errorf("after Close: %v", err)
	}
}

func TestAdapterNames(t *testing.T) {
	a := newAdapter(newKernel())
	if a.String() != "/dev/i2c-12" || a.location().Number != 12 {
		t.Errorf("%v %+v", a, a.location())
	}
	if err := a.SetSpeed(400 * physic.KiloHertz); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "400kHz") {
		t.Errorf("SetSpeed: %v", err)
	}
}

// TestAdapterConcurrent: several goroutines use a bus while another closes it; the race detector checks.
func TestAdapterConcurrent(t *testing.T) {
	a := newAdapter(newKernel())
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			w, r := make([]byte, 20), make([]byte, 47)
			for range 100 {
				if err := a.Tx(0x1F, w, r); err != nil && !errors.Is(err, ErrClosed) {
					t.Error(err)
				}
			}
		})
	}
	wg.Go(func() { _ = a.Close() })
	wg.Wait()
}

// quietPort is a port that does nothing, and so allocates nothing.
type quietPort struct{ fakePort }

func (quietPort) transfer(*transaction) error { return nil }

func TestTxAllocates(t *testing.T) {
	a := &Adapter{port: &quietPort{}}
	w, r := make([]byte, 20), make([]byte, 47)
	if n := testing.AllocsPerRun(100, func() { _ = a.Tx(0x1F, w, r) }); n != 0 {
		t.Errorf("%v allocations per transaction", n)
	}
	if a.msgs != [2]message{} {
		t.Error("the caller's bytes are still held")
	}
}
