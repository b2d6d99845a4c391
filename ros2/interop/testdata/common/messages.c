/* SPDX-License-Identifier: Apache-2.0 */

#include "messages.h"

#include "report.h"

static void begin_sample(struct endpoint *e)
{
  report_begin("sample");
  e->received++;
  member_string("id", e->id);
  member_long("n", e->received);
}

static void put_header(const struct header *h)
{
  member_long("sec", h->sec);
  member_long("nanosec", (long)h->nanosec);
  member_string("frame_id", h->frame_id);
}

static void put_twist(const struct twist *t)
{
  member_doubles("linear", t->linear, 3);
  member_doubles("angular", t->angular, 3);
}

void pattern_fill(uint8_t *data, size_t size, long n)
{
  for (size_t i = 0; i < size; i++)
    data[i] = pattern_byte(n, i);
}

void report_string(struct endpoint *e, const char *data)
{
  begin_sample(e);
  member_string("data", data);
  report_end();
}

void report_twist(struct endpoint *e, const struct twist *m)
{
  begin_sample(e);
  put_twist(m);
  report_end();
}

void report_odometry(struct endpoint *e, const struct odometry *m)
{
  begin_sample(e);
  put_header(&m->header);
  member_string("child_frame_id", m->child_frame_id);
  member_doubles("position", m->position, 3);
  member_doubles("orientation", m->orientation, 4);
  put_twist(&m->twist);
  member_doubles("pose_covariance", m->pose_covariance, 36);
  member_doubles("twist_covariance", m->twist_covariance, 36);
  report_end();
}

void report_tf(struct endpoint *e, const struct transform *list, size_t n)
{
  begin_sample(e);
  member_open("transforms", '[');
  for (size_t i = 0; i < n; i++) {
    member_open(NULL, '{');
    put_header(&list[i].header);
    member_string("child_frame_id", list[i].child_frame_id);
    member_doubles("translation", list[i].translation, 3);
    member_doubles("rotation", list[i].rotation, 4);
    member_close('}');
  }
  member_close(']');
  report_end();
}

void report_scan(struct endpoint *e, const struct scan *m)
{
  begin_sample(e);
  put_header(&m->header);
  member_double("angle_min", (double)m->angle_min);
  member_double("angle_max", (double)m->angle_max);
  member_double("angle_increment", (double)m->angle_increment);
  member_double("time_increment", (double)m->time_increment);
  member_double("scan_time", (double)m->scan_time);
  member_double("range_min", (double)m->range_min);
  member_double("range_max", (double)m->range_max);
  member_floats("ranges", m->ranges, m->n_ranges);
  member_floats("intensities", m->intensities, m->n_intensities);
  report_end();
}

void report_range(struct endpoint *e, const struct range *m)
{
  begin_sample(e);
  put_header(&m->header);
  member_long("radiation_type", m->radiation_type);
  member_double("field_of_view", (double)m->field_of_view);
  member_double("range_min", (double)m->min_range);
  member_double("range_max", (double)m->max_range);
  member_double("range", (double)m->range);
  report_end();
}

static long count_wrong(const uint8_t *data, size_t size, long n)
{
  long wrong = 0;
  for (size_t i = 0; i < size; i++)
    wrong += data[i] != pattern_byte(n, i);
  return wrong;
}

/* FNV-1a of 32 bits: tells one content from another. */
static long sum_of(const uint8_t *data, size_t size)
{
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < size; i++)
    h = (h ^ data[i]) * 16777619u;
  return (long)h;
}

/* The content is compared here, against the pattern of the number in the stamp:
 * "wrong" counts the bytes that differ; of other images "sum" tells the content. */
void report_image(struct endpoint *e, const struct image *m)
{
  long wrong = count_wrong(m->data, m->size, m->header.sec), sum = sum_of(m->data, m->size);
  begin_sample(e);
  put_header(&m->header);
  member_long("height", (long)m->height);
  member_long("width", (long)m->width);
  member_long("step", (long)m->step);
  member_string("encoding", m->encoding);
  member_long("is_bigendian", m->is_bigendian);
  member_long("size", (long)m->size);
  member_long("wrong", wrong);
  member_long("sum", sum);
  report_end();
}

void report_compressed(struct endpoint *e, const struct compressed *m)
{
  long sum = sum_of(m->data, m->size);
  begin_sample(e);
  put_header(&m->header);
  member_string("format", m->format);
  member_long("size", (long)m->size);
  member_long("sum", sum);
  report_end();
}

void report_camera_info(struct endpoint *e, const struct camera_info *m)
{
  begin_sample(e);
  put_header(&m->header);
  member_long("height", (long)m->height);
  member_long("width", (long)m->width);
  member_string("model", m->model);
  member_doubles("d", m->d, m->n_d);
  member_doubles("k", m->k, 9);
  member_doubles("r", m->r, 9);
  member_doubles("p", m->p, 12);
  report_end();
}

void report_blob(struct endpoint *e, const struct blob *m)
{
  long wrong = count_wrong(m->data, m->size, (long)m->number);
  begin_sample(e);
  member_long("number", (long)m->number);
  member_long("size", (long)m->size);
  member_long("wrong", wrong);
  report_end();
}
