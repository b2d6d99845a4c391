// SPDX-License-Identifier: Apache-2.0
//
// The cycles that a block of instructions takes in a pipeline that issues one at a time, in order. All memory is in the
// caches and all branches are predicted here; memory.h and branches.h count what is not.
#pragma once

#include "decode.h"

// LONG_AGO is when a register or unit was ready that no one waits for.
enum { LONG_AGO = -2, FARTHEST = 100 };

// busy is what the end of a block leaves behind: in how many cycles registers and units are ready, or how long they
// have been.
struct busy {
  int8_t ready[REGISTERS], unit[UNITS];
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

static void become(int *ready, uint64_t which, int at) {
  for (; which != 0; which &= which - 1) {
    ready[__builtin_ctzll(which)] = at;
  }
}

static int8_t relative(int at, int now) {
  return at - now < LONG_AGO ? LONG_AGO : at - now > FARTHEST ? FARTHEST : at - now;
}

// cycles runs n instructions after what was left behind (NULL is nothing), and leaves its own if after is not NULL.
static int cycles(const struct op *ops, size_t n, const struct busy *before, struct busy *after) {
  int ready[REGISTERS], unit[UNITS], now = 0;
  for (int i = 0; i < REGISTERS; i++) {
    ready[i] = before == NULL ? LONG_AGO : before->ready[i];
  }
  for (int i = 0; i < UNITS; i++) {
    unit[i] = before == NULL ? LONG_AGO : before->unit[i];
  }
  for (const struct op *o = ops; o < ops + n; o++) {
    int at = latest(latest(now, o->reads, ready, 0), o->early, ready, 1);
    if (o->unit != NO_UNIT && unit[o->unit] > at) {
      at = unit[o->unit];
    }
    now = at + o->issue;
    become(ready, o->writes, at + o->latency);
    become(ready, o->base, at + 1);
    unit[o->unit] = at + o->busy;
  }
  for (int i = 0; after != NULL && i < REGISTERS; i++) {
    after->ready[i] = relative(ready[i], now);
  }
  for (int i = 0; after != NULL && i < UNITS; i++) {
    after->unit[i] = relative(unit[i], now);
  }
  return now;
}
