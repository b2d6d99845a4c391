// SPDX-License-Identifier: Apache-2.0
//
// The ARM1176's memory as far as it makes programs wait: two caches of 16 KB, 4 ways, lines of 32 bytes; behind them the
// BCM2835's cache of 128 KB, which it shares with the GPU (nothing of the GPU is modelled; its ways are assumed); two
// micro-TLBs of 10 entries and the main TLB of 64 entries in 2 ways. Loads allocate a line in the first cache, stores do
// not; a line that was written is written back when another takes its place. Ways are replaced in turn. A page that nothing
// had touched is one fault.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

// Other processors have other sizes: package armcost defines them on the compiler's command line.
#ifndef MODEL_LINE
#define MODEL_LINE 5
#define MODEL_WAYS 4
#define MODEL_SETS 128
#define MODEL_OUTER_WAYS 4
#define MODEL_OUTER_SETS 1024
#define MODEL_MICRO_TLB 10
#define MODEL_TLB_WAYS 2
#define MODEL_TLB_SETS 32
#endif

enum { LINE = MODEL_LINE, WAYS = MODEL_WAYS, SETS = MODEL_SETS, OUTER_WAYS = MODEL_OUTER_WAYS, OUTER_SETS = MODEL_OUTER_SETS };
enum { PAGE = 12, MICRO_TLB = MODEL_MICRO_TLB, TLB_SETS = MODEL_TLB_SETS, TLB_WAYS = MODEL_TLB_WAYS };

// Tags are numbers of lines and pages plus one: nothing is 0.
struct cache {
  uint32_t tag[SETS][WAYS];
  bool dirty[SETS][WAYS];
  uint8_t next[SETS];
};

// The cache behind them only says whether a line is in it.
struct outer_cache {
  uint32_t tag[OUTER_SETS][OUTER_WAYS];
  uint8_t next[OUTER_SETS];
};

// The write buffer takes a transaction of each store instruction that misses, of up to 16 bytes, and passes one on in
// DRAIN cycles, as fills of a Zero W show: 10 ns a STRD, 10 ns a STM of four registers, 20 ns one of eight. Its depth is
// assumed.
enum { WRITE_BLOCK = 4, DRAIN = 10, DEPTH = 4 };

struct write_buffer {
  const void *by;     // the instruction that stored last
  uint32_t end;       // where it stored
  uint64_t drained;   // until when cycles were taken into account
  uint32_t occupied;  // cycles until it is empty
};

// joins reports whether a store goes into the transaction before it: it is of the same instruction, and the same block.
static bool joins(const struct write_buffer *b, const void *by, uint32_t address) {
  return by != NULL && b->by == by && b->end == address && address % (1u << WRITE_BLOCK) != 0;
}

// pass lets the buffer drain until a time in cycles.
static void pass(struct write_buffer *b, uint64_t now) {
  uint64_t passed = now - b->drained;
  b->drained = now;
  b->occupied = passed >= b->occupied ? 0 : b->occupied - (uint32_t)passed;
}

// waits adds a transaction, and reports whether the core had to wait for a place.
static bool waits(struct write_buffer *b, uint64_t now) {
  pass(b, now);
  b->occupied += DRAIN;
  if (b->occupied <= DEPTH * DRAIN) {
    return false;
  }
  b->occupied -= DRAIN;
  return true;
}

// before_load is how many transactions a load that misses waits for: the bus keeps their order.
static uint32_t before_load(struct write_buffer *b, uint64_t now) {
  pass(b, now);
  uint32_t n = (b->occupied + DRAIN / 2) / DRAIN;
  b->occupied = 0;
  return n;
}

struct micro_tlb {
  uint32_t page[MICRO_TLB];
  uint32_t next;
};

// All programs on a core share its memory; salt tells their addresses apart.
struct memory {
  struct cache icache, dcache;
  uint32_t tlb[TLB_SETS][TLB_WAYS];
  uint8_t tlb_next[TLB_SETS];
  struct micro_tlb fetches, accesses;
  struct outer_cache outer;
};

static struct memory alone, *mem = &alone;
static uint32_t salt; // in the highest four bits
static _Atomic uint64_t touched[(1u << (32 - PAGE)) / 64];

static int find(const struct cache *c, uint32_t line) {
  const uint32_t *tag = c->tag[line % SETS];
  for (int way = 0; way < WAYS; way++) {
    if (tag[way] == ((line + 1) | salt)) {
      return way;
    }
  }
  return -1;
}

// allocate makes room for a line and reports whether another had to be written back for it.
static bool allocate(struct cache *c, uint32_t line) {
  uint32_t set = line % SETS;
  int way = c->next[set] % WAYS;
  c->next[set] = way + 1;
  bool back = c->dirty[set][way];
  c->tag[set][way] = (line + 1) | salt;
  c->dirty[set][way] = false;
  return back;
}

// outer reports whether a line has to come from the main memory, and puts it into the outer cache.
static bool outer(uint32_t line) {
  uint32_t set = line % OUTER_SETS, *tag = mem->outer.tag[set];
  for (int way = 0; way < OUTER_WAYS; way++) {
    if (tag[way] == ((line + 1) | salt)) {
      return false;
    }
  }
  tag[mem->outer.next[set]++ % OUTER_WAYS] = (line + 1) | salt;
  return true;
}

// micro reports whether a micro-TLB did not know a page, and puts it in.
static bool micro(struct micro_tlb *t, uint32_t page) {
  for (int i = 0; i < MICRO_TLB; i++) {
    if (t->page[i] == ((page + 1) | salt)) {
      return false;
    }
  }
  t->page[t->next++ % MICRO_TLB] = (page + 1) | salt;
  return true;
}

// translate reports whether the main TLB did not know a page.
static bool translate(uint32_t page) {
  uint32_t *entry = mem->tlb[page % TLB_SETS];
  for (int way = 0; way < TLB_WAYS; way++) {
    if (entry[way] == ((page + 1) | salt)) {
      return false;
    }
  }
  entry[mem->tlb_next[page % TLB_SETS]++ % TLB_WAYS] = (page + 1) | salt;
  return true;
}

// first reports whether nothing had touched a page.
static bool first(uint32_t page) {
  uint64_t bit = 1ull << page % 64;
  return !(atomic_load_explicit(&touched[page / 64], memory_order_relaxed) & bit) &&
         !(atomic_fetch_or(&touched[page / 64], bit) & bit);
}
