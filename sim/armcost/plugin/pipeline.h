// SPDX-License-Identifier: Apache-2.0
//
// The cycles that a block of instructions takes in a pipeline that issues one at a time, in order. All memory is in the
// caches and all branches are predicted here; memory.h and branches.h count what is not.
#pragma once

#include "decode.h"

// LONG_AGO is when a register or unit was ready that no one waits for.
enum { LONG_AGO = -2, FARTHEST = 100 };

// busy is the state of the pipeline after a block: in how many cycles registers and units are ready, or how long they
// have been; until when stored registers are locked; which registers a multiplication wrote last, and which a transfer
// wrote back as its base.
struct busy {
  int8_t ready[REGISTERS], unit[UNITS], lock[REGISTERS];
  uint64_t products, bases;
};

// pipeline is the same in cycles since a block began.
struct pipeline {
  int ready[REGISTERS], unit[UNITS], lock[REGISTERS], now;
  uint64_t products, bases;
};

static int latest(int from, uint64_t which, const int *ready, int sooner) {
  for (; which != 0; which &= which - 1) {
    int at = ready[__builtin_ctzll(which)] + sooner;
    if (at > from) {
      from = at;
    }
  }
  return from;
}

static int8_t relative(int at, int now) {
  return at - now < LONG_AGO ? LONG_AGO : at - now > FARTHEST ? FARTHEST : at - now;
}

static void begin(struct pipeline *p, const struct busy *before) {
  for (int i = 0; i < REGISTERS; i++) {
    p->ready[i] = before == NULL ? LONG_AGO : before->ready[i];
    p->lock[i] = before == NULL ? LONG_AGO : before->lock[i];
  }
  for (int i = 0; i < UNITS; i++) {
    p->unit[i] = before == NULL ? LONG_AGO : before->unit[i];
  }
  p->now = 0;
  p->products = before == NULL ? 0 : before->products;
  p->bases = before == NULL ? 0 : before->bases;
}

static void end(const struct pipeline *p, struct busy *after) {
  for (int i = 0; i < REGISTERS; i++) {
    after->ready[i] = relative(p->ready[i], p->now);
    after->lock[i] = relative(p->lock[i], p->now);
  }
  for (int i = 0; i < UNITS; i++) {
    after->unit[i] = relative(p->unit[i], p->now);
  }
  after->products = p->products, after->bases = p->bases;
}

// issued is when an instruction can be issued. An accumulator gets a product a cycle sooner than others do; an address
// gets a base that a transfer has just written back without its extra cycle.
static int issued(const struct pipeline *p, const struct op *o) {
  uint64_t early = o->early, late = o->late;
  int at = latest(p->now, o->reads, p->ready, 0);
  if (o->unit == LOADS_STORES) {
    at = latest(at, early & p->bases, p->ready, 0);
    early &= ~p->bases;
  }
  if (o->product) {
    at = latest(at, late & p->products, p->ready, -2);
    late &= ~p->products;
  }
  at = latest(at, early, p->ready, 1);
  at = latest(at, late, p->ready, -1);
  at = latest(at, o->writes | o->base, p->lock, 0);
  return o->unit != NO_UNIT && p->unit[o->unit] > at ? p->unit[o->unit] : at;
}

// write_results makes the results of an instruction that was issued at a time.
static void write_results(struct pipeline *p, const struct op *o, int at) {
  int n = 0;
  for (uint64_t w = o->writes; w != 0; w &= w - 1, n++) {
    int r = __builtin_ctzll(w);
    bool again = o->second >> r & 1;
    p->ready[r] = at + o->latency + again + (o->pairs ? n / 2 : 0);
  }
  for (uint64_t w = o->base; w != 0; w &= w - 1) {
    p->ready[__builtin_ctzll(w)] = at + o->issue;
  }
  n = 0;
  for (uint64_t w = o->lock; w != 0; w &= w - 1, n++) {
    p->lock[__builtin_ctzll(w)] = at + 1 + (n + 1) / 2;
  }
  p->products = (p->products & ~(o->writes | o->base)) | (o->product ? o->writes & ~FLAGS : 0);
  p->bases = (p->bases & ~o->writes) | o->base;
}

// cycles runs n instructions after what was left behind (NULL is nothing), and stores its own state if after is not NULL.
static int cycles(const struct op *ops, size_t n, const struct busy *before, struct busy *after) {
  struct pipeline p;
  begin(&p, before);
  for (const struct op *o = ops; o < ops + n; o++) {
    int at = issued(&p, o);
    p.now = at + o->issue;
    write_results(&p, o, at);
    p.unit[o->unit] = at + o->busy;
  }
  if (after != NULL) {
    end(&p, after);
  }
  return p.now;
}
