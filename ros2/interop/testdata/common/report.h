/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Output: one JSON object a line on standard output, written whole. Events
 * come from the threads of the DDS implementation and from main.
 */
#ifndef REPORT_H
#define REPORT_H

#include "peer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* report_begin takes the output lock and starts {"event":"name"; report_end
 * closes the object, flushes the line and gives the lock back. Every member
 * written between the two starts with a comma. */
void report_begin(const char *event);
void report_end(void);

void member_string(const char *name, const char *value);
void member_long(const char *name, long value);
void member_bool(const char *name, bool value);
void member_double(const char *name, double value);
void member_doubles(const char *name, const double *values, size_t n);
void member_floats(const char *name, const float *values, size_t n);
void member_open(const char *name, char bracket);
void member_close(char bracket);

/* Whole events. */
void report_error(const char *what, const char *detail);
void report_done(const char *command, const char *id);
void report_matched(struct endpoint *e, int current);
void report_incompatible(struct endpoint *e, int policy);
void report_lost(struct endpoint *e, int more);
void report_stats(struct endpoint *e);

#ifdef __cplusplus
}
#endif
#endif
