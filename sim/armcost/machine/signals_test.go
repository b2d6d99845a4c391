// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// of is what the first of three programs names; the second has ended. Two threads of the first are known, and one of
// the third.
func of() processes {
	return processes{
		self: 1001, alive: []process{{1001, 71001}, {1003, 71003}},
		threads: map[int32]int32{71001: 1001, 72001: 1001, 71003: 1003, 1003: 1001},
	}
}

// TestSignalsReachTheMachinesProgramsAlone: what each call sends a signal to, as numbers of this computer, and which
// error number it has otherwise.
func TestSignalsReachTheMachinesProgramsAlone(t *testing.T) {
	const usr, stop = uint64(unix.SIGUSR1), uint64(unix.SIGSTOP)
	none := func(n int) uint64 { return uint64(uint32(int32(n))) }
	for _, row := range []struct {
		name string
		nr   int32
		args [4]uint64
		want string
		err  unix.Errno
	}{
		{"kill itself", unix.SYS_KILL, [4]uint64{1001, usr}, "[71001/0]", 0},
		{"kill another", unix.SYS_KILL, [4]uint64{1003, usr}, "[71003/0]", 0},
		{"kill asks for another", unix.SYS_KILL, [4]uint64{1003, 0}, "[71003/0]", 0},
		{"kill with the highest signal", unix.SYS_KILL, [4]uint64{1003, 64}, "[71003/0]", 0},
		{"kill a program that has ended", unix.SYS_KILL, [4]uint64{1002, usr}, "[]", unix.ESRCH},
		{"kill a number that is only this computer's", unix.SYS_KILL, [4]uint64{4711, usr}, "[]", unix.ESRCH},
		{"kill by the number of a thread", unix.SYS_KILL, [4]uint64{72001, usr}, "[71001/0]", 0},
		{"kill the own group", unix.SYS_KILL, [4]uint64{0, usr}, "[71001/0]", 0},
		{"kill all others", unix.SYS_KILL, [4]uint64{none(-1), usr}, "[71003/0]", 0},
		{"kill another group", unix.SYS_KILL, [4]uint64{none(-1003), usr}, "[71003/0]", 0},
		{"kill no group", unix.SYS_KILL, [4]uint64{none(-1002), usr}, "[]", unix.ESRCH},
		{"kill the group of a thread's number", unix.SYS_KILL, [4]uint64{none(-72001), usr}, "[]", unix.ESRCH},
		{"kill the lowest number", unix.SYS_KILL, [4]uint64{1 << 31, usr}, "[]", unix.ESRCH},
		{"kill the parent", unix.SYS_KILL, [4]uint64{1, uint64(unix.SIGKILL)}, "[]", unix.EPERM},
		{"kill with a signal that is too high", unix.SYS_KILL, [4]uint64{1001, 200}, "[]", unix.EINVAL},
		{"kill with a signal one too high", unix.SYS_KILL, [4]uint64{0, 65}, "[]", unix.EINVAL},
		{"kill with a signal below 0", unix.SYS_KILL, [4]uint64{none(-1), none(-1)}, "[]", unix.EINVAL},
		{"kill the parent with no signal", unix.SYS_KILL, [4]uint64{1, 200}, "[]", unix.EINVAL},
		{"kill nothing with no signal", unix.SYS_KILL, [4]uint64{4711, 200}, "[]", unix.ESRCH},
		{"stop", unix.SYS_KILL, [4]uint64{1003, stop}, "[]", unix.EPERM},
		{"tkill a thread", unix.SYS_TKILL, [4]uint64{72001, usr}, "[71001/72001]", 0},
		{"tkill another program's thread", unix.SYS_TKILL, [4]uint64{71003, usr}, "[71003/71003]", 0},
		{"tkill a thread whose number is a program's", unix.SYS_TKILL, [4]uint64{1003, usr}, "[71001/1003]", 0},
		{"tkill the first thread by the program's number", unix.SYS_TKILL, [4]uint64{1001, usr}, "[71001/71001]", 0},
		{"tkill a thread of this computer", unix.SYS_TKILL, [4]uint64{4711, usr}, "[]", unix.ESRCH},
		{"tkill no thread", unix.SYS_TKILL, [4]uint64{0, usr}, "[]", unix.EINVAL},
		{"tkill a group", unix.SYS_TKILL, [4]uint64{none(-1), usr}, "[]", unix.EINVAL},
		{"tkill the parent", unix.SYS_TKILL, [4]uint64{1, usr}, "[]", unix.EPERM},
		{"tkill with no signal", unix.SYS_TKILL, [4]uint64{72001, 65}, "[]", unix.EINVAL},
		{"tgkill a thread", unix.SYS_TGKILL, [4]uint64{1001, 72001, usr}, "[71001/72001]", 0},
		{"tgkill another program's thread", unix.SYS_TGKILL, [4]uint64{1003, 71003, usr}, "[71003/71003]", 0},
		{"tgkill a thread of another group", unix.SYS_TGKILL, [4]uint64{1003, 72001, usr}, "[]", unix.ESRCH},
		{"tgkill a thread of this computer", unix.SYS_TGKILL, [4]uint64{1001, 4711, usr}, "[]", unix.ESRCH},
		{"tgkill in a group of this computer", unix.SYS_TGKILL, [4]uint64{4711, 4711, usr}, "[]", unix.ESRCH},
		{"tgkill no group", unix.SYS_TGKILL, [4]uint64{0, 72001, usr}, "[]", unix.EINVAL},
		{"tgkill with no signal", unix.SYS_TGKILL, [4]uint64{1001, 72001, 65}, "[]", unix.EINVAL},
		{"tgkill the parent", unix.SYS_TGKILL, [4]uint64{1, 1, usr}, "[]", unix.EPERM},
		{"queue for itself", unix.SYS_RT_SIGQUEUEINFO, [4]uint64{1001, usr}, "[71001/0]", 0},
		{"queue for another", unix.SYS_RT_SIGQUEUEINFO, [4]uint64{1003, usr}, "[71003/0]", 0},
		{"queue for a group", unix.SYS_RT_SIGQUEUEINFO, [4]uint64{0, usr}, "[]", unix.ESRCH},
		{"queue for all", unix.SYS_RT_SIGQUEUEINFO, [4]uint64{none(-1), usr}, "[]", unix.ESRCH},
		{"queue for the parent", unix.SYS_RT_SIGQUEUEINFO, [4]uint64{1, usr}, "[]", unix.EPERM},
		{"queue for this computer", unix.SYS_RT_SIGQUEUEINFO, [4]uint64{4711, usr}, "[]", unix.ESRCH},
		{"queue no signal", unix.SYS_RT_SIGQUEUEINFO, [4]uint64{1001, 65}, "[]", unix.EINVAL},
		{"queue for a thread", unix.SYS_RT_TGSIGQUEUEINFO, [4]uint64{1001, 72001, usr}, "[71001/72001]", 0},
		{"queue for a thread of this computer", unix.SYS_RT_TGSIGQUEUEINFO, [4]uint64{1001, 4711, usr}, "[]", unix.ESRCH},
		{"queue for a thread, no signal", unix.SYS_RT_TGSIGQUEUEINFO, [4]uint64{1001, 72001, 200}, "[]", unix.EINVAL},
	} {
		c := call{nr: row.nr}
		copy(c.args[:], row.args[:])
		targets, errno := of().signalTargets(signalCallOf(&c))
		got := []string{}
		for _, to := range targets {
			got = append(got, fmt.Sprintf("%d/%d", to.host, to.thread))
		}
		if fmt.Sprint(got) != row.want || errno != row.err {
			t.Errorf("%s: %v, %v; want %s, %v", row.name, got, errno, row.want, row.err)
		}
	}
	alone := processes{self: 1001, alive: []process{{1001, 71001}}}
	if targets, errno := alone.signalTargets(signalCall{process: -1, signal: int32(unix.SIGTERM)}); len(targets) != 0 || errno != unix.ESRCH {
		t.Errorf("all others, with none: %v, %v", targets, errno)
	}
}

