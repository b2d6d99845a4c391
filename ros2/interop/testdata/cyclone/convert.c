/* SPDX-License-Identifier: Apache-2.0 */

#include "convert.h"

#include "messages.h"
#include "ros.h"

#include <stdio.h>
#include <stdlib.h>

const dds_topic_descriptor_t *convert_descriptor(enum kind kind)
{
  static const dds_topic_descriptor_t *const descriptors[KIND_COUNT] = {
    &std_msgs_msg_dds__String__desc,
    &geometry_msgs_msg_dds__Twist__desc,
    &nav_msgs_msg_dds__Odometry__desc,
    &tf2_msgs_msg_dds__TFMessage__desc,
    &sensor_msgs_msg_dds__LaserScan__desc,
    &sensor_msgs_msg_dds__Range__desc,
    &sensor_msgs_msg_dds__Image__desc,
    &interop_msg_dds__Blob__desc,
    &sensor_msgs_msg_dds__CompressedImage__desc,
    &sensor_msgs_msg_dds__CameraInfo__desc,
  };
  return descriptors[kind];
}

static struct header header_of(const std_msgs_msg_dds__Header_ *h)
{
  return (struct header){h->stamp.sec, h->stamp.nanosec, h->frame_id};
}

static struct twist twist_of(const geometry_msgs_msg_dds__Twist_ *t)
{
  return (struct twist){{t->linear.x, t->linear.y, t->linear.z}, {t->angular.x, t->angular.y, t->angular.z}};
}

static void report_odometry_sample(struct endpoint *e, const nav_msgs_msg_dds__Odometry_ *m)
{
  const geometry_msgs_msg_dds__Pose_ *p = &m->pose.pose;
  struct odometry o = {
    .header = header_of(&m->header),
    .child_frame_id = m->child_frame_id,
    .position = {p->position.x, p->position.y, p->position.z},
    .orientation = {p->orientation.x, p->orientation.y, p->orientation.z, p->orientation.w},
    .twist = twist_of(&m->twist.twist),
    .pose_covariance = m->pose.covariance,
    .twist_covariance = m->twist.covariance,
  };
  report_odometry(e, &o);
}

static void report_tf_sample(struct endpoint *e, const tf2_msgs_msg_dds__TFMessage_ *m)
{
  size_t n = m->transforms._length;
  struct transform *list = calloc(n + 1, sizeof *list);
  for (size_t i = 0; i < n; i++) {
    const geometry_msgs_msg_dds__TransformStamped_ *t = &m->transforms._buffer[i];
    const geometry_msgs_msg_dds__Vector3_ *p = &t->transform.translation;
    const geometry_msgs_msg_dds__Quaternion_ *q = &t->transform.rotation;
    list[i] = (struct transform){header_of(&t->header), t->child_frame_id, {p->x, p->y, p->z}, {q->x, q->y, q->z, q->w}};
  }
  report_tf(e, list, n);
  free(list);
}

static void report_scan_sample(struct endpoint *e, const sensor_msgs_msg_dds__LaserScan_ *m)
{
  struct scan s = {
    .header = header_of(&m->header),
    .angle_min = m->angle_min,
    .angle_max = m->angle_max,
    .angle_increment = m->angle_increment,
    .time_increment = m->time_increment,
    .scan_time = m->scan_time,
    .range_min = m->range_min,
    .range_max = m->range_max,
    .ranges = m->ranges._buffer,
    .intensities = m->intensities._buffer,
    .n_ranges = m->ranges._length,
    .n_intensities = m->intensities._length,
  };
  report_scan(e, &s);
}

static void report_range_sample(struct endpoint *e, const sensor_msgs_msg_dds__Range_ *m)
{
  struct range r = {header_of(&m->header), m->radiation_type, m->field_of_view, m->min_range, m->max_range, m->range};
  report_range(e, &r);
}

