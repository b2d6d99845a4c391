// SPDX-License-Identifier: Apache-2.0

// What main.c asks of a DDS implementation. All endpoints are reliable and volatile, of one type that holds bytes.
#ifndef PERF_H
#define PERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct participant;
struct endpoint;

// perf_participant joins a domain, on UDP alone.
struct participant *perf_participant(uint32_t domain);

// perf_writer keeps the last sample, or all until they are acknowledged.
struct endpoint *perf_writer(struct participant *p, const char *topic, bool keep_all);

// perf_reader calls on_sample, unless it is NULL, with each sample on a thread of the implementation.
struct endpoint *perf_reader(struct participant *p, const char *topic, void (*on_sample)(const uint8_t *data, size_t size));

// perf_write writes a sample, waiting for room.
bool perf_write(struct endpoint *w, const uint8_t *data, size_t size);

// perf_pack lets small samples share datagrams until perf_flush, where an implementation can do that.
void perf_pack(void);
void perf_flush(struct endpoint *w);

// perf_acknowledged waits for all readers to have everything, at most some seconds.
void perf_acknowledged(struct endpoint *w);

// perf_matched returns how many endpoints match.
int perf_matched(struct endpoint *e);

#ifdef __cplusplus
}
#endif

#endif
