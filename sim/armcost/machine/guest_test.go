// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// guest is memory at the address of an emulated program's, in this process: to the machine this process is the program.
type guest struct {
	at, used uint64
}

const (
	guestOffset = 0x10000
	guestSize   = 1 << 17
)

func newGuest(t testing.TB) *guest {
	t.Helper()
	at := armcost.GuestBase + guestOffset
	got, err := unix.MmapPtr(-1, 0, unsafe.Add(nil, at), guestSize, unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_FIXED_NOREPLACE)
	if err != nil || uint64(uintptr(got)) != at {
		t.Skipf("no memory at %#x here: %v", at, err)
	}
	t.Cleanup(func() {
		if err := unix.MunmapPtr(got, guestSize); err != nil {
			t.Error(err)
		}
	})
	return &guest{at: at}
}

// put puts bytes into the memory and says where.
func (g *guest) put(t testing.TB, b []byte) uint64 {
	t.Helper()
	at := g.at + g.used
	g.used += uint64(len(b)+7) &^ 7
	if err := write(os.Getpid(), at, b); err != nil {
		t.Fatal(err)
	}
	return at
}

// words are numbers of 64 bits as they are in memory.
func words(all ...int64) (b []byte) {
	for _, w := range all {
		b = binary.NativeEndian.AppendUint64(b, uint64(w))
	}
	return b
}

// wordsAt reads n of them.
func wordsAt(t testing.TB, at uint64, n int) (all []int64) {
	t.Helper()
	b := make([]byte, 8*n)
	if err := read(os.Getpid(), at, b); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		all = append(all, int64(binary.NativeEndian.Uint64(b[8*i:])))
	}
	return all
}

// ours is a machine whose n threads are of this process.
func ours(t *testing.T, n int) *Machine {
	t.Helper()
	if runtime.GOARCH == "arm" {
		t.Skip("the emulator is for PCs, not for the emulated robot")
	}
	m := threads(t, n)
	process, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	p := &program{name: "this", cmd: &exec.Cmd{Process: process}}
	if p.pidfd, err = unix.PidfdOpen(os.Getpid(), 0); err != nil {
		t.Fatal(err)
	}
	for _, th := range m.order {
		th.p, th.tid, th.state = p, os.Getpid(), running
	}
	t.Cleanup(func() {
		for _, th := range m.order {
			th.unwait()
		}
		m.forgetTimer(p, -1)
		_ = unix.Close(p.pidfd)
	})
	return m
}

// TestTimespec: what a program gives as a time, and what is none.
func TestTimespec(t *testing.T) {
	g := newGuest(t)
	for _, row := range []struct {
		seconds, ns int64
		want        time.Duration
		err         error
	}{
		{0, 0, 0, nil},
		{1, 999_999_999, 2*time.Second - 1, nil},
		{1 << 62, 5, 9e9*time.Second + 5, nil},
		{-1, 0, 0, unix.EINVAL},
		{0, -1, 0, unix.EINVAL},
		{0, 1e9, 0, unix.EINVAL},
		{9e9, 1<<63 - 1, 0, unix.EINVAL},
	} {
		d, err := timespec(os.Getpid(), g.put(t, words(row.seconds, row.ns)))
		if d != row.want || !errors.Is(err, row.err) {
			t.Errorf("%d s %d ns: %v, %v", row.seconds, row.ns, d, err)
		}
		if want := unix.EINVAL; row.err != nil && mistake(err).errno != want {
			t.Errorf("%d s %d ns: the program gets %v", row.seconds, row.ns, mistake(err))
		}
	}
	if _, err := timespec(os.Getpid(), g.at+guestSize-8); err == nil || mistake(err).errno != unix.EFAULT {
		t.Errorf("half of a time: %v", err)
	}
	for arg, want := range map[uint64]time.Duration{0: 0, 15: 15 * time.Millisecond, 0xffffffff: -1, 1<<32 | 7: 7 * time.Millisecond, 1 << 31: -1} {
		if d := milliseconds(arg); d != want {
			t.Errorf("%#x ms are %v, want %v", arg, d, want)
		}
	}
}

// TestMemory: bytes come through whole, or it is said that they did not.
func TestMemory(t *testing.T) {
	g := newGuest(t)
	sent, got := []byte("through another's memory"), make([]byte, 24)
	if err := read(os.Getpid(), g.put(t, sent), got); err != nil || !bytes.Equal(sent, got) {
		t.Errorf("%q, %v", got, err)
	}
	end := g.at + guestSize
	for _, err := range []error{read(os.Getpid(), end-23, got), write(os.Getpid(), end-1, sent), read(os.Getpid(), end, got)} {
		if !errors.Is(err, unix.EFAULT) {
			t.Errorf("over the end: %v", err)
		}
	}
	if err := read(os.Getpid(), end-24, nil); err != nil {
		t.Errorf("nothing: %v", err)
	}
}
