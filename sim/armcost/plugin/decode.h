// SPDX-License-Identifier: Apache-2.0
//
// An ARMv6 instruction as the pipeline sees it: what it reads, what it writes and when, which unit it holds. The
// figures are those of the ARM1176JZF-S Technical Reference Manual, ARM DDI 0301H: tables 16-4 to 16-19 for the integer
// pipeline and 21-16 for the VFP11. "Result latency", "Early Reg" and "Late Reg" are its terms.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Registers are bits: r0 to r15, the flags, s0 to s31, the flags of the VFP.
#define FLAGS (1ull << 16)
#define VFLAGS (1ull << 49)
enum { REGISTERS = 50, FIRST_VFP = 17, SP = 13, LR = 14, PC = 15 };
enum unit { NO_UNIT, LOADS_STORES, FMAC, DIVIDER, UNITS };

// How a block can end, as the branch prediction sees it.
enum way { FALLS, DIRECT, RETURNS, JUMPS, LOADS_PC };

struct op {
  uint64_t reads;      // needed when it is issued
  uint64_t early;      // Early Regs, needed a cycle before: addresses, shifted operands, factors
  uint64_t late;       // Late Regs, needed a cycle after: accumulators, the operand of a shift by a register
  uint64_t writes;     // ready for others after latency
  uint64_t second;     // of those, ready a cycle later: the high half of a product
  uint64_t base;       // address register that is written back: ready after one cycle
  uint64_t lock;       // stored registers that later instructions cannot write before they are stored
  uint8_t issue;       // cycles until the next instruction can be issued
  uint8_t latency;     // result latency: cycles until an ordinary reader of the result can be issued
  uint8_t unit, busy;  // the unit that it holds, and for how many cycles
  bool product;        // a multiplication: its result goes to an accumulator a cycle sooner
  bool pairs;          // its registers are loaded two a cycle
  uint8_t way;         // how it goes on
  bool conditional, link;
  uint32_t target;     // of a direct branch
};

static inline uint64_t reg(uint32_t n) { return 1ull << (n & 15); }
static inline uint32_t bits(uint32_t w, int from, int n) { return w >> from & ((1u << n) - 1); }

static struct op simple(uint64_t reads, uint64_t early, uint64_t writes, int issue, int latency) {
  return (struct op){.reads = reads, .early = early, .writes = writes, .issue = issue, .latency = latency};
}

// jumping completes an instruction that writes the program counter. The cycles of its kind of branch (branches.h) are
// all of its cycles.
static void jumping(struct op *o, enum way way) {
  if (o->writes & reg(PC)) {
    o->way = way;
    o->issue = 0;
  }
}

static struct op data_processing(uint32_t w) {
  uint32_t code = bits(w, 21, 4);
  bool compares = code >= 8 && code <= 11, moves = code == 13 || code == 15;
  uint64_t n = moves ? 0 : reg(w >> 16), d = compares ? 0 : reg(w >> 12);
  struct op o = simple(n, 0, d, 1, 1);
  if (!bits(w, 25, 1)) {
    if (bits(w, 4, 1)) { // shifted by a register
      o = simple(reg(w), reg(w >> 8), d, 2, 2);
      o.late = n;
    } else if (bits(w, 5, 7) != 0) {
      o.early = reg(w);
    } else {
      o.reads |= reg(w);
    }
  }
  if (bits(w, 20, 1)) {
    o.writes |= FLAGS;
  }
  if (code >= 5 && code <= 7) { // with carry
    o.reads |= FLAGS;
  }
  jumping(&o, moves && !bits(w, 25, 1) && (w & 0xfff) == LR ? RETURNS : JUMPS);
  return o;
}

// product is a multiplication of Rm and Rs (table 16-10).
static struct op product(uint32_t w, uint64_t accumulator, uint64_t result, int issue, int latency) {
  struct op o = simple(0, reg(w) | reg(w >> 8), result, issue, latency);
  o.late = accumulator;
  o.product = true;
  return o;
}

// long_product has a result of 64 bits, whose high half comes a cycle after the low one.
static struct op long_product(uint32_t w, bool accumulates, int issue, int latency) {
  uint64_t high = reg(w >> 16), both = high | reg(w >> 12);
  struct op o = product(w, accumulates ? both : 0, both, issue, latency);
  o.second = high;
  return o;
}

