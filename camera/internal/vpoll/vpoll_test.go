// SPDX-License-Identifier: Apache-2.0

//go:build linux

package vpoll

import (
	"errors"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func pipe(t *testing.T) (r, w int, p *Poller) {
	t.Helper()
	var fds [2]int
	if err := unix.Pipe2(fds[:], unix.O_CLOEXEC|unix.O_NONBLOCK); err != nil {
		t.Fatal(err)
	}
	p, err := New(uintptr(fds[0]))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(p.Close(), unix.Close(fds[0])); err != nil {
			t.Error(err)
		}
	})
	return fds[0], fds[1], p
}

func TestEvents(t *testing.T) {
	r, w, p := pipe(t)
	expect := func(want Events, d time.Duration) {
		t.Helper()
		if ev, err := p.Wait(d); ev != want || err != nil {
			t.Errorf("%b, %v; want %b", ev, err, want)
		}
	}
	expect(0, 0)
	expect(0, -time.Hour)
	expect(0, time.Millisecond)
	if _, err := unix.Write(w, []byte{1}); err != nil {
		t.Fatal(err)
	}
	expect(Readable, time.Minute)
	if err := unix.Close(w); err != nil {
		t.Fatal(err)
	}
	expect(Readable|Failed, time.Minute)
	if _, err := unix.Read(r, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	expect(Failed, time.Minute) // a pipe without a writer hangs up, as an unplugged camera does
	p.Wake()
	p.Wake()
	expect(Failed|Woken, time.Minute)
	if n := testing.AllocsPerRun(10, func() { _, _ = p.Wait(0) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestWakeEndsWait(t *testing.T) {
	_, w, p := pipe(t)
	defer unix.Close(w)
	got := make(chan Events)
	go func() { ev, _ := p.Wait(time.Hour); got <- ev }()
	p.Wake()
	if ev := <-got; ev != Woken {
		t.Errorf("%b", ev)
	}
}

func TestFileThatIsNone(t *testing.T) {
	r, w, _ := pipe(t)
	defer unix.Close(w)
	p, err := New(uintptr(r + 1000))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if ev, err := p.Wait(time.Minute); ev != Failed || err != nil {
		t.Errorf("%b %v", ev, err)
	}
}
