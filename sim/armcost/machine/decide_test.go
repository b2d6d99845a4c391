// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import (
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// pollList is an array of struct pollfd.
func pollList(fds ...int) (b []byte) {
	for _, fd := range fds {
		b = binary.NativeEndian.AppendUint32(b, uint32(int32(fd)))
		b = binary.NativeEndian.AppendUint16(b, unix.POLLIN)
		b = binary.NativeEndian.AppendUint16(b, 0xffff)
	}
	return b
}

// pipe makes one of this process; what is written can be read at the first.
func pipe(t testing.TB, flags int) (r, w int) {
	t.Helper()
	var p [2]int
	if err := unix.Pipe2(p[:], flags); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = unix.Close(p[0]), unix.Close(p[1]) })
	return p[0], p[1]
}

// TestDecisions: which calls wait, for what and until when, and which the kernel answers.
func TestDecisions(t *testing.T) {
	g := newGuest(t)
	m := ours(t, 1)
	th := m.order[0]
	m.core.header().now.Store(uint64(m.ticks(time.Second)))
	quiet, _ := pipe(t, 0)
	busy, w := pipe(t, 0)
	open, _ := pipe(t, unix.O_NONBLOCK)
	if _, err := unix.Write(w, []byte("x")); err != nil {
		t.Fatal(err)
	}
	some, none, bad := g.put(t, words(0, 5e6)), g.put(t, words(0, 0)), g.put(t, words(0, 2e9))
	up := g.put(t, words(32, 0)) // the machine's second second
	list, off, ready := g.put(t, pollList(quiet, -1)), g.put(t, pollList(-1)), g.put(t, pollList(quiet, busy))
	wrong := g.put(t, pollList(quiet, 9999))
	for _, row := range []struct {
		name  string
		nr    int32
		args  []uint64
		want  answer
		until time.Duration // 0: no limit
		files int
	}{
		{"ppoll for a time", unix.SYS_PPOLL, []uint64{list, 2, some}, answer{}, time.Second + 5*time.Millisecond, 1},
		{"ppoll without limit", unix.SYS_PPOLL, []uint64{list, 2, 0}, answer{}, 0, 1},
		{"ppoll of nothing", unix.SYS_PPOLL, []uint64{0, 0, some}, answer{}, time.Second + 5*time.Millisecond, 0},
		{"ppoll of a file that is off", unix.SYS_PPOLL, []uint64{off, 1, 0}, answer{}, 0, 0},
		{"ppoll of what is there", unix.SYS_PPOLL, []uint64{ready, 2, some}, goAhead(), 0, 0},
		{"ppoll of no file", unix.SYS_PPOLL, []uint64{wrong, 2, some}, goAhead(), 0, 0},
		{"ppoll for no time", unix.SYS_PPOLL, []uint64{list, 2, none}, goAhead(), 0, 0},
		{"ppoll for what is no time", unix.SYS_PPOLL, []uint64{list, 2, bad}, failure(unix.EINVAL), 0, 0},
		{"ppoll of a time nowhere", unix.SYS_PPOLL, []uint64{list, 2, 8}, failure(unix.EFAULT), 0, 0},
		{"ppoll of nowhere", unix.SYS_PPOLL, []uint64{8, 1, some}, failure(unix.EFAULT), 0, 0},
		{"ppoll of too much", unix.SYS_PPOLL, []uint64{list, maxPolled + 1, some}, failure(unix.EINVAL), 0, 0},
		{"ppoll of a number that overflows", unix.SYS_PPOLL, []uint64{list, 1 << 61, some}, failure(unix.EINVAL), 0, 0},
		{"epoll for a time", unix.SYS_EPOLL_PWAIT, []uint64{uint64(quiet), 0, 1, 7}, answer{}, time.Second + 7*time.Millisecond, 1},
		{"epoll without limit", unix.SYS_EPOLL_PWAIT, []uint64{uint64(quiet), 0, 1, 0xffffffff}, answer{}, 0, 1},
		{"epoll for no time", unix.SYS_EPOLL_PWAIT, []uint64{uint64(quiet), 0, 1, 0}, goAhead(), 0, 0},
		{"sleep", unix.SYS_NANOSLEEP, []uint64{some}, answer{}, time.Second + 5*time.Millisecond, 0},
		{"sleep for what is no time", unix.SYS_NANOSLEEP, []uint64{bad}, failure(unix.EINVAL), 0, 0},
		{"sleep nowhere", unix.SYS_NANOSLEEP, []uint64{8}, failure(unix.EFAULT), 0, 0},
		{"sleep until", unix.SYS_CLOCK_NANOSLEEP, []uint64{unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, up}, answer{}, 2 * time.Second, 0},
		{"sleep by a clock", unix.SYS_CLOCK_NANOSLEEP, []uint64{unix.CLOCK_REALTIME, 0, some}, answer{}, time.Second + 5*time.Millisecond, 0},
		{"read", unix.SYS_READ, []uint64{uint64(quiet), g.at, 1}, answer{}, 0, 1},
		{"read what is there", unix.SYS_READ, []uint64{uint64(busy), g.at, 1}, goAhead(), 0, 0},
		{"read without waiting", unix.SYS_READ, []uint64{uint64(open), g.at, 1}, goAhead(), 0, 0},
		{"read no file", unix.SYS_READV, []uint64{9999, g.at, 1}, goAhead(), 0, 0},
		{"receive", unix.SYS_RECVFROM, []uint64{uint64(quiet), g.at, 1, 0}, answer{}, 0, 1},
		{"receive without waiting", unix.SYS_RECVFROM, []uint64{uint64(quiet), g.at, 1, unix.MSG_DONTWAIT}, goAhead(), 0, 0},
		{"a message", unix.SYS_RECVMSG, []uint64{uint64(quiet), g.at, 0, unix.MSG_DONTWAIT}, answer{}, 0, 1},
		{"a message without waiting", unix.SYS_RECVMSG, []uint64{uint64(quiet), g.at, unix.MSG_DONTWAIT}, goAhead(), 0, 0},
		{"messages without waiting", unix.SYS_RECVMMSG, []uint64{uint64(quiet), g.at, 0, unix.MSG_DONTWAIT}, goAhead(), 0, 0},
		{"accept", unix.SYS_ACCEPT4, []uint64{uint64(quiet)}, answer{}, 0, 1},
		{"select", unix.SYS_PSELECT6, nil, failure(unix.ENOSYS), 0, 0},
		{"yield alone", unix.SYS_SCHED_YIELD, nil, result(0), 0, 0},
		{"what is no affair of ours", unix.SYS_GETPID, nil, goAhead(), 0, 0},
		{"what the plugin does not ask", asking, []uint64{99}, failure(unix.ENOSYS), 0, 0},
	} {
		th.unwait()
		th.state = running
		c := call{nr: row.nr}
		copy(c.args[:], row.args)
		a, err := m.decide(th, &c)
		if err != nil || a != row.want || (th.state == blocked) == a.answered || len(th.wait.files) != row.files {
			t.Errorf("%s: %+v, %v; waits: %+v", row.name, a, err, th.wait)
		}
		until := farAway
		if row.until > 0 {
			until = m.ticks(row.until)
		}
		if th.state == blocked && (th.wait.deadline != until || th.wait.timed != (row.until > 0)) {
			t.Errorf("%s: waits until %d, want %d", row.name, th.wait.deadline, until)
		}
	}
}