// TestProcessNumbersOfOtherCallsAreTheMachines: groups, sessions, and which process of this computer a number means.
func TestProcessNumbersOfOtherCallsAreTheMachines(t *testing.T) {
	for pid, want := range map[int32]answer{
		0: result(1001), 1001: result(1001), 1003: result(1003), 72001: result(1001), 1: result(1),
		1002: failure(unix.ESRCH), 4711: failure(unix.ESRCH), -1: failure(unix.ESRCH),
	} {
		if got := of().leader(pid); got != want {
			t.Errorf("group of %d: %+v, want %+v", pid, got, want)
		}
	}
	for pids, want := range map[[2]int32]unix.Errno{
		{0, 0}: unix.EPERM, {1001, 1003}: unix.EPERM, {0, -1}: unix.EINVAL, {1003, 0}: unix.ESRCH, {4711, 4711}: unix.ESRCH,
	} {
		if got := of().setGroup(pids[0], pids[1]); got != failure(want) {
			t.Errorf("setpgid%v: %+v, want %v", pids, got, want)
		}
	}
	for pid, want := range map[int32]int32{0: 0, 1001: 71001, 1003: 71003, 72001: 72001, -1: -1, 1002: 0, 4711: 0, 1: 0} {
		if got, errno := of().hostOf(pid); got != want || (errno == 0) != (want != 0 || pid == 0) {
			t.Errorf("%d is %d here, %v, want %d", pid, got, errno, want)
		}
	}
}

