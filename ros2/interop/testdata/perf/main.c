// SPDX-License-Identifier: Apache-2.0

// Measures a DDS implementation between two processes:
//
//   perf DOMAIN pong                     sends what it gets back, until its input ends
//   perf DOMAIN ping BYTES SECONDS       "p50 p99 samples": round trips, nanoseconds
//   perf DOMAIN sub                      until its input ends; then "samples nanoseconds cpu": first to last, processor microseconds
//   perf DOMAIN pub BYTES SECONDS        "samples cpu"; up to 1024 bytes 32 samples are packed where that can be
//   perf DOMAIN offer COUNT              COUNT writers, until its input ends
//   perf DOMAIN find COUNT               "nanoseconds" until as many readers have each found a writer
//   perf DOMAIN memory COUNT ENDPOINTS   "base participants endpoints": resident KiB at the start, with COUNT participants, and with as
//                                        many writers and readers more in the first
//
// Each says "ready" when others may begin.

#include "perf.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

// cpu returns the processor time of this process in microseconds.
static int64_t cpu(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * INT64_C(1000000) + u.ru_utime.tv_usec + u.ru_stime.tv_usec;
}

static void ready(void) {
  puts("ready");
  fflush(stdout);
}

static void until_input_ends(void) {
  while (getchar() != EOF) {
  }
}

static void until_matched(struct endpoint *e) {
  while (perf_matched(e) == 0) {
    usleep(1000);
  }
}

static struct endpoint *back;

static void send_back(const uint8_t *data, size_t size) { perf_write(back, data, size); }

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t came = PTHREAD_COND_INITIALIZER;
static bool returned;

static void note_return(const uint8_t *data, size_t size) {
  (void)data;
  (void)size;
  pthread_mutex_lock(&mutex);
  returned = true;
  pthread_cond_signal(&came);
  pthread_mutex_unlock(&mutex);
}

static int compare(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static void ping(struct participant *p, size_t bytes, double seconds) {
  struct endpoint *r = perf_reader(p, "rt/pong", note_return), *w = perf_writer(p, "rt/ping", false);
  until_matched(r);
  until_matched(w);
  ready();
  usleep(300000); // the other side has matched, too
  uint8_t *data = calloc(bytes, 1);
  size_t room = 1 << 20, n = 0;
  int64_t *times = malloc(room * sizeof *times);
  for (int64_t end = now() + (int64_t)(seconds * 1e9); now() < end && n < room;) {
    int64_t begin = now();
    perf_write(w, data, bytes);
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 2;
    pthread_mutex_lock(&mutex);
    int late = 0;
    while (!returned && !late) {
      late = pthread_cond_timedwait(&came, &mutex, &limit);
    }
    returned = false;
    pthread_mutex_unlock(&mutex);
    if (!late) {
      times[n++] = now() - begin;
    }
  }
  qsort(times, n, sizeof *times, compare);
  printf("%lld %lld %zu\n", n ? (long long)times[n / 2] : 0, n ? (long long)times[n * 99 / 100] : 0, n);
}

static int64_t count, first, last, cpu_first;

static void note_sample(const uint8_t *data, size_t size) {
  (void)data;
  (void)size;
  last = now();
  if (count++ == 0) {
    first = last;
    cpu_first = cpu();
  }
}

static void publish(struct participant *p, size_t bytes, double seconds) {
  const bool small = bytes <= 1024;
  if (small) {
    perf_pack();
  }
  struct endpoint *w = perf_writer(p, "rt/flood", true);
  until_matched(w);
  ready();
  usleep(300000);
  uint8_t *data = calloc(bytes, 1);
  int64_t n = 0, before = cpu();
  for (int64_t end = now() + (int64_t)(seconds * 1e9); now() < end; n++) {
    perf_write(w, data, bytes);
    if (small && n % 32 == 31) {
      perf_flush(w);
    }
  }
  perf_flush(w);
  perf_acknowledged(w);
  printf("%lld %lld\n", (long long)n, (long long)(cpu() - before));
}

static void topic_name(char *name, size_t size, int i) { snprintf(name, size, "rt/topic_%d", i); }

static void offer(struct participant *p, int n) {
  char name[32];
  for (int i = 0; i < n; i++) {
    topic_name(name, sizeof name, i);
    perf_writer(p, name, false);
  }
  ready();
  until_input_ends();
}

static void find(uint32_t domain, int n) {
  struct endpoint **readers = calloc(n, sizeof *readers);
  char name[32];
  ready();
  int64_t begin = now();
  struct participant *p = perf_participant(domain);
  for (int i = 0; i < n; i++) {
    topic_name(name, sizeof name, i);
    readers[i] = perf_reader(p, name, NULL);
  }
  for (int i = 0; i < n; i++) {
    while (perf_matched(readers[i]) == 0) {
      usleep(200);
    }
  }
  printf("%lld\n", (long long)(now() - begin));
}

// resident returns the resident memory of this process in KiB.
static long resident(void) {
  char line[256];
  long kib = 0;
  FILE *f = fopen("/proc/self/status", "r");
  while (f && fgets(line, sizeof line, f)) {
    sscanf(line, "VmRSS: %ld", &kib);
  }
  if (f) {
    fclose(f);
  }
  return kib;
}

static void memory(uint32_t domain, int participants, int endpoints) {
  char name[32];
  ready();
  long base = resident();
  struct participant *p = perf_participant(domain);
  for (int i = 1; i < participants; i++) {
    perf_participant(domain + i); // by themselves
  }
  sleep(1);
  long with_participants = resident();
  for (int i = 0; i < endpoints; i++) {
    topic_name(name, sizeof name, i);
    perf_writer(p, name, false);
    topic_name(name, sizeof name, i + endpoints);
    perf_reader(p, name, NULL);
  }
  sleep(1);
  printf("%ld %ld %ld\n", base, with_participants, resident());
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: perf DOMAIN MODE [ARGUMENTS]\n");
    return 2;
  }
  uint32_t domain = (uint32_t)strtoul(argv[1], NULL, 10);
  const char *mode = argv[2];
  double a = argc > 3 ? atof(argv[3]) : 0, b = argc > 4 ? atof(argv[4]) : 0;
  if (!strcmp(mode, "find")) {
    find(domain, (int)a);
  } else if (!strcmp(mode, "memory")) {
    memory(domain, (int)a, (int)b);
  } else {
    struct participant *p = perf_participant(domain);
    if (!strcmp(mode, "ping")) {
      ping(p, (size_t)a, b);
    } else if (!strcmp(mode, "pub")) {
      publish(p, (size_t)a, b);
    } else if (!strcmp(mode, "offer")) {
      offer(p, (int)a);
    } else if (!strcmp(mode, "pong")) {
      back = perf_writer(p, "rt/pong", false);
      perf_reader(p, "rt/ping", send_back);
      ready();
      until_input_ends();
    } else if (!strcmp(mode, "sub")) {
      perf_reader(p, "rt/flood", note_sample);
      ready();
      until_input_ends();
      printf("%lld %lld %lld\n", (long long)count, (long long)(last - first), (long long)(cpu() - cpu_first));
    } else {
      return 2;
    }
  }
  fflush(stdout);
  _exit(0); // taking a participant apart is not measured
}
