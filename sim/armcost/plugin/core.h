// SPDX-License-Identifier: Apache-2.0
//
// A program that runs in simulated time, made by its own instructions: it shares the modelled core with others, and one
// thread of them all runs at a time, the one that the machine (package sim/armcost/machine) names. The machine and the plugins
// share struct core; a plugin asks the machine by a system call that no kernel has, which a seccomp filter hands to it.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "events.h"
#include "memory.h"

enum { ASKING = 0x45500, CALLS = 512, COST_EVENTS = 32 };
enum { GIVE, CLONED, SIGNALLED, ENDS, DEVICE, SIGNALS }; // what is asked

// struct core is what a machine's programs and the machine share. Its layout is that of machine/core.go.
struct core {
  _Atomic uint64_t now;     // sixteenths of a cycle
  _Atomic uint64_t limit;   // when the machine wants to be asked again
  _Atomic uint32_t running; // program << 16 | thread + 1
  _Atomic uint32_t adopted; // the last program whose listener the machine has
  int64_t start;  // what the clock of the day shows at 0, ns
  int64_t booted; // what the other clocks show at 0, ns
  uint64_t hertz;
  uint32_t event_cost[COST_EVENTS]; // sixteenths of a cycle
  uint32_t call_cost[CALLS];
  struct memory memory;
};

// Program n has the process number FIRST_PID + n, and INIT_PID is that of their parent. The kernel's would be an input: a
// program that writes its own takes longer the more digits it has.
enum { FIRST_PID = 1000, INIT_PID = 1 };

static struct core *core; // NULL: nothing but counting
static uint32_t program;
static uint64_t dice = 1;

// The machine may hold a thread as long as it likes; who asks when it is gone ends.
static uint64_t ask(int what, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  for (;;) {
    long answer = syscall(ASKING, what, a, b, c, d);
    if (answer >= 0) {
      return (uint64_t)answer;
    }
    if (errno != EINTR) {
      _exit(70);
    }
  }
}

static void charge(uint64_t sixteenths) {
  atomic_store_explicit(&core->now, atomic_load_explicit(&core->now, memory_order_relaxed) + sixteenths, memory_order_relaxed);
}

static int64_t nanoseconds(uint64_t sixteenths) {
  return (int64_t)((unsigned __int128)sixteenths * 1000000000u / core->hertz / 16);
}

// What goes to the machine: the plugin's questions, calls that may wait, calls with an effect on others, calls that name a
// process, and futexes of the program, which lie in its own address space; those of the emulator do not. The program
// can't fork.
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, (what))
#define ONLY(n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (n), 0, 1), RETURN(SECCOMP_RET_USER_NOTIF)
#define LOAD(what) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, what))
#define IF_SECOND(n, value, what) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (n), 0, 4), LOAD(args[1]), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, 1), \
      RETURN(what), LOAD(nr)

static int handed_over(void) {
  enum { SET_OWNER_EX = 15 }; // F_SETOWN_EX
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      ONLY(ASKING),
      ONLY(SYS_read),
      ONLY(SYS_readv),
      ONLY(SYS_recvfrom),
      ONLY(SYS_recvmsg),
      ONLY(SYS_recvmmsg),
      ONLY(SYS_accept),
      ONLY(SYS_accept4),
      ONLY(SYS_write),
      ONLY(SYS_writev),
      ONLY(SYS_sendto),
      ONLY(SYS_sendmsg),
      ONLY(SYS_sendmmsg),
      ONLY(SYS_bind),
      ONLY(SYS_connect),
      ONLY(SYS_epoll_pwait),
      ONLY(SYS_ppoll),
      ONLY(SYS_pselect6),
      ONLY(SYS_nanosleep),
      ONLY(SYS_clock_nanosleep),
      ONLY(SYS_sched_yield),
      ONLY(SYS_timerfd_settime),
      ONLY(SYS_kill), // with FIRST_PID
      ONLY(SYS_tkill),
      ONLY(SYS_tgkill),
      ONLY(SYS_rt_sigqueueinfo),
      ONLY(SYS_rt_tgsigqueueinfo),
      ONLY(SYS_pidfd_open),
      ONLY(SYS_pidfd_send_signal),
      ONLY(SYS_pidfd_getfd),
      ONLY(SYS_getpgid),
      ONLY(SYS_getsid),
      ONLY(SYS_setpgid),
      ONLY(SYS_setsid),
      ONLY(SYS_sched_getscheduler),
      ONLY(SYS_sched_setscheduler),
      ONLY(SYS_sched_getparam),
      ONLY(SYS_sched_setparam),
      ONLY(SYS_sched_rr_get_interval),
      ONLY(SYS_sched_getaffinity),
      ONLY(SYS_sched_setaffinity),
      ONLY(SYS_sched_getattr),
      ONLY(SYS_sched_setattr),
      ONLY(SYS_prlimit64),
      ONLY(SYS_getpriority),
      ONLY(SYS_setpriority),
      IF_SECOND(SYS_fcntl, F_SETOWN, SECCOMP_RET_USER_NOTIF),
      IF_SECOND(SYS_fcntl, SET_OWNER_EX, SECCOMP_RET_ERRNO | EINVAL),
      IF_SECOND(SYS_ioctl, FIOSETOWN, SECCOMP_RET_ERRNO | EPERM),
      IF_SECOND(SYS_ioctl, SIOCSPGRP, SECCOMP_RET_ERRNO | EPERM),
      IF_SECOND(SYS_ioctl, TIOCSPGRP, SECCOMP_RET_ERRNO | EPERM),
#ifdef SYS_poll
      ONLY(SYS_poll),
      ONLY(SYS_select),
      ONLY(SYS_epoll_wait),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fork, 0, 1),
      RETURN(SECCOMP_RET_ERRNO | EPERM),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_vfork, 0, 1),
      RETURN(SECCOMP_RET_ERRNO | EPERM),