// numberedOurs is a machine with a thread and a program with the number 1001, which are this process.
func numberedOurs(t *testing.T) (*Machine, *thread) {
	t.Helper()
	m := ours(t, 1)
	th := m.order[0]
	th.p.number = 1
	delete(m.threads, 1)
	m.threads[th.tid] = th
	m.programs = []*program{th.p}
	t.Cleanup(func() { m.programs = nil }) // the machine would kill it
	return m, th
}

// TestCallsThatNameProcessesEndNoRun: the program gets an error number, and the machine none.
func TestCallsThatNameProcessesEndNoRun(t *testing.T) {
	g := newGuest(t)
	m, th := numberedOurs(t)
	r, _ := pipe(t, 0)
	queued := make([]byte, 128)
	queued[8] = 0xff // the code of sigqueue is −1
	copy(queued[9:], []byte{0xff, 0xff, 0xff})
	info, kernels := g.put(t, queued), g.put(t, make([]byte, 128))
	mask := g.put(t, make([]byte, 128))
	policy, _, errno := unix.Syscall(unix.SYS_SCHED_GETSCHEDULER, 0, 0, 0)
	if errno != 0 {
		t.Fatal(errno)
	}
	for _, row := range []struct {
		name string
		nr   int32
		args []uint64
		want answer
	}{
		{"kill with no signal", unix.SYS_KILL, []uint64{1001, 200}, failure(unix.EINVAL)},
		{"tgkill with no signal", unix.SYS_TGKILL, []uint64{1001, uint64(th.tid), 200}, failure(unix.EINVAL)},
		{"tkill with no signal", unix.SYS_TKILL, []uint64{uint64(th.tid), 200}, failure(unix.EINVAL)},
		{"sigqueue with no signal", unix.SYS_RT_SIGQUEUEINFO, []uint64{1001, 200, info}, failure(unix.EINVAL)},
		{"sigqueue as the kernel", unix.SYS_RT_SIGQUEUEINFO, []uint64{1001, 0, kernels}, failure(unix.EPERM)},
		{"sigqueue of nowhere", unix.SYS_RT_SIGQUEUEINFO, []uint64{1001, 0, 8}, failure(unix.EFAULT)},
		{"sigqueue asks", unix.SYS_RT_SIGQUEUEINFO, []uint64{1001, 0, info}, result(0)},
		{"kill asks", unix.SYS_KILL, []uint64{1001, 0}, result(0)},
		{"kill the parent of this process", unix.SYS_KILL, []uint64{uint64(os.Getppid()), uint64(unix.SIGWINCH)}, killedParent()},
		{"pidfd_open", unix.SYS_PIDFD_OPEN, []uint64{1001, 0}, failure(unix.ENOSYS)},
		{"pidfd_send_signal", unix.SYS_PIDFD_SEND_SIGNAL, []uint64{3, 0}, failure(unix.ENOSYS)},
		{"pidfd_getfd", unix.SYS_PIDFD_GETFD, []uint64{3, 0}, failure(unix.ENOSYS)},
		{"getpgid", unix.SYS_GETPGID, []uint64{0}, result(1001)},
		{"getsid", unix.SYS_GETSID, []uint64{1001}, result(1001)},
		{"setsid", unix.SYS_SETSID, nil, failure(unix.EPERM)},
		{"setpgid", unix.SYS_SETPGID, []uint64{0, 0}, failure(unix.EPERM)},
		{"a processor mask of its own", unix.SYS_SCHED_GETAFFINITY, []uint64{0, 128, mask}, goAhead()},
		{"a processor mask by a thread's number", unix.SYS_SCHED_GETAFFINITY, []uint64{uint64(th.tid), 128, mask}, goAhead()},
		{"a processor mask of nothing", unix.SYS_SCHED_GETAFFINITY, []uint64{1002, 128, mask}, failure(unix.ESRCH)},
		{"a processor mask to nowhere", unix.SYS_SCHED_GETAFFINITY, []uint64{1001, 128, 8}, failure(unix.EFAULT)},
		{"a policy", unix.SYS_SCHED_GETSCHEDULER, []uint64{1001}, result(int64(policy))},
		{"a policy of the parent", unix.SYS_SCHED_GETSCHEDULER, []uint64{1}, failure(unix.EPERM)},
		{"a policy that is none", unix.SYS_SCHED_SETSCHEDULER, []uint64{1001, 99, mask}, failure(unix.EINVAL)},
		{"a policy of nothing", unix.SYS_SCHED_SETATTR, []uint64{1002, mask, 0}, failure(unix.ESRCH)},
		{"a limit of nothing", unix.SYS_PRLIMIT64, []uint64{1002, unix.RLIMIT_NOFILE, 0, mask}, failure(unix.ESRCH)},
		{"its own limit", unix.SYS_PRLIMIT64, []uint64{0, unix.RLIMIT_NOFILE, 0, mask}, goAhead()},
		{"a limit that is none", unix.SYS_PRLIMIT64, []uint64{1001, 99, 0, mask}, failure(unix.EINVAL)},
		{"a mark for the model", unix.SYS_GETPRIORITY, []uint64{0x45500001, 7}, goAhead()},
		{"its own priority", unix.SYS_GETPRIORITY, []uint64{unix.PRIO_PROCESS, 0}, goAhead()},
		{"the priority of nothing", unix.SYS_GETPRIORITY, []uint64{unix.PRIO_PROCESS, 1002}, failure(unix.ESRCH)},
		{"the priority of a group of this computer", unix.SYS_SETPRIORITY, []uint64{unix.PRIO_PGRP, uint64(unix.Getpgrp()), 19}, failure(unix.ESRCH)},
		{"the priority of a user's processes", unix.SYS_SETPRIORITY, []uint64{unix.PRIO_USER, 0, 19}, failure(unix.EPERM)},
		{"who owns a file", unix.SYS_FCNTL, []uint64{uint64(r), unix.F_SETOWN, 1001}, result(0)},
		{"no owner of a file", unix.SYS_FCNTL, []uint64{uint64(r), unix.F_SETOWN, 1002}, failure(unix.ESRCH)},
		{"who owns no file", unix.SYS_FCNTL, []uint64{9999, unix.F_SETOWN, 1001}, failure(unix.EBADF)},
		{"another fcntl", unix.SYS_FCNTL, []uint64{uint64(r), unix.F_GETFL}, goAhead()},
	} {
		th.state, th.signals = running, true
		c := call{nr: row.nr}
		copy(c.args[:], row.args)
		if got, err := m.decide(th, &c); err != nil || got != row.want {
			t.Errorf("%s: %+v, %v; want %+v", row.name, got, err, row.want)
		}
	}
	if owner, err := unix.FcntlInt(uintptr(r), unix.F_GETOWN, 0); err != nil || owner != th.tid {
		t.Errorf("the file's owner is %d, %v", owner, err)
	}
	th.signals = false
	if got, err := m.decide(th, &call{nr: unix.SYS_KILL, args: [6]uint64{uint64(th.tid), uint64(unix.SIGABRT)}}); err != nil || got != goAhead() {
		t.Errorf("the emulator's own signal: %+v, %v", got, err)
	}
	if got, err := m.decide(th, &call{nr: unix.SYS_KILL, args: [6]uint64{uint64(th.tid), uint64(unix.SIGSTOP)}}); err != nil || got != result(0) {
		t.Errorf("the emulator stops itself: %+v, %v", got, err)
	}
}