static struct op multiply(uint32_t w) {
  bool flags = bits(w, 20, 1);
  struct op o;
  switch (bits(w, 21, 3)) {
    case 0: o = product(w, 0, reg(w >> 16), 2, 4); break;
    case 1: o = product(w, reg(w >> 12), reg(w >> 16), 2, 4); break;
    case 4:
    case 6: o = long_product(w, false, 3, 4); break;
    default: o = long_product(w, true, 3, 4); break;
  }
  if (flags) {
    o.issue += 3;
    o.writes |= FLAGS;
  }
  return o;
}

// halves are the multiplications of 16 by 16 and 32 by 16 bits.
static struct op halves(uint32_t w) {
  if (bits(w, 21, 2) == 2) { // SMLALxy
    return long_product(w, true, 2, 3);
  }
  bool accumulates = bits(w, 21, 2) == 0 || (bits(w, 21, 2) == 1 && !bits(w, 5, 1));
  return product(w, accumulates ? reg(w >> 12) : 0, reg(w >> 16), 1, 3);
}

// two_cycles reports whether an address takes two cycles to compute: a register is subtracted, or shifted by other
// than 2 to the left. Then only the offset register is an Early Reg.
static bool two_cycles(uint32_t w, uint64_t index, bool shifts) {
  return index != 0 && (!bits(w, 23, 1) || (shifts && bits(w, 5, 7) != 0 && bits(w, 5, 7) != 2 << 2));
}

// transfer is a load or store of one register, or two with pair (tables 16-13 to 16-17).
static struct op transfer(uint32_t w, bool load, bool pair, uint64_t index, bool shifts) {
  uint64_t data = reg(w >> 12) | (pair ? reg((w >> 12) + 1) : 0), base = reg(w >> 16);
  bool slow = two_cycles(w, index, shifts);
  struct op o = simple(load ? 0 : data, slow ? index : base | index, load ? data : 0, slow ? 2 : 1, slow ? 4 : 3);
  o.reads |= slow ? base : 0;
  o.lock = pair && !load ? data : 0;
  o.unit = LOADS_STORES, o.busy = o.issue;
  if (!bits(w, 24, 1) || bits(w, 21, 1)) { // post-indexed or written back
    o.base = base;
  }
  jumping(&o, bits(w, 16, 4) == SP ? RETURNS : LOADS_PC);
  return o;
}

// many loads or stores several registers, two a cycle (tables 16-18 and 16-19, first address aligned to 64 bits).
static struct op many(uint32_t w) {
  int n = __builtin_popcount(w & 0xffff), pairs = (n + 1) / 2;
  bool load = bits(w, 20, 1), jumps = load && bits(w, PC, 1);
  uint64_t list = w & 0xffff;
  struct op o = simple(load ? 0 : list, reg(w >> 16), load ? list : 0, 1, jumps ? 4 : 3);
  o.pairs = true;
  o.lock = load ? 0 : list;
  o.unit = LOADS_STORES, o.busy = pairs < 1 ? 1 : pairs + jumps;
  o.base = bits(w, 21, 1) ? reg(w >> 16) : 0;
  jumping(&o, bits(w, 16, 4) == SP ? RETURNS : LOADS_PC);
  return o;
}

// miscellaneous is the encodings of comparisons that set no flags, and around them.
static struct op miscellaneous(uint32_t w) {
  struct op o;
  switch (bits(w, 4, 4)) {
    case 1:
    case 3: // BX, BLX; CLZ
      if (bits(w, 21, 2) == 3) {
        return simple(reg(w), 0, reg(w >> 12), 1, 1);
      }
      o = simple(reg(w), 0, 0, 0, 0);
      o.link = bits(w, 4, 4) == 3;
      o.way = !o.link && bits(w, 0, 4) == LR ? RETURNS : JUMPS;
      return o;
    case 5: return simple(reg(w >> 16) | reg(w), 0, reg(w >> 12), 1, 2); // saturating
    case 8:
    case 10:
    case 12:
    case 14: return halves(w);
    default: return simple(reg(w), 0, reg(w >> 12) | FLAGS, 1, 1); // status registers
  }
}

