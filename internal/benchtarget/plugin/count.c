// SPDX-License-Identifier: Apache-2.0
//
// A QEMU plugin that counts the instructions and the system calls of a program between the marks that it makes itself.
// A mark is getpriority(0x45500000 | op, arg), which does nothing anywhere else:
//
//   op 0  begin: everything is zero
//   op 1  end: write a line "mark ARG INSTRUCTIONS CALLS number:count ..." to the file named by out=
//   op 2  pause: nothing counts
//   op 3  resume
//
// With profile=FILE an end also writes the blocks that ran, "ADDRESS INSTRUCTIONS TIMES", to that file. At the end of the
// program comes a last line with ARG "exit". Instructions are counted by thread, so that none is lost; a block counts
// when it is entered. The declarations are those that the interface of QEMU 4.2 to 8 (API version 1) documents; Debian
// ships no header for it.

#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
extern void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, struct qemu_plugin_tb *));
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, void (*)(unsigned, void *), int flags, void *);
extern void qemu_plugin_register_vcpu_syscall_cb(plugin_id, void (*)(plugin_id, unsigned, int64_t, uint64_t, uint64_t, uint64_t,
                                                                     uint64_t, uint64_t, uint64_t, uint64_t, uint64_t));
extern void qemu_plugin_register_atexit_cb(plugin_id, void (*)(plugin_id, void *), void *);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
extern uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *);

EXPORT int qemu_plugin_version = 1;

enum { THREADS = 256, CALLS = 512, GETPRIORITY = 96, MAGIC = 0x455, BEGIN = 0, END, PAUSE, RESUME };

// A block of translated code. QEMU may translate the same code again; the blocks are a list that only grows.
struct block {
  uint64_t address, instructions;
  _Atomic uint64_t times;
  struct block *next;
};

static struct {
  _Atomic uint64_t instructions; // only its own thread adds to it
} __attribute__((aligned(64))) threads[THREADS];
static _Atomic uint64_t calls[CALLS];
static struct block *_Atomic blocks;
static _Atomic bool paused;
static FILE *out;
static const char *profile;

static void add(_Atomic uint64_t *to, uint64_t n) {
  atomic_store_explicit(to, atomic_load_explicit(to, memory_order_relaxed) + n, memory_order_relaxed);
}

static void executed(unsigned thread, void *which) {
  struct block *b = which;
  if (!atomic_load_explicit(&paused, memory_order_relaxed)) {
    add(&threads[thread % THREADS].instructions, b->instructions);
    add(&b->times, 1);
  }
}

static void translated(plugin_id id, struct qemu_plugin_tb *tb) {
  (void)id;
  struct block *b = calloc(1, sizeof *b);
  if (b == NULL) {
    abort();
  }
  b->address = qemu_plugin_tb_vaddr(tb);
  b->instructions = qemu_plugin_tb_n_insns(tb);
  b->next = atomic_load(&blocks);
  while (!atomic_compare_exchange_weak(&blocks, &b->next, b)) {
  }
  qemu_plugin_register_vcpu_tb_exec_cb(tb, executed, 0, b);
}

static void report(const char *arg) {
  uint64_t instructions = 0, all = 0;
  for (int t = 0; t < THREADS; t++) {
    instructions += atomic_load(&threads[t].instructions);
  }
  for (int c = 0; c < CALLS; c++) {
    all += atomic_load(&calls[c]);
  }
  fprintf(out, "mark %s %" PRIu64 " %" PRIu64, arg, instructions, all);
  for (int c = 0; c < CALLS; c++) {
    uint64_t n = atomic_load(&calls[c]);
    if (n != 0) {
      fprintf(out, " %d:%" PRIu64, c, n);
    }
  }
  fprintf(out, "\n");
  fflush(out);
}

static void dump(void) {
  FILE *f = profile == NULL ? NULL : fopen(profile, "w");
  if (f == NULL) {
    return;
  }
  for (struct block *b = atomic_load(&blocks); b != NULL; b = b->next) {
    uint64_t times = atomic_load(&b->times);
    if (times != 0) {
      fprintf(f, "%" PRIx64 " %" PRIu64 " %" PRIu64 "\n", b->address, b->instructions, times);
    }
  }
  fclose(f);
}

static void zero(void) {
  for (int t = 0; t < THREADS; t++) {
    atomic_store(&threads[t].instructions, 0);
  }
  for (int c = 0; c < CALLS; c++) {
    atomic_store(&calls[c], 0);
  }
  for (struct block *b = atomic_load(&blocks); b != NULL; b = b->next) {
    atomic_store(&b->times, 0);
  }
}

static void called(plugin_id id, unsigned thread, int64_t number, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
                   uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8) {
  (void)id, (void)thread, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
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
  } else if (!atomic_load(&paused) && number >= 0) {
    atomic_fetch_add(&calls[number < CALLS ? number : CALLS - 1], 1);
  }
}

static void ended(plugin_id id, void *nothing) {
  (void)id, (void)nothing;
  report("exit");
}

EXPORT int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv) {
  (void)info;
  const char *file = "/dev/stderr";
  for (int i = 0; i < argc; i++) {
    if (strncmp(argv[i], "out=", 4) == 0) {
      file = argv[i] + 4;
    } else if (strncmp(argv[i], "profile=", 8) == 0) {
      profile = argv[i] + 8;
    }
  }
  out = fopen(file, "w");
  if (out == NULL) {
    perror(file);
    return 1;
  }
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_vcpu_syscall_cb(id, called);
  qemu_plugin_register_atexit_cb(id, ended, NULL);
  return 0;
}
