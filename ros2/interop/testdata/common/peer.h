/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A peer is a small DDS program that the Go tests drive through its standard
 * input and read through its standard output. This header is what the parts
 * share: the values of the messages (messages.h), the commands (main.c) and
 * the DDS implementation behind them (the backend: cyclone/ or fastdds/).
 */
#ifndef PEER_H
#define PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The message types a peer knows, in the order of kind_names in main.c. */
enum kind { KIND_STRING, KIND_TWIST, KIND_ODOMETRY, KIND_TF, KIND_SCAN, KIND_RANGE, KIND_IMAGE, KIND_BLOB, KIND_COMPRESSED, KIND_CAMERA_INFO, KIND_COUNT };

/* What the command line says about the participant. */
struct options {
  uint32_t domain; /* DDS domain, 0 to 232 */
  double lease;    /* lease duration announced, s; 0 for the implementation's default */
};

/* One data reader or writer. The counters are guarded by report_lock. */
struct endpoint {
  char id[32];
  char topic[192];
  enum kind kind;
  bool writer;
  bool reliable;
  bool transient_local;
  int depth; /* KEEP_LAST depth; 0 means KEEP_ALL */
  long received;
  long lost;
  int matched;
  long written;
  size_t size; /* bytes of the blobs it writes, encoded */
  void *impl; /* the backend's */
};

/* DDS type name of each kind, mangled as the ROS 2 middlewares do it. */
extern const char *const type_names[KIND_COUNT];

/*
 * The backend. Functions that return false have reported an "error" event.
 * Writing takes the number of the sample; what a numbered sample contains is
 * said in messages.h.
 */
bool backend_open(const struct options *options);
bool backend_create(struct endpoint *e);
bool backend_destroy(struct endpoint *e);
bool backend_write_numbered(struct endpoint *e, long number);
bool backend_write_twist(struct endpoint *e, double linear_x, double angular_z);
bool backend_write_raw(struct endpoint *e, const uint8_t *cdr, size_t size);
bool backend_wait_acked(struct endpoint *e);
void backend_close(void);

#ifdef __cplusplus
}
#endif
#endif
