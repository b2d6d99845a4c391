// SPDX-License-Identifier: Apache-2.0
//
// Times what the parameters of the model are made of, on a real ARM1176: for each kernel and round it writes a line
// "NAME TURNS NANOSECONDS". The marks around each round (see plugin/model.c) do nothing on a robot; beside the model they
// count the same turns. What a turn takes besides what is looked for stands in calibrate.go.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 5, LINES = 2048, ALL_LINES = 32768, PAGES = 256, FEW_PAGES = 32, BEGIN = 0x45500000, END };

static uint32_t buffer[1 << 19] __attribute__((aligned(4096)));
static int to_child[2], from_child[2], out, in;
static struct sockaddr_in there;

// ring makes n pointers, so many bytes apart, each to the next.
static void ring(uint32_t n, uint32_t bytes) {
  for (uint32_t i = 0; i < n; i++) {
    buffer[i * bytes / 4] = (uint32_t)(uintptr_t)&buffer[(i + 1) % n * bytes / 4];
  }
}
static void lines(void) { ring(LINES, 32); }
static void far(void) { ring(ALL_LINES, 32); }
static void pages(void) { ring(PAGES, 4096 + 32); }
static void near(void) { ring(FEW_PAGES, 4096 + 32); }
static void nothing(void) {}

// leave fills the cache with what is not in the first 64 KB.
static void leave(void) {
  for (uint32_t i = 1 << 18; i < 1 << 19; i += 8) {
    (void)*(volatile uint32_t *)&buffer[i];
  }
}

// A kernel is a loop around its body; r5 begins as the buffer, r6 is free, %1 is the buffer, %2 a mask of 64 KB.
#define KERNEL(name, body)                                                                                \
  static void name(uint32_t n) {                                                                          \
    asm volatile(".balign 32\n\tmov r5, %1\n\tmov r6, #0\n1:\t" body "\n\tsubs %0, %0, #1\n\tbne 1b"      \
                 : "+r"(n)                                                                                \
                 : "r"(buffer), "r"(0xffe0)                                                               \
                 : "r5", "r6", "lr", "cc", "memory");                                                     \
  }

KERNEL(sums, ".rept 16\nadd r5, r5, #1\n.endr")
KERNEL(chase, "ldr r5, [r5]")
KERNEL(store, "add r6, r6, #32\nand r6, r6, %2\nstr r5, [%1, r6]")
KERNEL(change, "add r6, r6, #32\nand r6, r6, %2\nldr r5, [%1, r6]\nstr r5, [%1, r6]")
KERNEL(wrong, "tst %0, #1\nbne 2f\nadd r5, r5, #1\n2:")
KERNEL(call, "bl bylink")
KERNEL(jump, "bl bysum")
KERNEL(loadpc, "ldr pc, 3f\n3:\t.word 2f\n2:")

// code is too long for the compiler to reach over.
void code(uint32_t n);
asm(".text\nbylink:\tbx lr\nbysum:\tadd pc, lr, #0\n"
    "\t.balign 32\ncode:\t.rept 8192\n\tadd r1, r1, #1\n\t.endr\n\tsubs r0, r0, #1\n\tbne code\n\tbx lr\n");

static void clocks(uint32_t n) {
  for (struct timespec t; n > 0; n--) {
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
  }
}

static void calls(uint32_t n) {
  for (; n > 0; n--) {
    syscall(SYS_getppid);
  }
}

// waits sends a byte to a child and waits for it to come back.
static void waits(uint32_t n) {
  char byte = 0;
  for (; n > 0 && write(to_child[1], &byte, 1) == 1 && read(from_child[0], &byte, 1) == 1; n--) {
  }
}

static void datagrams(uint32_t n) {
  char data[256] = {0};
  for (; n > 0; n--) {
    sendto(out, data, sizeof data, 0, (struct sockaddr *)&there, sizeof there);
    recv(in, data, sizeof data, 0);
  }
}

static void touches(uint32_t n) {
  volatile char *p = mmap(NULL, n * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (uint32_t i = 0; p != MAP_FAILED && i < n; i++) {
    p[i * 4096] = 1;
  }
  munmap((void *)p, n * 4096);
}

static const struct {
  const char *name;
  void (*setup)(void);
  void (*run)(uint32_t);
  uint32_t turns;
} kernels[] = {
    {"sums", nothing, sums, 20000},    {"chase", lines, chase, 40000},  {"pages", pages, chase, 40000},
    {"far", far, chase, 65536},      {"near", near, chase, 40000},
    {"store", leave, store, 40000},  {"change", nothing, change, 40000}, {"code", nothing, code, 20},
    {"wrong", nothing, wrong, 40000},  {"call", nothing, call, 40000},  {"jump", nothing, jump, 40000},
    {"loadpc", nothing, loadpc, 40000}, {"clock", nothing, clocks, 2000}, {"syscall", nothing, calls, 2000},
    {"wait", nothing, waits, 500},     {"datagram", nothing, datagrams, 500}, {"page", nothing, touches, 256},
};

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ll + t.tv_nsec;
}

// prepare makes the child that waits answers, and the sockets.
static int prepare(void) {
  socklen_t length = sizeof there;
  there = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  out = socket(AF_INET, SOCK_DGRAM, 0), in = socket(AF_INET, SOCK_DGRAM, 0);
  if (bind(in, (struct sockaddr *)&there, sizeof there) < 0 || getsockname(in, (struct sockaddr *)&there, &length) < 0 ||
      pipe(to_child) < 0 || pipe(from_child) < 0) {
    return -1;
  }
  pid_t child = fork();
  if (child == 0) {
    close(to_child[1]);
    for (char byte; read(to_child[0], &byte, 1) == 1 && write(from_child[1], &byte, 1) == 1;) {
    }
    _exit(0);
  }
  return child;
}

int main(void) {
  pid_t child = prepare();
  if (child < 0) {
    perror("kernels");
    return 1;
  }
  for (unsigned k = 0; k < sizeof kernels / sizeof *kernels; k++) {
    kernels[k].setup();
    kernels[k].run(kernels[k].turns); // caches and pages are as they will be
    for (int round = 0; round < ROUNDS; round++) {
      syscall(SYS_getpriority, BEGIN, 0);
      int64_t begun = now();
      kernels[k].run(kernels[k].turns);
      int64_t took = now() - begun;
      syscall(SYS_getpriority, END, k);
      printf("%s %u %lld\n", kernels[k].name, (unsigned)kernels[k].turns, (long long)took);
    }
  }
  close(to_child[1]);
  return waitpid(child, NULL, 0) == child ? 0 : 1;
}
