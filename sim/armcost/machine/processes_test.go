// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package machine

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// sender names processes in many ways, and writes what it gets; another counts the signals that it sends. It sends
// none, but 0, if it can see a process outside of the machine: they would reach this computer's processes.
const sender = `
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
static volatile int caught[3], value, from, ended;
static void catch(int s, siginfo_t *i, void *context) {
  (void)context;
  caught[s == SIGUSR1 ? 0 : s == SIGUSR2 ? 1 : 2]++;
  if (i->si_code == SI_QUEUE) {
    value = i->si_value.sival_int;
    from = i->si_pid;
  }
}
static void end(int s) { ended = s; }
static void said(const char *what, long result) {
  printf("%s %ld %s\n", what, result, result < 0 ? strerrorname_np(errno) : "-");
}
static long file_owner(int pid) {
  int pipes[2];
  return pipe(pipes) < 0 ? -2 : fcntl(pipes[0], F_SETOWN, pid);
}
int main(int argc, char **argv) {
  struct sigaction a = {.sa_sigaction = catch, .sa_flags = SA_RESTART | SA_SIGINFO}, e = {.sa_handler = end};
  sigaction(SIGUSR1, &a, NULL);
  sigaction(SIGUSR2, &a, NULL);
  sigaction(SIGWINCH, &a, NULL);
  sigaction(SIGTERM, &e, NULL);
  if (strcmp(argv[1], "receive") == 0) {
    while (!ended) {
      usleep(1000);
    }
    printf("%d caught %d %d %d, value %d of %d\n", getpid(), caught[0], caught[1], caught[2], value, from);
    return 0;
  }
  int here = atoi(argv[2]);
  usleep(20000);
  said("no signal", kill(getpid(), 200));
  said("no signal", kill(getpid(), 65));
  said("no signal", syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), 200));
  said("another", kill(1002, 0));
  said("nothing", kill(1003, 0));
  said("outside", kill(here, 0));
  said("outside", kill(-here, 0));
  said("outside", syscall(SYS_tkill, here, 0));
  said("outside", syscall(SYS_tgkill, here, here, 0));
  said("outside", sigqueue(here, 0, (union sigval){0}));
  said("outside", sched_getscheduler(here));
  said("outside", getpriority(PRIO_PROCESS, here));
  said("outside", getpgid(here));
  said("outside", file_owner(here));
  if (kill(here, 0) == 0 || kill(1, 0) == 0 || getppid() != 1) {
    return 9;
  }
  said("parent", getppid());
  said("parent", kill(getppid(), SIGWINCH));
  said("parent", kill(1, 0));
  said("stop", kill(1002, SIGSTOP));
  said("stop", kill(1002, SIGTSTP));
  said("stop", kill(getpid(), SIGTSTP));
  said("stop", raise(SIGTTIN));
  said("group", kill(0, SIGWINCH));
  said("group", kill(-getpgrp(), SIGWINCH));
  said("others", kill(-1, SIGWINCH)); // ignored without a handler
  said("one", kill(1002, SIGUSR1));
  said("one", kill(-1002, SIGUSR1));
  said("queue", sigqueue(1002, SIGUSR2, (union sigval){42}));
  said("queue", sigqueue(getpid(), SIGUSR1, (union sigval){7}));
  said("tkill", syscall(SYS_tkill, syscall(SYS_gettid), SIGUSR1));
  printf("caught %d %d %d, value %d of %d\n", caught[0], caught[1], caught[2], value, from);
  said("getpgrp", getpgrp());
  said("getpgid", getpgid(0));
  said("getpgid", getpgid(1002));
  said("getsid", getsid(getpid()));
  said("setpgid", setpgid(0, 0));
  said("setsid", setsid());
  cpu_set_t processors;
  said("affinity", sched_getaffinity(getpid(), sizeof processors, &processors));
  said("affinity", CPU_COUNT(&processors));
  said("scheduler", sched_getscheduler(1002));
  said("limit", prlimit(getpid(), RLIMIT_NOFILE, NULL, &(struct rlimit){0}));
  said("owner", file_owner(getpid()));
  said("owner", file_owner(1002));
  said("pidfd", syscall(434, getpid(), 0));
  said("end", kill(1002, SIGTERM));
  said("ended", kill(1002, 0));
  usleep(20000);
  said("ended", kill(1002, 0));
  return 0;
}`

