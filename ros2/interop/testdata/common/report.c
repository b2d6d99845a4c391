/* SPDX-License-Identifier: Apache-2.0 */

#include "report.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t report_lock = PTHREAD_MUTEX_INITIALIZER;

/* Whether the next member or element is the first after an opening bracket. */
static bool first;

static void separator(void)
{
  if (!first)
    putchar(',');
  first = false;
}

static void put_string(const char *s)
{
  putchar('"');
  for (; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\')
      printf("\\%c", c);
    else if (c < 0x20 || c >= 0x7f)
      printf("\\u%04x", c);
    else
      putchar(c);
  }
  putchar('"');
}

/* JSON has no NaN and no infinities: they are written as strings. */
static void put_double(double v)
{
  if (isnan(v))
    printf("\"nan\"");
  else if (isinf(v))
    printf(v > 0 ? "\"inf\"" : "\"-inf\"");
  else
    printf("%.17g", v);
}

static void put_name(const char *name)
{
  separator();
  if (name) {
    put_string(name);
    putchar(':');
  }
}

void report_begin(const char *event)
{
  pthread_mutex_lock(&report_lock);
  putchar('{');
  first = true;
  member_string("event", event);
}

void report_end(void)
{
  puts("}");
  fflush(stdout);
  pthread_mutex_unlock(&report_lock);
}

void member_string(const char *name, const char *value)
{
  put_name(name);
  put_string(value ? value : "");
}

void member_long(const char *name, long value)
{
  put_name(name);
  printf("%ld", value);
}

void member_bool(const char *name, bool value)
{
  put_name(name);
  printf(value ? "true" : "false");
}

void member_double(const char *name, double value)
{
  put_name(name);
  put_double(value);
}

void member_open(const char *name, char bracket)
{
  put_name(name);
  putchar(bracket);
  first = true;
}

void member_close(char bracket)
{
  putchar(bracket);
  first = false;
}

void member_doubles(const char *name, const double *values, size_t n)
{
  member_open(name, '[');
  for (size_t i = 0; i < n; i++)
    member_double(NULL, values[i]);
  member_close(']');
}

void member_floats(const char *name, const float *values, size_t n)
{
  member_open(name, '[');
  for (size_t i = 0; i < n; i++)
    member_double(NULL, (double)values[i]);
  member_close(']');
}

void report_error(const char *what, const char *detail)
{
  report_begin("error");
  member_string("what", what);
  member_string("detail", detail);
  report_end();
}

void report_done(const char *command, const char *id)
{
  report_begin("done");
  member_string("command", command);
  member_string("id", id);
  report_end();
}

void report_matched(struct endpoint *e, int current)
{
  report_begin("matched");
  e->matched = current;
  member_string("id", e->id);
  member_long("current", current);
  report_end();
}

void report_incompatible(struct endpoint *e, int policy)
{
  report_begin("incompatible");
  member_string("id", e->id);
  member_long("policy", policy);
  report_end();
}

void report_lost(struct endpoint *e, int more)
{
  report_begin("lost");
  e->lost += more;
  member_string("id", e->id);
  member_long("count", e->lost);
  report_end();
}

void report_stats(struct endpoint *e)
{
  report_begin("stats");
  member_string("id", e->id);
  member_long("received", e->received);
  member_long("lost", e->lost);
  member_long("current", e->matched);
  member_long("written", e->written);
  report_end();
}