static struct op extra(uint32_t w) {
  bool load = bits(w, 20, 1);
  uint32_t kind = bits(w, 5, 2);
  if (kind == 0) {
    return bits(w, 24, 1) ? transfer(w, load || !bits(w, 23, 1), false, 0, false) : multiply(w);
  }
  bool pair = !load && kind != 1;
  return transfer(w, load || kind == 2, pair, bits(w, 22, 1) ? 0 : reg(w), false);
}

static struct op media(uint32_t w) {
  uint64_t accumulator = bits(w, 12, 4) == PC ? 0 : reg(w >> 12);
  switch (bits(w, 23, 2)) {
    case 2: // dual multiplications
      if (bits(w, 20, 3) == 4) { // SMLALD, SMLSLD
        return long_product(w, true, 2, 3);
      }
      return bits(w, 20, 3) == 5 ? product(w, accumulator, reg(w >> 16), 2, 4) : product(w, accumulator, reg(w >> 16), 1, 3);
    case 3: return product(w, accumulator, reg(w >> 16), 1, 3); // sums of differences
    default: return simple(reg(w >> 16), reg(w), reg(w >> 12), 1, 1); // parallel, extending, packing, reversing
  }
}

static uint64_t vfp(uint32_t w, int at, int extra_bit, bool twice) {
  uint32_t n = bits(w, at, 4), x = bits(w, extra_bit, 1);
  return twice ? 3ull << (FIRST_VFP + 2 * n) : 1ull << (FIRST_VFP + 2 * n + x);
}

static struct op on(enum unit unit, int busy, struct op o) {
  o.unit = unit, o.busy = busy;
  return o;
}

static struct op vfp_data(uint32_t w) {
  bool twice = bits(w, 8, 1);
  uint64_t d = vfp(w, 12, 22, twice), n = vfp(w, 16, 7, twice), m = vfp(w, 0, 5, twice);
  uint32_t code = bits(w, 23, 1) << 3 | bits(w, 20, 2) << 1 | bits(w, 6, 1);
  struct op divides = on(DIVIDER, twice ? 29 : 15, simple(n | m, 0, d, 1, twice ? 33 : 19));
  if (code == 8) {
    return divides;
  }
  if (code == 15) {
    switch (bits(w, 16, 4)) {
      case 0: return on(FMAC, 1, simple(m, 0, d, 1, 4));
      case 1:
        if (bits(w, 7, 1)) { // square root
          divides.reads = m;
          return divides;
        }
        return on(FMAC, 1, simple(m, 0, d, 1, 4));
      case 4: return on(FMAC, 1, simple(d | m, 0, VFLAGS, 1, 4));
      case 5: return on(FMAC, 1, simple(d, 0, VFLAGS, 1, 4));
      case 7: return on(FMAC, 1, simple(m, 0, vfp(w, 12, 22, !twice), 1, 8));
      case 8: return on(FMAC, 1, simple(vfp(w, 0, 5, false), 0, d, 1, 8));
      default: return on(FMAC, 1, simple(m, 0, vfp(w, 12, 22, false), 1, 8));
    }
  }
  bool multiplies = code < 6, adds_to = code < 4;
  return on(FMAC, twice && multiplies ? 2 : 1, simple(n | m | (adds_to ? d : 0), 0, d, 1, twice && multiplies ? 9 : 8));
}

// vfp_memory is a load or store of the VFP, or a move of two registers to or from it.
static struct op vfp_memory(uint32_t w) {
  bool twice = bits(w, 8, 1), load = bits(w, 20, 1);
  if ((w & 0x0fe00000) == 0x0c400000) {
    uint64_t core = reg(w >> 12) | reg(w >> 16);
    uint64_t there = twice ? vfp(w, 0, 5, true) : vfp(w, 0, 5, false) | vfp(w, 0, 5, false) << 1;
    return on(LOADS_STORES, 1, load ? simple(there, 0, core, 1, 2) : simple(core, 0, there, 1, 4));
  }
  bool single = bits(w, 24, 1) && !bits(w, 21, 1);
  int words = single ? 1 + twice : (int)(w & 0xff);
  uint64_t data = vfp(w, 12, 22, twice);
  for (int i = 0; !single && i < words && i < 32; i++) {
    data |= vfp(w, 12, 22, false) << i;
  }
  data &= VFLAGS - (1ull << FIRST_VFP);
  struct op o = simple(load ? 0 : data, reg(w >> 16), load ? data : 0, 1, 4 + (words > 2 ? (words - 1) / 2 : 0));
  o.base = bits(w, 21, 1) ? reg(w >> 16) : 0;
  return on(LOADS_STORES, words > 2 ? (words + 1) / 2 : 1, o);
}

