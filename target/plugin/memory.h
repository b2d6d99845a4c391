// SPDX-License-Identifier: Apache-2.0
//
// The ARM1176's memory as far as it makes programs wait: two caches of 16 KB, 4 ways, lines of 32 bytes, and the main
// TLB of 64 entries in 2 ways. Loads allocate a line, stores do not; a line that was written is written back when another
// takes its place. Ways are replaced in turn. A page that nothing had touched is one fault.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { LINE = 5, WAYS = 4, SETS = 128, PAGE = 12, TLB_SETS = 32, TLB_WAYS = 2 };

// Tags are numbers of lines and pages plus one: nothing is 0.
struct cache {
  uint32_t tag[SETS][WAYS];
  bool dirty[SETS][WAYS];
  uint8_t next[SETS];
};

// All programs on a core share its memory; salt tells their addresses apart.
struct memory {
  struct cache icache, dcache;
  uint32_t tlb[TLB_SETS][TLB_WAYS];
  uint8_t tlb_next[TLB_SETS];
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

// translate reports whether the TLB did not know a page.
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
