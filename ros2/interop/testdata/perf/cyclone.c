// SPDX-License-Identifier: Apache-2.0

#include "perf.h"

#include <dds/dds.h>
#include <stdio.h>
#include <stdlib.h>

#include "blob.h"

// Handles are numbers; a pointer to one is what main.c sees.
struct participant {
  dds_entity_t handle;
};
struct endpoint {
  dds_entity_t handle;
  void (*on_sample)(const uint8_t *data, size_t size);
};

static dds_entity_t must(dds_entity_t handle, const char *what) {
  if (handle < 0) {
    fprintf(stderr, "%s: %s\n", what, dds_strretcode(-handle));
    exit(1);
  }
  return handle;
}

struct participant *perf_participant(uint32_t domain) {
  struct participant *p = calloc(1, sizeof *p);
  p->handle = must(dds_create_participant(domain, NULL, NULL), "participant");
  return p;
}

static void on_data(dds_entity_t reader, void *arg) {
  struct endpoint *e = arg;
  void *samples[16] = {0};
  dds_sample_info_t infos[16];
  for (;;) {
    int n = dds_take(reader, samples, infos, 16, 16);
    if (n <= 0) {
      return;
    }
    for (int i = 0; i < n; i++) {
      const perf_Blob *b = samples[i];
      if (infos[i].valid_data) {
        e->on_sample(b->data._buffer, b->data._length);
      }
    }
    dds_return_loan(reader, samples, n);
  }
}

static struct endpoint *create(struct participant *p, const char *topic, bool writer, bool keep_all,
                               void (*on_sample)(const uint8_t *data, size_t size)) {
  struct endpoint *e = calloc(1, sizeof *e);
  e->on_sample = on_sample;
  dds_entity_t t = must(dds_create_topic(p->handle, &perf_Blob_desc, topic, NULL, NULL), "topic");
  dds_qos_t *q = dds_create_qos();
  dds_qset_reliability(q, DDS_RELIABILITY_RELIABLE, DDS_SECS(10));
  dds_qset_history(q, keep_all ? DDS_HISTORY_KEEP_ALL : DDS_HISTORY_KEEP_LAST, 1);
  if (writer) {
    e->handle = must(dds_create_writer(p->handle, t, q, NULL), "writer");
  } else {
    dds_listener_t *l = dds_create_listener(e);
    if (on_sample) {
      dds_lset_data_available(l, on_data);
    }
    e->handle = must(dds_create_reader(p->handle, t, q, l), "reader");
    dds_delete_listener(l);
  }
  dds_delete_qos(q);
  return e;
}

struct endpoint *perf_writer(struct participant *p, const char *topic, bool keep_all) { return create(p, topic, true, keep_all, NULL); }

struct endpoint *perf_reader(struct participant *p, const char *topic, void (*on_sample)(const uint8_t *data, size_t size)) {
  return create(p, topic, false, true, on_sample);
}

bool perf_write(struct endpoint *w, const uint8_t *data, size_t size) {
  perf_Blob b = {.data = {._maximum = (uint32_t)size, ._length = (uint32_t)size, ._buffer = (uint8_t *)data, ._release = false}};
  return dds_write(w->handle, &b) == 0;
}

void perf_pack(void) { dds_write_set_batch(true); }

void perf_flush(struct endpoint *w) { dds_write_flush(w->handle); }

void perf_acknowledged(struct endpoint *w) { dds_wait_for_acks(w->handle, DDS_SECS(5)); }

int perf_matched(struct endpoint *e) {
  dds_instance_handle_t handles[1];
  if (dds_get_matched_publications(e->handle, handles, 1) > 0) {
    return 1;
  }
  return dds_get_matched_subscriptions(e->handle, handles, 1) > 0;
}
