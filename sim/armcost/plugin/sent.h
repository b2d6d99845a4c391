// SPDX-License-Identifier: Apache-2.0
//
// How many bytes a system call has sent by a socket of IP. The emulated program's files have their numbers here, too,
// and its memory lies at GUEST.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

// ARM Linux' numbers of the calls that send.
enum { WRITE = 4, WRITEV = 146, SEND = 289, SENDTO = 290, SENDMSG = 296, SENDMMSG = 374 };

#define GUEST 0x100000000000ull

static bool by_ip(int file) {
  int domain;
  socklen_t size = sizeof domain;
  return getsockopt(file, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && (domain == AF_INET || domain == AF_INET6);
}

// sent is that of a call with its first two arguments and what it returned.
static uint64_t sent(int64_t number, uint32_t file, uint32_t list, int64_t value) {
  enum { HEADER = 28, ENTRY = 32 }; // of ARM's struct msghdr, and struct mmsghdr: with the bytes sent behind it
  if (value <= 0) {
    return 0;
  }
  switch (number) {
    case WRITE:
    case WRITEV:
    case SEND:
    case SENDTO:
    case SENDMSG: return by_ip((int)file) ? (uint64_t)value : 0;
    case SENDMMSG: break;
    default: return 0;
  }
  uint64_t all = 0;
  for (int64_t i = 0; i < value && by_ip((int)file); i++) {
    uint32_t n;
    memcpy(&n, (const void *)(GUEST + list + (uint64_t)i * ENTRY + HEADER), sizeof n);
    all += n;
  }
  return all;
}
