// SPDX-License-Identifier: Apache-2.0
//
// A QEMU plugin that runs beside an ARMv6 program what an ARM1176 would do with it: its pipeline block by block, caches
// and TLB access by access, the prediction of branches, and counts of system calls. It counts between marks that the
// program makes itself, or from begin to end. A mark is getpriority(0x45500000 | op, arg), which does nothing anywhere
// else:
//
//   op 0  begin: everything is zero (but the caches keep what they hold)
//   op 1  end: write the counts to the file named by out=, as mark ARG
//   op 2  pause: nothing counts
//   op 3  resume
//
// Counts are one line a thread, "mark ARG PROCESS THREAD name=number ... call.NUMBER=number ...", then "end ARG PROCESS".
// At the end of each process come those with ARG "exit"; a child counts from its fork. A program that a signal ends has
// no such end: with ask=FIFO, whenever somebody opens it to write and closes it, the counts are written with ARG "now".
// With profile=FILE an end also writes the blocks that ran, "ADDRESS INSTRUCTIONS TIMES FETCH_MISSES LOAD_MISSES". Threads share caches and
// prediction, as on one core; a race between them on a machine of more cores puts a wrong line into a cache, it loses no
// count. With program=N the program is the Nth on a simulated core, in simulated time: see core.h.

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "branches.h"
#include "core.h"
#include "events.h"
#include "memory.h"
#include "pipeline.h"
#include "qemu.h"
#include "sent.h"

EXPORT int qemu_plugin_version = 1;

enum { THREADS = 256, EDGES = 8, GETPRIORITY = 96, FORK = 2, CLONE = 120, VFORK = 190, MAGIC = 0x455 };
enum { BEGIN, END, PAUSE, RESUME };

// A block of translated code. QEMU may translate the same code again; the blocks are a list that only grows.
struct block {
  uint32_t address, end, last; // of the first instruction, behind the last, of the last
  uint32_t n;
  struct op *ops;
  struct busy after;
  // edges remembers cycles after another block: the other's address in memory, shifted left by 16, and the cycles.
  _Atomic uint64_t edges[EDGES];
  _Atomic uint64_t times, fetch_misses, load_misses;
  struct block *next;
};

// One thread's counts; only it adds to them. Those of a program in simulated time lie where its machine sees them.
static struct thread {
  _Atomic uint64_t n[EVENTS], calls[CALLS], spent; // spent is sixteenths of a cycle, in simulated time alone
  struct block *before; // the last that was begun
  struct returns returns;
  uint32_t page, fetched; // the page of data and of instructions that was used last
  struct write_buffer writes;
  uint32_t args[3], result; // of the system call that is made; what it returns instead
  bool answered;
  bool detached; // its block runs while another thread has the core: it takes no time and does not change the caches
} __attribute__((aligned(64))) alone_threads[THREADS], *threads = alone_threads;
static _Atomic uint64_t spent; // of all threads

static struct block *_Atomic blocks;
static _Atomic bool paused;
static pid_t process;
static FILE *out;
static const char *profile;

static void add(_Atomic uint64_t *to, uint64_t n) {
  atomic_store_explicit(to, atomic_load_explicit(to, memory_order_relaxed) + n, memory_order_relaxed);
}

static void spend(struct thread *t, uint64_t sixteenths) {
  charge(sixteenths);
  add(&t->spent, sixteenths);
  add(&spent, sixteenths);
}

// count adds to what is counted, and in simulated time lets the time of it pass.
static void count(struct thread *t, enum event e, uint64_t n) {
  add(&t->n[e], n);
  if (core != NULL) {
    spend(t, n * core->event_cost[e]);
  }
}

static bool stopped(void) { return atomic_load_explicit(&paused, memory_order_relaxed); }

// use_page counts what the address of a page costs when it is not the one that was used last.
static void use_page(struct thread *t, struct micro_tlb *micro_tlb, uint32_t *last, uint32_t number) {
  if (number == *last) {
    return;
  }
  *last = number;
  if (!micro(micro_tlb, number)) {
    return;
  }
  count(t, MICRO_MISSES, 1);
  if (translate(number)) {
    count(t, TLB_MISSES, 1);
    if (first(number)) {
      count(t, PAGES, 1);
    }
  }
}

static void from_outside(struct thread *t, uint32_t line) {
  if (outer(line)) {
    count(t, OUTER_MISSES, 1);
  }
}

// pipeline_time is a clock for the write buffer: the thread's cycles without what it waited for.
static uint64_t pipeline_time(const struct thread *t) { return atomic_load_explicit(&t->n[CYCLES], memory_order_relaxed); }

