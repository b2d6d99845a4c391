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
// With profile=FILE an end also writes the blocks that ran, "ADDRESS INSTRUCTIONS TIMES". Threads share caches and
// prediction, as on one core; a race between them on a machine of more cores puts a wrong line into a cache, it loses no
// count.

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
#include "events.h"
#include "memory.h"
#include "pipeline.h"
#include "qemu.h"

EXPORT int qemu_plugin_version = 1;

enum { THREADS = 256, CALLS = 512, EDGES = 8, GETPRIORITY = 96, FORK = 2, CLONE = 120, VFORK = 190, MAGIC = 0x455 };
enum { BEGIN, END, PAUSE, RESUME };

// A block of translated code. QEMU may translate the same code again; the blocks are a list that only grows.
struct block {
  uint32_t address, end, last; // of the first instruction, behind the last, of the last
  uint32_t n;
  struct op *ops;
  struct busy after;
  // edges remembers cycles after another block: the other's address in memory, shifted left by 16, and the cycles.
  _Atomic uint64_t edges[EDGES];
  _Atomic uint64_t times;
  struct block *next;
};

// One thread's counts; only it adds to them.
static struct thread {
  _Atomic uint64_t n[EVENTS], calls[CALLS];
  const struct block *before;
  struct returns returns;
  uint32_t page, line;
} __attribute__((aligned(64))) threads[THREADS];

static struct block *_Atomic blocks;
static _Atomic bool paused;
static pid_t process;
static FILE *out;
static const char *profile;

static void add(_Atomic uint64_t *to, uint64_t n) {
  atomic_store_explicit(to, atomic_load_explicit(to, memory_order_relaxed) + n, memory_order_relaxed);
}

static bool stopped(void) { return atomic_load_explicit(&paused, memory_order_relaxed); }

static void page(struct thread *t, uint32_t line) {
  uint32_t number = line >> (PAGE - LINE);
  if (number != t->page) {
    t->page = number;
    if (translate(number)) {
      add(&t->n[TLB_MISSES], 1);
      if (first(number)) {
        add(&t->n[PAGES], 1);
      }
    }
  }
}

static void loaded(struct thread *t, uint32_t line) {
  add(&t->n[LOADS], 1);
  if (find(&dcache, line) < 0) {
    add(&t->n[LOAD_MISSES], 1);
    if (allocate(&dcache, line)) {
      add(&t->n[WRITE_BACKS], 1);
    }
  }
}

static void stored(struct thread *t, uint32_t line) {
  add(&t->n[STORES], 1);
  int way = find(&dcache, line);
  if (way >= 0) {
    dcache.dirty[line % SETS][way] = true;
  } else if (line != t->line) { // the write buffer joins what goes to the same line
    add(&t->n[STORE_MISSES], 1);
    t->line = line;
  }
}

static void accessed(unsigned thread, uint32_t info, uint64_t address, void *nothing) {
  (void)nothing;
  if (stopped()) {
    return;
  }
  struct thread *t = &threads[thread % THREADS];
  uint32_t line = (uint32_t)address >> LINE;
  page(t, line);
  if (qemu_plugin_mem_is_store(info)) {
    stored(t, line);
  } else {
    loaded(t, line);
  }
}

static void fetched(struct thread *t, const struct block *b) {
  for (uint32_t line = b->address >> LINE; line <= b->last >> LINE; line++) {
    if (find(&icache, line) < 0) {
      allocate(&icache, line);
      add(&t->n[FETCH_MISSES], 1);
      page(t, line);
    }
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

static void executed(unsigned thread, void *which) {
  struct thread *t = &threads[thread % THREADS];
  struct block *b = which;
  const struct block *before = t->before;
  t->before = b;
  if (stopped()) {
    return;
  }
  if (before != NULL && before->ops[before->n - 1].way != FALLS) {
    enum event e = went(&before->ops[before->n - 1], before->last, before->end, b->address, &t->returns);
    add(&t->n[e], 1);
    if (e > PREDICTED) {
      before = NULL; // whatever it left behind is ready when the program goes on
    }
  }
  add(&t->n[INSTRUCTIONS], b->n);
  add(&t->n[CYCLES], after_block(b, before));
  add(&b->times, 1);
  fetched(t, b);
}

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
    qemu_plugin_register_vcpu_mem_cb(insn, accessed, 0, READS_AND_WRITES, NULL);
  }
  cycles(b->ops, n, NULL, &b->after);
  b->next = atomic_load(&blocks);
  while (!atomic_compare_exchange_weak(&blocks, &b->next, b)) {
  }
  qemu_plugin_register_vcpu_tb_exec_cb(tb, executed, 0, b);
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
      fprintf(f, "%" PRIx32 " %" PRIu32 " %" PRIu64 "\n", b->address, b->n, times);
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
  }
}

static void called(plugin_id id, unsigned thread, int64_t number, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
                   uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8) {
  (void)id, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
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
    add(&threads[thread % THREADS].calls[number < CALLS ? number : CALLS - 1], 1);
  }
}

// returned makes a child forget what its parent counted.
static void returned(plugin_id id, unsigned thread, int64_t number, int64_t value) {
  (void)id, (void)thread;
  if (value == 0 && (number == FORK || number == VFORK || number == CLONE) && getpid() != process) {
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