// killedParent is what a signal to this computer's number of the parent has to be answered by: 1 is that of the
// programs' parent, too.
func killedParent() answer {
	if os.Getppid() == 1 {
		return failure(unix.EPERM)
	}
	return failure(unix.ESRCH)
}

// TestCallsOfAnotherProcessReturnWhatTheKernelSays: the machine makes them with copies of the program's memory.
func TestCallsOfAnotherProcessReturnWhatTheKernelSays(t *testing.T) {
	g := newGuest(t)
	m, th := numberedOurs(t)
	at := g.put(t, make([]byte, 128))
	var mask unix.CPUSet
	if err := unix.SchedGetaffinity(th.tid, &mask); err != nil {
		t.Fatal(err)
	}
	a, err := m.decide(th, &call{nr: unix.SYS_SCHED_GETAFFINITY, args: [6]uint64{1001, 128, at}})
	if err != nil || a.errno != 0 || a.value <= 0 || wordsAt(t, at, 1)[0] != int64(mask[0]) {
		t.Errorf("processors %+v, %v: %#x, want %#x", a, err, wordsAt(t, at, 1), mask[0])
	}
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_CORE, &limit); err != nil {
		t.Fatal(err)
	}
	a, err = m.decide(th, &call{nr: unix.SYS_PRLIMIT64, args: [6]uint64{1001, unix.RLIMIT_CORE, 0, at}})
	if want := []int64{int64(limit.Cur), int64(limit.Max)}; err != nil || a != result(0) || !slices.Equal(wordsAt(t, at, 2), want) {
		t.Errorf("limit %+v, %v: %v, want %v", a, err, wordsAt(t, at, 2), want)
	}
	attributes := g.put(t, make([]byte, 64))
	a, err = m.decide(th, &call{nr: unix.SYS_SCHED_GETATTR, args: [6]uint64{1001, attributes, 48, 0}})
	if size := int32(wordsAt(t, attributes, 1)[0]); err != nil || a != result(0) || size != 48 {
		t.Errorf("attributes %+v, %v: of %d bytes", a, err, size)
	}
	if a, err = m.decide(th, &call{nr: unix.SYS_SCHED_SETATTR, args: [6]uint64{1001, g.put(t, words(1<<33|7, 0)), 0}}); err != nil || a.errno != unix.E2BIG {
		t.Errorf("attributes of too few bytes: %+v, %v", a, err)
	}
	for _, which := range []uint64{unix.PRIO_PROCESS, unix.PRIO_PGRP} {
		a, err = m.decide(th, &call{nr: unix.SYS_GETPRIORITY, args: [6]uint64{which, 1001}})
		if want, e := unix.Getpriority(unix.PRIO_PROCESS, th.tid); err != nil || e != nil || a != result(int64(want)) {
			t.Errorf("priority %+v, %v, want %d, %v", a, err, want, e)
		}
	}
}

// TestStopSignalsAreSentToProgramsThatCatchThem: others would stand still outside of simulated time.
func TestStopSignalsAreSentToProgramsThatCatchThem(t *testing.T) {
	status := []byte("Name:\tprogram\nSigQ:\t1/15\nSigPnd:\t0000000000000001\nSigIgn:\tno mask\nSigCgt:\t8000000000080000\n")
	for name, want := range map[string]uint64{"SigPnd": 1, "SigCgt": 1<<63 | 1<<(unix.SIGTSTP-1), "SigIgn": 0, "ShdPnd": 0} {
		if got := maskOf(status, name); got != want {
			t.Errorf("%s is %#x, want %#x", name, got, want)
		}
	}
	for s := unix.Signal(1); s <= maxSignal; s++ {
		if want := s == unix.SIGTSTP || s == unix.SIGTTIN || s == unix.SIGTTOU; stops(s) != want {
			t.Errorf("%v stops a program: %t", s, !want)
		}
	}
	_, th := numberedOurs(t)
	if th.p.catches(int32(unix.SIGTTIN)) || !th.p.catches(int32(unix.SIGURG)) { // the Go runtime's
		t.Error("which signals this process catches is not what the kernel says")
	}
}