static void loaded(struct thread *t, uint32_t line) {
  count(t, LOADS, 1);
  if (find(&mem->dcache, line) < 0) {
    count(t, LOAD_MISSES, 1);
    from_outside(t, line);
    count(t, STORE_MISSES, before_load(&t->writes, pipeline_time(t)));
    if (t->before != NULL) {
      add(&t->before->load_misses, 1);
    }
    if (allocate(&mem->dcache, line)) {
      count(t, WRITE_BACKS, 1);
    }
  }
}

// stored counts a store of some bytes; by is its instruction if that stores several registers.
static void stored(struct thread *t, const void *by, uint32_t address, uint32_t bytes) {
  uint32_t line = address >> LINE;
  count(t, STORES, 1);
  int way = find(&mem->dcache, line);
  if (way >= 0) {
    mem->dcache.dirty[line % SETS][way] = true;
    return;
  }
  outer(line);
  if (!joins(&t->writes, by, address) && waits(&t->writes, pipeline_time(t))) {
    count(t, STORE_MISSES, 1);
  }
  t->writes.by = by, t->writes.end = address + bytes;
}

static void accessed(unsigned thread, uint32_t info, uint64_t address, void *by) {
  struct thread *t = &threads[thread % THREADS];
  if (stopped() || t->detached) {
    return;
  }
  uint32_t line = (uint32_t)address >> LINE;
  use_page(t, &mem->accesses, &t->page, (uint32_t)address >> PAGE);
  if (qemu_plugin_mem_is_store(info)) {
    stored(t, by, (uint32_t)address, 1u << qemu_plugin_mem_size_shift(info));
  } else {
    loaded(t, line);
  }
}

static void fetched(struct thread *t, struct block *b) {
  for (uint32_t line = b->address >> LINE; line <= b->last >> LINE; line++) {
    if (find(&mem->icache, line) < 0) {
      allocate(&mem->icache, line);
      count(t, FETCH_MISSES, 1);
      add(&b->fetch_misses, 1);
      from_outside(t, line);
    }
    use_page(t, &mem->fetches, &t->fetched, line >> (PAGE - LINE));
  }
}

// after_block is the cycles of a block when another ran before it.
static uint64_t after_block(struct block *b, const struct block *before) {
  uint64_t key = (uint64_t)(uintptr_t)before << 16;
  _Atomic uint64_t *edge = &b->edges[(uintptr_t)before / sizeof *before % EDGES];
  uint64_t known = atomic_load_explicit(edge, memory_order_relaxed);
  if (known != 0 && (known & ~0xffffull) == key) {
    return known & 0xffff;
  }
  uint64_t n = cycles(b->ops, b->n, before == NULL ? NULL : &before->after, NULL);
  atomic_store_explicit(edge, key | (n & 0xffff), memory_order_relaxed);
  return n;
}

// registers are the program's, where QEMU keeps them when a block begins.
typedef uint32_t registers[16];

void executed(unsigned thread, void *which, registers *r) {
  struct thread *t = &threads[thread % THREADS];
  if (core != NULL) {
    t->detached = !acquire_core(thread % THREADS);
    if (t->answered) {
      (*r)[0] = t->result;
      t->answered = false;
    }
  }
  struct block *b = which;
  const struct block *before = t->before;
  t->before = b;
  if (stopped() || t->detached) {
    return;
  }
  if (before != NULL && before->ops[before->n - 1].way != FALLS) {
    enum event e = went(&before->ops[before->n - 1], before->last, before->end, b->address, &t->returns);
    count(t, e, 1);
    if (e > PREDICTED) {
      before = NULL; // whatever it left behind is ready when the program goes on
    }
  }
  count(t, INSTRUCTIONS, b->n);
  count(t, CYCLES, after_block(b, before));
  add(&b->times, 1);
  fetched(t, b);
}

// executed_at calls executed with the registers: QEMU's translated code has their address in a register of its own.
#if defined __x86_64__
__asm__(".text\nexecuted_at: mov %rbp, %rdx\n\tjmp executed\n");
#elif defined __aarch64__
__asm__(".text\nexecuted_at: mov x2, x19\n\tb executed\n");
#else
#error a model for another machine than amd64 and arm64
#endif
extern void executed_at(unsigned thread, void *which) __attribute__((visibility("hidden")));

static void translated(plugin_id id, struct qemu_plugin_tb *tb) {
  (void)id;
  struct block *b = calloc(1, sizeof *b);
  size_t n = qemu_plugin_tb_n_insns(tb);
  if (b == NULL || n == 0 || (b->ops = calloc(n, sizeof *b->ops)) == NULL) {
    abort();
  }
  b->n = n;
  b->address = b->end = qemu_plugin_tb_vaddr(tb);
  for (size_t i = 0; i < n; i++) {
    struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
    size_t size = qemu_plugin_insn_size(insn);
    uint32_t w = 0;
    memcpy(&w, qemu_plugin_insn_data(insn), size < sizeof w ? size : sizeof w);
    bool thumb = size == 2 || b->address % 4 == 2;
    b->ops[i] = thumb ? decode_thumb(w, size, b->end) : decode_arm(w, b->end);
    b->last = b->end;
    b->end += size;
    qemu_plugin_register_vcpu_mem_cb(insn, accessed, 0, READS_AND_WRITES, b->ops[i].lock != 0 ? &b->ops[i] : NULL);
  }
  cycles(b->ops, n, NULL, &b->after);
  b->next = atomic_load(&blocks);
  while (!atomic_compare_exchange_weak(&blocks, &b->next, b)) {
  }
  qemu_plugin_register_vcpu_tb_exec_cb(tb, executed_at, 0, b);
}

