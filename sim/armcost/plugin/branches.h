// SPDX-License-Identifier: Apache-2.0
//
// The ARM1176's branch prediction: a cache of 128 branch addresses with two bits of history each; for what is not in it
// backwards is taken and forwards is not; a stack of three for returns. It says what kind of event a branch was, and the
// kind has its cycles among the parameters.
#pragma once

#include "decode.h"
#include "events.h"

#ifndef MODEL_BRANCHES
#define MODEL_BRANCHES 128
#define MODEL_STACK 3
#endif

enum { BRANCHES = MODEL_BRANCHES, STACK = MODEL_STACK };

static struct {
  uint32_t tag; // the branch's address, nothing is 0
  uint8_t history;
} known[BRANCHES];

struct returns {
  uint32_t address[STACK];
  unsigned top;
};

static void push(struct returns *r, uint32_t address) { r->address[++r->top % STACK] = address; }
static uint32_t top(const struct returns *r) { return r->address[r->top % STACK]; }
static uint32_t pop(struct returns *r) { return r->address[r->top-- % STACK]; }

static enum event direct(const struct op *o, uint32_t from, bool taken) {
  bool backwards = o->target <= from, sure = !o->conditional;
  uint32_t i = (from >> 2) % BRANCHES;
  if (known[i].tag == from) {
    uint8_t history = known[i].history;
    known[i].history = taken ? history + (history < 3) : history - (history > 0);
    bool right = sure || (history >= 2) == taken;
    return !right ? MISPREDICTED : o->link ? PREDICTED : FOLDED;
  }
  if (taken) {
    known[i].tag = from, known[i].history = backwards || sure ? 3 : 2;
  }
  return taken != (sure || backwards) ? MISPREDICTED : taken ? TAKEN : PREDICTED;
}

// went says what the end of a block was, o at from, when the program goes on at to; after is the address behind it.
static enum event went(const struct op *o, uint32_t from, uint32_t after, uint32_t to, struct returns *r) {
  if (o->way == DIRECT) {
    bool taken = to != after || !o->conditional;
    if (taken && o->link) {
      push(r, after);
    }
    return direct(o, from, taken);
  }
  if (to == after && o->conditional) {
    return PREDICTED;
  }
  if (to == after || (o->way == LOADS_PC && to == top(r))) { // the kernel's helpers run outside of the program
    r->top -= to != after;
    return HELPER;
  }
  if (o->link) {
    push(r, after);
  }
  if (o->way == RETURNS && pop(r) == to) {
    return RETURNED;
  }
  return o->way == JUMPS ? JUMPED : LOADED_PC;
}