// TestPollTimesOut: whose time is up first wakes first, and finds no events where it looks for them.
func TestPollTimesOut(t *testing.T) {
	g := newGuest(t)
	m := ours(t, 3)
	quiet, w := pipe(t, 0)
	list := g.put(t, pollList(quiet, -1))
	for i, ms := range []int64{30, 20, 0xffffffff} {
		if a, err := m.poll(m.order[i], list, 2, milliseconds(uint64(ms))); err != nil || a.answered {
			t.Fatalf("%+v, %v", a, err)
		}
	}
	if m.next() != m.ticks(20*time.Millisecond) {
		t.Errorf("next at %d", m.next())
	}
	pass(t, m, 20*time.Millisecond)
	b := make([]byte, 16)
	if err := read(m.order[1].tid, list, b); err != nil || !slices.Equal(b[6:8], []byte{0, 0}) || !slices.Equal(b[14:], []byte{0, 0}) {
		t.Errorf("%x, %v", b, err)
	}
	if m.order[0].state != blocked || m.order[1].state != ready || m.order[1].due != m.ticks(20*time.Millisecond) {
		t.Errorf("%+v", m.order[1])
	}
	if err := m.pollAll(); err != nil || m.order[2].state != blocked {
		t.Errorf("nothing came: %v, %+v", err, m.order[2])
	}
	if _, err := unix.Write(w, []byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := m.pollAll(); err != nil || m.order[2].state != ready || m.order[2].reply != goAhead() || m.order[2].due != 0 {
		t.Errorf("something came: %v, %+v", err, m.order[2])
	}
}

// TestTakenByAnother: a thread that was roused by a file, and finds when it gets the core that another was faster,
// waits on, with its time-out; one that finds something continues.
func TestTakenByAnother(t *testing.T) {
	g := newGuest(t)
	m := ours(t, 2)
	r, w := pipe(t, 0)
	list := g.put(t, pollList(r, -1))
	late := m.order[0]
	if a, err := m.poll(late, list, 2, milliseconds(30)); err != nil || a.answered {
		t.Fatalf("%+v, %v", a, err)
	}
	write := func() {
		if _, err := unix.Write(w, []byte("x")); err != nil {
			t.Fatal(err)
		}
		if err := m.pollAll(); err != nil || late.state != ready {
			t.Fatalf("something came: %v, %+v", err, late)
		}
	}
	write()
	if _, err := unix.Read(r, make([]byte, 1)); err != nil { // the other thread's
		t.Fatal(err)
	}
	if vain, err := late.filesDrained(); err != nil || !vain || late.state != blocked || m.next() != m.ticks(30*time.Millisecond) {
		t.Errorf("%v, %v, %+v", vain, err, late)
	}
	write()
	if vain, err := late.filesDrained(); err != nil || vain || late.state != ready || len(late.wait.files) != 0 {
		t.Errorf("%v, %v, %+v", vain, err, late)
	}
}

// TestYield: a thread that yields is scheduled after the others, and one that was woken takes it if it is far behind.
func TestYield(t *testing.T) {
	m := threads(t, 3)
	a, b := m.order[0], m.order[1]
	m.forget(m.order[2])
	if m.pick() != a {
		t.Fatal("who came first is not the first")
	}
	a.state, m.last = running, a
	if got, err := m.decide(a, &call{nr: unix.SYS_SCHED_YIELD}); err != nil || got.answered || a.state != ready || a.reply != result(0) {
		t.Errorf("%+v, %v: %+v", got, err, a)
	}
	if m.pick() != b {
		t.Error("who gave the core up has it again")
	}
	b.state, m.last, m.from = running, b, m.now()
	a.virtual = 0
	for _, row := range []struct {
		ran  time.Duration
		want bool
	}{{granularity, false}, {granularity + time.Microsecond, true}} {
		m.core.header().now.Store(uint64(m.from + m.ticks(row.ran)))
		if got := m.preempts(b); got != row.want {
			t.Errorf("after %v it is preempted: %t", row.ran, got)
		}
	}
	p := &program{}
	m.floor = 77
	m.requestCore(p, nil, &call{tid: 9, id: 5, args: [6]uint64{askGive, 3}})
	if n := m.threads[9]; n == nil || n.virtual != 77 || n.state != ready || n.id != 3 || n.call != 5 || p.coreRequests != 1 || m.order[2] != n {
		t.Errorf("a new thread: %+v", n)
	}
}