static void report_image_sample(struct endpoint *e, const sensor_msgs_msg_dds__Image_ *m)
{
  struct image i = {
    .header = header_of(&m->header),
    .height = m->height,
    .width = m->width,
    .step = m->step,
    .encoding = m->encoding,
    .is_bigendian = m->is_bigendian,
    .data = m->data._buffer,
    .size = m->data._length,
  };
  report_image(e, &i);
}

static void report_compressed_sample(struct endpoint *e, const sensor_msgs_msg_dds__CompressedImage_ *m)
{
  struct compressed c = {header_of(&m->header), m->format, m->data._buffer, m->data._length};
  report_compressed(e, &c);
}

static void report_camera_info_sample(struct endpoint *e, const sensor_msgs_msg_dds__CameraInfo_ *m)
{
  struct camera_info c = {
    .header = header_of(&m->header),
    .height = m->height,
    .width = m->width,
    .model = m->distortion_model,
    .d = m->d._buffer,
    .k = m->k,
    .r = m->r,
    .p = m->p,
    .n_d = m->d._length,
  };
  report_camera_info(e, &c);
}

static void report_blob_sample(struct endpoint *e, const interop_msg_dds__Blob_ *m)
{
  struct blob b = {m->number, m->data._buffer, m->data._length};
  report_blob(e, &b);
}

void convert_report(struct endpoint *e, const void *sample)
{
  switch (e->kind) {
  case KIND_STRING:
    report_string(e, ((const std_msgs_msg_dds__String_ *)sample)->data);
    break;
  case KIND_TWIST: {
    struct twist t = twist_of(sample);
    report_twist(e, &t);
    break;
  }
  case KIND_ODOMETRY:
    report_odometry_sample(e, sample);
    break;
  case KIND_TF:
    report_tf_sample(e, sample);
    break;
  case KIND_SCAN:
    report_scan_sample(e, sample);
    break;
  case KIND_RANGE:
    report_range_sample(e, sample);
    break;
  case KIND_IMAGE:
    report_image_sample(e, sample);
    break;
  case KIND_BLOB:
    report_blob_sample(e, sample);
    break;
  case KIND_COMPRESSED:
    report_compressed_sample(e, sample);
    break;
  case KIND_CAMERA_INFO:
    report_camera_info_sample(e, sample);
    break;
  case KIND_COUNT:
    break;
  }
}

static void *numbered_image(long number)
{
  static uint8_t data[IMAGE_SIZE];
  static char frame[] = "camera", encoding[] = "rgb8";
  static sensor_msgs_msg_dds__Image_ m;
  pattern_fill(data, sizeof data, number);
  m = (sensor_msgs_msg_dds__Image_){
    .header = {.stamp = {.sec = (int32_t)number, .nanosec = 0}, .frame_id = frame},
    .height = IMAGE_HEIGHT,
    .width = IMAGE_WIDTH,
    .encoding = encoding,
    .step = IMAGE_STEP,
    .data = {._maximum = IMAGE_SIZE, ._length = IMAGE_SIZE, ._buffer = data},
  };
  return &m;
}

static void *numbered_blob(long number, size_t size)
{
  static uint8_t data[BLOB_LIMIT];
  static interop_msg_dds__Blob_ m;
  uint32_t length = (uint32_t)(size - BLOB_OVERHEAD);
  pattern_fill(data, length, number);
  m = (interop_msg_dds__Blob_){
    .number = (uint32_t)number,
    .data = {._maximum = length, ._length = length, ._buffer = data},
  };
  return &m;
}

void *convert_numbered(const struct endpoint *e, long number)
{
  static char text[32];
  static std_msgs_msg_dds__String_ m = {.data = text};
  switch (e->kind) {
  case KIND_STRING:
    snprintf(text, sizeof text, "sample %ld", number);
    return &m;
  case KIND_IMAGE:
    return numbered_image(number);
  case KIND_BLOB:
    return numbered_blob(number, e->size);
  default:
    return NULL;
  }
}

void *convert_twist(double linear_x, double angular_z)
{
  static geometry_msgs_msg_dds__Twist_ m;
  m = (geometry_msgs_msg_dds__Twist_){.linear = {.x = linear_x}, .angular = {.z = angular_z}};
  return &m;
}