static struct op coprocessor(uint32_t w) {
  bool from = bits(w, 20, 1);
  if (bits(w, 9, 3) != 5) { // not the VFP: CP15
    return simple(from ? 0 : reg(w >> 12), 0, from ? reg(w >> 12) : 0, 1, 3);
  }
  if (!bits(w, 25, 1)) {
    return vfp_memory(w);
  }
  if (!bits(w, 4, 1)) {
    return vfp_data(w);
  }
  if (bits(w, 21, 3) == 7) { // system registers
    uint64_t core = bits(w, 12, 4) == PC ? FLAGS : reg(w >> 12);
    return on(LOADS_STORES, 1, from ? simple(VFLAGS, 0, core, 1, 2) : simple(core, 0, VFLAGS, 1, 4));
  }
  uint64_t there = bits(w, 8, 1) ? vfp(w, 16, 7, true) : vfp(w, 16, 7, false);
  return on(LOADS_STORES, 1, from ? simple(there, 0, reg(w >> 12), 1, 2) : simple(reg(w >> 12), 0, there, 1, 4));
}

static struct op branch(uint32_t target, bool conditional, bool link) {
  struct op o = simple(0, 0, link ? reg(LR) : 0, 0, 0); // the return address is known at once
  o.way = DIRECT, o.conditional = conditional, o.link = link, o.target = target;
  return o;
}

// decode_arm reads the instruction w at an address.
static struct op decode_arm(uint32_t w, uint32_t address) {
  uint32_t condition = w >> 28;
  uint32_t there = address + 8 + (uint32_t)((int32_t)(w << 8) >> 6);
  if (condition == 15) { // preloads, barriers; a call of Thumb code
    return bits(w, 25, 3) == 5 ? branch(there | bits(w, 24, 1) << 1, false, true) : simple(0, reg(w >> 16), 0, 1, 1);
  }
  struct op o;
  switch (bits(w, 25, 3)) {
    case 0:
      o = (w & 0x90) == 0x90                 ? extra(w)
          : (w & 0x01900000) == 0x01000000 ? miscellaneous(w)
                                             : data_processing(w);
      break;
    case 1: o = (w & 0x01900000) == 0x01000000 ? simple(0, 0, 0, 1, 1) : data_processing(w); break;
    case 2: o = transfer(w, bits(w, 20, 1), false, 0, false); break;
    case 3: o = bits(w, 4, 1) ? media(w) : transfer(w, bits(w, 20, 1), false, reg(w), true); break;
    case 4: o = many(w); break;
    case 5: return branch(there, condition != 14, bits(w, 24, 1));
    case 6: o = coprocessor(w); break;
    default: o = bits(w, 24, 1) ? simple(0, 0, 0, 1, 1) : coprocessor(w); break;
  }
  o.conditional = condition != 14;
  if (o.conditional) {
    o.reads |= FLAGS;
  }
  return o;
}

// decode_thumb knows branches and loads of Thumb code; all else takes a cycle.
static struct op decode_thumb(uint32_t w, size_t size, uint32_t address) {
  if (size == 4) {
    uint32_t high = bits(w, 0, 11), low = bits(w, 16, 11);
    return branch(address + 4 + (uint32_t)((int32_t)(high << 21) >> 9) + low * 2, false, true);
  }
  struct op o = simple(reg(bits(w, 3, 3)), 0, reg(bits(w, 0, 3)) | FLAGS, 1, 1);
  if (w >> 12 == 0xd && bits(w, 8, 4) < 14) {
    return branch(address + 4 + (uint32_t)((int32_t)(w << 24) >> 23), true, false);
  }
  if (w >> 11 == 0x1c) {
    return branch(address + 4 + (uint32_t)((int32_t)(w << 21) >> 20), false, false);
  }
  if (w >> 8 == 0x47) {
    o = simple(0, 0, 0, 0, 1);
    o.link = bits(w, 7, 1);
    o.way = bits(w, 3, 4) == LR && !o.link ? RETURNS : JUMPS;
  } else if (w >> 8 == 0xbd) {
    o.way = RETURNS;
  } else if (w >> 13 == 3 && bits(w, 11, 1)) {
    o.latency = 3;
  }
  return o;
}
