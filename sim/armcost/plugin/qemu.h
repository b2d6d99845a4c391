// SPDX-License-Identifier: Apache-2.0
//
// What QEMU 4.2 to 8 offers a plugin (API version 1), as documented; Debian ships no header for it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t plugin_id;
typedef void (*on_memory)(unsigned thread, uint32_t info, uint64_t address, void *);
struct qemu_plugin_tb;
struct qemu_plugin_insn;
extern void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, struct qemu_plugin_tb *));
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, void (*)(unsigned, void *), int flags, void *);
extern void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *, on_memory, int flags, int rw, void *);
extern void qemu_plugin_register_vcpu_syscall_cb(plugin_id, void (*)(plugin_id, unsigned, int64_t, uint64_t, uint64_t,
                                                                     uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                                                                     uint64_t));
extern void qemu_plugin_register_vcpu_syscall_ret_cb(plugin_id, void (*)(plugin_id, unsigned, int64_t, int64_t));
extern void qemu_plugin_register_atexit_cb(plugin_id, void (*)(plugin_id, void *), void *);
extern bool qemu_plugin_mem_is_store(uint32_t info);
extern unsigned qemu_plugin_mem_size_shift(uint32_t info);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
extern uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
extern const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *);
extern size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *);

enum { READS_AND_WRITES = 3 };