static void report(const char *arg) {
  flockfile(out);
  for (int i = 0; i < THREADS; i++) {
    struct thread *t = &threads[i];
    if (atomic_load(&t->n[INSTRUCTIONS]) == 0) {
      continue;
    }
    fprintf(out, "mark %s %d %d", arg, (int)process, i);
    for (int e = 0; e < EVENTS; e++) {
      fprintf(out, " %s=%" PRIu64, event_names[e], atomic_load(&t->n[e]));
    }
    for (int c = 0; c < CALLS; c++) {
      uint64_t n = atomic_load(&t->calls[c]);
      if (n != 0) {
        fprintf(out, " call.%d=%" PRIu64, c, n);
      }
    }
    fprintf(out, "\n");
  }
  fprintf(out, "end %s %d\n", arg, (int)process);
  fflush(out);
  funlockfile(out);
}

// begun reports whether an instruction was executed.
static bool begun(void) {
  for (int i = 0; i < THREADS; i++) {
    if (atomic_load(&threads[i].n[INSTRUCTIONS]) != 0) {
      return true;
    }
  }
  return false;
}

// answer reports whenever it is asked to, until the process ends.
static void *answer(void *fifo) {
  for (;;) {
    char nothing;
    int f = open(fifo, O_RDONLY | O_CLOEXEC); // waits for who asks
    if (f < 0) {
      return NULL;
    }
    while (read(f, &nothing, 1) > 0) {
    }
    close(f);
    while (!begun()) {
      usleep(1000);
    }
    report("now");
  }
}

// listens starts answer in a thread that takes no signals of the program.
static bool listens(const char *fifo) {
  pthread_t thread;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  bool ok = pthread_create(&thread, NULL, answer, (void *)fifo) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return ok;
}

static void dump(void) {
  FILE *f = profile == NULL ? NULL : fopen(profile, "w");
  if (f == NULL) {
    return;
  }
  for (struct block *b = atomic_load(&blocks); b != NULL; b = b->next) {
    uint64_t times = atomic_load(&b->times);
    if (times != 0) {
      fprintf(f, "%" PRIx32 " %" PRIu32 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", b->address, b->n, times,
              atomic_load(&b->fetch_misses), atomic_load(&b->load_misses));
    }
  }
  fclose(f);
}

static void zero(void) {
  for (int i = 0; i < THREADS; i++) {
    for (int e = 0; e < EVENTS; e++) {
      atomic_store(&threads[i].n[e], 0);
    }
    for (int c = 0; c < CALLS; c++) {
      atomic_store(&threads[i].calls[c], 0);
    }
  }
  for (struct block *b = atomic_load(&blocks); b != NULL; b = b->next) {
    atomic_store(&b->times, 0);
    atomic_store(&b->fetch_misses, 0);
    atomic_store(&b->load_misses, 0);
  }
}

// ARM Linux' numbers of the calls that simulated time, and the machine, have a part in.
enum {
  EXIT = 1, GETPID = 20, KILL = 37, IOCTL = 54, GETPPID = 64, GETPGRP = 65, GETTIMEOFDAY = 78, RT_SIGQUEUEINFO = 178, TKILL = 238,
  CLOCK_GETTIME = 263, TGKILL = 268, RT_TGSIGQUEUEINFO = 363, GETRANDOM = 384, CLOCK_GETTIME64 = 403, I2C = 7
};

// signals reports whether a call sends a signal. The emulator sends some, too, which the machine does not change.
static bool signals(int64_t number) {
  return number == KILL || number == TKILL || number == TGKILL || number == RT_SIGQUEUEINFO || number == RT_TGSIGQUEUEINFO;
}

// enters is the begin of a system call in simulated time: its cost, and what only the machine can do.
static void enters(struct thread *t, int64_t number, uint32_t a, uint32_t b, uint32_t c) {
  spend(t, core->call_cost[number >= 0 && number < CALLS ? number : CALLS - 1]);
  if (number == EXIT) {
    ask(ENDS, 0, 0, 0, 0);
  } else if (number == GETPID || number == GETPGRP) {
    t->answered = true;
    t->result = FIRST_PID + program;
  } else if (number == GETPPID) {
    t->answered = true;
    t->result = INIT_PID;
  } else if (signals(number)) {
    ask(SIGNALS, 0, 0, 0, 0);
  } else if (number == IOCTL && b >> 8 == I2C) { // QEMU does not know them
    uint64_t answer = ask(DEVICE, a, b, c, 0);
    t->answered = answer >> 32 != 0;
    t->result = (uint32_t)answer;
  }
}

