/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The decoded fields of the messages a peer reports, independent of which DDS
 * implementation decoded them. Units are those of the ROS messages (m, rad, s).
 *
 * Numbered samples, which the writers of the tests on both sides send:
 *   string: data is "sample N"
 *   image:  header.stamp is N s, frame_id "camera", 640 x 480 "rgb8", step 1920,
 *           and byte i of the data is pattern_byte(N, i)
 *   blob:   number is N and byte i of the data is pattern_byte(N, i); the size of
 *           the data is that of the encoded blob less BLOB_OVERHEAD
 */
#ifndef MESSAGES_H
#define MESSAGES_H

#include "peer.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { IMAGE_WIDTH = 640, IMAGE_HEIGHT = 480, IMAGE_STEP = 3 * IMAGE_WIDTH, IMAGE_SIZE = IMAGE_STEP * IMAGE_HEIGHT };
enum { BLOB_OVERHEAD = 8, BLOB_LIMIT = 1 << 20 };

struct header {
  int32_t sec;
  uint32_t nanosec;
  const char *frame_id;
};

struct twist {
  double linear[3], angular[3];
};

struct odometry {
  struct header header;
  const char *child_frame_id;
  double position[3], orientation[4]; /* x y z, x y z w */
  struct twist twist;
  const double *pose_covariance, *twist_covariance; /* 36 each, row major */
};

struct transform {
  struct header header;
  const char *child_frame_id;
  double translation[3], rotation[4];
};

struct scan {
  struct header header;
  float angle_min, angle_max, angle_increment, time_increment, scan_time, range_min, range_max;
  const float *ranges, *intensities;
  size_t n_ranges, n_intensities;
};

struct range {
  struct header header;
  uint8_t radiation_type;
  float field_of_view, min_range, max_range, range;
};

struct image {
  struct header header;
  uint32_t height, width, step;
  const char *encoding;
  uint8_t is_bigendian;
  const uint8_t *data;
  size_t size;
};

struct compressed {
  struct header header;
  const char *format;
  const uint8_t *data;
  size_t size;
};

struct camera_info {
  struct header header;
  uint32_t height, width;
  const char *model;
  const double *d, *k, *r, *p; /* k and r 9, p 12, row major */
  size_t n_d;
};

struct blob {
  uint32_t number;
  const uint8_t *data;
  size_t size;
};

/* Byte i of the data of image or blob n: varies with the position across 64 KiB and with n. */
static inline uint8_t pattern_byte(long n, size_t i)
{
  return (uint8_t)(i * 31u + (i >> 8) * 7u + (i >> 16) * 3u + (size_t)n * 13u);
}

void pattern_fill(uint8_t *data, size_t size, long n);

/* Each reports one "sample" event and counts it as received. */
void report_string(struct endpoint *e, const char *data);
void report_twist(struct endpoint *e, const struct twist *m);
void report_odometry(struct endpoint *e, const struct odometry *m);
void report_tf(struct endpoint *e, const struct transform *list, size_t n);
void report_scan(struct endpoint *e, const struct scan *m);
void report_range(struct endpoint *e, const struct range *m);
void report_image(struct endpoint *e, const struct image *m);
void report_compressed(struct endpoint *e, const struct compressed *m);
void report_camera_info(struct endpoint *e, const struct camera_info *m);
void report_blob(struct endpoint *e, const struct blob *m);

#ifdef __cplusplus
}
#endif
#endif