#endif
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x100, 0, 1), // CLONE_VM
      RETURN(SECCOMP_RET_ALLOW),
      RETURN(SECCOMP_RET_ERRNO | EPERM),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_futex, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0]) + 4),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x1000, 0, 1), // the program's: see GuestBase
      RETURN(SECCOMP_RET_USER_NOTIF),
      RETURN(SECCOMP_RET_ALLOW),
  };
  struct sock_fprog all = {.len = sizeof filter / sizeof *filter, .filter = filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return -1;
  }
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &all);
}

static void *shared(int file, size_t size) {
  void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return at == MAP_FAILED ? NULL : at;
}

// adopted waits until the machine has its own listener. A program that kept one would wait in its calls after the end of
// the machine; with none left they fail (see ask).
static void adopted(uint32_t number, pid_t parent) {
  struct timespec tick = {0, 1000000};
  for (uint32_t last; (last = atomic_load(&core->adopted)) < number;) {
    syscall(SYS_futex, &core->adopted, FUTEX_WAIT, last, &tick, NULL, 0);
    if (getppid() != parent) {
      _exit(70);
    }
  }
}

// join makes this process a program of a machine: the machine gave it files for struct core, for its counts, and one to
// write the number of the filter's listener to.
static bool join(uint32_t number, void **counts, size_t size) {
  enum { CORE = 3, COUNTS = 4, HELLO = 5 };
  pid_t parent = getppid();
  int listener;
  struct core *c = shared(CORE, sizeof *c);
  *counts = shared(COUNTS, size);
  if (c == NULL || *counts == NULL || (listener = handed_over()) < 0) {
    return false;
  }
  core = c, program = number, mem = &c->memory;
  salt = (number & 15) << 28;
  int32_t n = listener;
  struct iovec all = {&n, sizeof n};
  bool said = syscall(SYS_pwritev2, HELLO, &all, 1, -1l, -1l, 0) == sizeof n; // write would wait for the machine
  close(HELLO);
  if (said) {
    adopted(number, parent);
  }
  close(listener);
  return said;
}

// acquire_core blocks a thread until the machine assigns the core to it, and reports true; or false if the emulator waits
// for all threads to leave their blocks: the thread then executes one block while another has the core.
static bool acquire_core(unsigned thread) {
  uint32_t me = program << 16 | (thread + 1);
  while (atomic_load(&core->running) != me || atomic_load(&core->now) >= atomic_load(&core->limit)) {
    if (ask(GIVE, me, 0, 0, 0) == 1) {
      return false;
    }
  }
  return true;
}

static void put(uint32_t at, const void *from, size_t n) { memcpy((void *)(0x100000000000ull + at), from, n); }

// say_time puts simulated time where a program asked the kernel for the time: two numbers of 32 or 64 bits.
static void say_time(uint32_t at, int64_t ns, int64_t unit, bool wide) {
  int64_t words[2] = {ns / 1000000000, ns % 1000000000 / unit};
  int32_t half[2] = {(int32_t)words[0], (int32_t)words[1]};
  put(at, wide ? (void *)words : (void *)half, wide ? sizeof words : sizeof half);
}

static int64_t clock_of(uint32_t which, const _Atomic uint64_t *own, const _Atomic uint64_t *all) {
  int64_t now = nanoseconds(atomic_load(&core->now));
  switch (which) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE: return core->start + now;
    case CLOCK_PROCESS_CPUTIME_ID: return nanoseconds(*all);
    case CLOCK_THREAD_CPUTIME_ID: return nanoseconds(*own);
    default: return core->booted + now;
  }
}

// random_bytes repeat from run to run.
static void random_bytes(uint32_t at, size_t n) {
  for (size_t i = 0; i < n; i++) {
    dice ^= dice << 13, dice ^= dice >> 7, dice ^= dice << 17;
    put(at + (uint32_t)i, &dice, 1);
  }
}