// leaves is the end of one: times are simulated ones, and what begins or is woken begins in the machine's order.
static void leaves(struct thread *t, int64_t number, int64_t value) {
  switch (number) {
    case CLONE:
      if (value > 0) {
        ask(CLONED, (uint64_t)value, 0, 0, 0);
      }
      break;
    case KILL:
    case TKILL:
    case TGKILL:
    case RT_SIGQUEUEINFO:
    case RT_TGSIGQUEUEINFO: ask(SIGNALLED, 0, 0, 0, 0); break;
    case CLOCK_GETTIME:
    case CLOCK_GETTIME64:
      if (value == 0) {
        say_time(t->args[1], clock_of(t->args[0], &t->spent, &spent), 1, number == CLOCK_GETTIME64);
      }
      break;
    case GETTIMEOFDAY:
      if (value == 0 && t->args[0] != 0) {
        say_time(t->args[0], clock_of(CLOCK_REALTIME, NULL, NULL), 1000, false);
      }
      break;
    case GETRANDOM:
      if (value > 0) {
        random_bytes(t->args[0], (size_t)value);
      }
      break;
  }
}

static void called(plugin_id id, unsigned thread, int64_t number, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
                   uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8) {
  (void)id, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
  struct thread *t = &threads[thread % THREADS];
  t->args[0] = (uint32_t)a1, t->args[1] = (uint32_t)a2, t->args[2] = (uint32_t)a3;
  if (core != NULL) {
    while (t->detached) { // outside of blocks the emulator does not wait for it
      t->detached = !acquire_core(thread % THREADS);
    }
    enters(t, number, (uint32_t)a1, (uint32_t)a2, (uint32_t)a3);
  }
  if (number == GETPRIORITY && (uint32_t)a1 >> 20 == MAGIC) {
    char arg[24];
    switch (a1 & 0xff) {
      case BEGIN: zero(); break;
      case END:
        snprintf(arg, sizeof arg, "%" PRIu32, (uint32_t)a2);
        report(arg);
        dump();
        break;
      case PAUSE: atomic_store(&paused, true); break;
      case RESUME: atomic_store(&paused, false); break;
    }
  } else if (!stopped() && number >= 0) {
    add(&t->calls[number < CALLS ? number : CALLS - 1], 1);
  }
}

// returned counts what was sent, and makes a child forget what its parent counted.
static void returned(plugin_id id, unsigned thread, int64_t number, int64_t value) {
  (void)id;
  struct thread *t = &threads[thread % THREADS];
  uint64_t bytes = stopped() ? 0 : sent(number, t->args[0], t->args[1], value);
  if (bytes > 0) {
    add(&t->n[SENT], bytes);
  }
  if (core != NULL) {
    leaves(t, number, value);
  } else if (value == 0 && (number == FORK || number == VFORK || number == CLONE) && getpid() != process) {
    process = getpid();
    zero();
  }
}

static void ended(plugin_id id, void *nothing) {
  (void)id, (void)nothing;
  report("exit");
}

EXPORT int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv) {
  (void)info;
  const char *file = "/dev/stderr", *fifo = NULL;
  for (int i = 0; i < argc; i++) {
    if (strncmp(argv[i], "out=", 4) == 0) {
      file = argv[i] + 4;
    } else if (strncmp(argv[i], "profile=", 8) == 0) {
      profile = argv[i] + 8;
    } else if (strncmp(argv[i], "ask=", 4) == 0) {
      fifo = argv[i] + 4;
    } else if (strncmp(argv[i], "seed=", 5) == 0) {
      dice = strtoull(argv[i] + 5, NULL, 10) * 0x9e3779b97f4a7c15u + 1;
    } else if (strncmp(argv[i], "program=", 8) == 0) {
      void *counts;
      if (!join((uint32_t)atoi(argv[i] + 8), &counts, sizeof alone_threads)) {
        perror("joining the machine");
        return 1;
      }
      threads = counts;
    }
  }
  out = fopen(file, "a");
  if (out == NULL) {
    perror(file);
    return 1;
  }
  process = getpid();
  if (fifo != NULL && !listens(fifo)) {
    return 1;
  }
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_vcpu_syscall_cb(id, called);
  qemu_plugin_register_vcpu_syscall_ret_cb(id, returned);
  qemu_plugin_register_atexit_cb(id, ended, NULL);
  return 0;
}
