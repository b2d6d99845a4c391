// SPDX-License-Identifier: Apache-2.0
//
// What is counted, and the names it has in the report.
#pragma once

enum event {
  INSTRUCTIONS,
  CYCLES, // of the pipeline, with all memory in the caches and no branch's own
  LOADS,
  STORES,
  FETCH_MISSES, // of the first cache
  LOAD_MISSES,
  STORE_MISSES, // that the core had to wait for
  WRITE_BACKS,
  OUTER_MISSES, // of those fetches and loads, from the main memory
  MICRO_MISSES, // of the micro-TLBs
  TLB_MISSES,
  PAGES, // touched for the first time
  FOLDED,
  PREDICTED,
  TAKEN,
  MISPREDICTED,
  RETURNED,
  JUMPED,
  LOADED_PC,
  HELPER,
  SENT, // bytes by sockets of IP
  EVENTS
};

static const char *const event_names[EVENTS] = {
    "instructions", "cycles",     "loads",  "stores",    "fetch_misses", "load_misses",  "store_misses", "write_backs", "outer_misses", "micro_misses", "tlb_misses",
    "pages",        "folded",     "predicted", "taken", "mispredicted", "returned",     "jumped",       "loaded_pc",   "helpers",
    "sent"};