// TestProgramsSignalEachOtherAndNothingOutside: in a machine of two programs; this process is outside.
func TestProgramsSignalEachOtherAndNothingOutside(t *testing.T) {
	program := compiled(t, sender)
	var outputs []string
	for range 2 {
		r, m := rack(t, config(t))
		out := start(t, m, program, "send", fmt.Sprint(os.Getpid()))
		received := start(t, m, program, "receive")
		finish(t, r, 2*time.Second)
		if got := strings.TrimSpace(received.String()); got != "1002 caught 2 1 1, value 42 of 1001" {
			t.Errorf("the receiver: %q", got)
		}
		outputs = append(outputs, out.String())
	}
	want := []string{
		"no signal -1 EINVAL", "no signal -1 EINVAL", "no signal -1 EINVAL", "another 0 -", "nothing -1 ESRCH",
		"outside -1 ESRCH", "outside -1 ESRCH", "outside -1 ESRCH", "outside -1 ESRCH", "outside -1 ESRCH",
		"outside -1 ESRCH", "outside -1 ESRCH", "outside -1 ESRCH", "outside -1 ESRCH",
		"parent 1 -", "parent -1 EPERM", "parent -1 EPERM", "stop -1 EPERM", "stop 0 -", "stop 0 -", "stop 0 -",
		"group 0 -", "group 0 -",
		"others 0 -", "one 0 -", "one 0 -", "queue 0 -", "queue 0 -", "tkill 0 -", "caught 2 0 2, value 7 of 1001",
		"getpgrp 1001 -", "getpgid 1001 -", "getpgid 1002 -", "getsid 1001 -", "setpgid -1 EPERM", "setsid -1 EPERM",
		"affinity 0 -", "affinity 1 -", "scheduler 0 -", "limit 0 -", "owner 0 -", "owner 0 -", "pidfd -1 ENOSYS",
		"end 0 -", "ended 0 -", "ended -1 ESRCH",
	}
	for _, out := range outputs {
		got := strings.Split(strings.TrimSpace(out), "\n")
		for i := range max(len(want), len(got)) {
			if at(got, i) != at(want, i) {
				t.Errorf("line %d: got %q, want %q", i, at(got, i), at(want, i))
			}
		}
	}
}

// TestSignalsEndPrograms: of another program and of its own process group.
func TestSignalsEndPrograms(t *testing.T) {
	program := compiled(t, `#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
  usleep(10000);
  if (argc > 1) {
    if (kill(atoi(argv[3]), 0) == 0 || getppid() != 1) { // it would reach this computer's processes
      return 9;
    }
    kill(atoi(argv[1]), atoi(argv[2]));
    usleep(10000);
    return kill(atoi(argv[1]), 0) == 0 ? 1 : 5;
  }
  for (;;) {
    usleep(1000);
  }
}`)
	for _, row := range []struct {
		to, signal, own int
	}{{1002, int(unix.SIGKILL), 5}, {-1002, int(unix.SIGTERM), 5}, {0, int(unix.SIGTERM), -1}} {
		r, m := rack(t, config(t))
		start(t, m, program, fmt.Sprint(row.to), fmt.Sprint(row.signal), fmt.Sprint(os.Getpid()))
		start(t, m, program)
		if err := r.Advance(t.Context(), 100*time.Millisecond); err != nil {
			t.Fatal(err)
		}
		all := m.Status()
		if !all[0].Ended || all[0].Exit != row.own || all[1].Ended != (row.to != 0) || all[1].Ended && all[1].Exit != -1 {
			t.Errorf("signal %d to %d: %+v", row.signal, row.to, all)
		}
	}
}
