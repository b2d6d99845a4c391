/* SPDX-License-Identifier: Apache-2.0 */

/*
 * peer DOMAIN [LEASE]
 *
 * Commands on standard input, one a line; each is answered by a "done" or an
 * "error" event when it has been carried out:
 *
 *   reader ID KIND TOPIC RELIABILITY DURABILITY DEPTH
 *   writer ID KIND TOPIC RELIABILITY DURABILITY DEPTH
 *       KIND string|twist|odometry|tf|scan|range|image|blob|compressed|camera_info, TOPIC the DDS topic name,
 *       RELIABILITY best_effort|reliable, DURABILITY volatile|transient_local,
 *       DEPTH of KEEP_LAST, 0 for KEEP_ALL
 *   write ID COUNT [SIZE] the next COUNT numbered samples (messages.h), blobs of SIZE bytes
 *   twist ID V W          linear.x in m/s, angular.z in rad/s
 *   raw ID HEX            a sample as CDR bytes with encapsulation header
 *   acked ID              done when every matched reliable reader has all
 *   stats ID              a "stats" event
 *   close ID
 *   server ID KIND NAME   answers; KIND trigger|get_parameters (service.h), NAME without the first slash
 *   client ID KIND NAME
 *   call ID [NAME...]     a request, of the parameters with these names; a "reply" event tells the answer
 *   quit                  leave the domain in an orderly way, as does end of file
 */
#include "messages.h"
#include "report.h"
#include "service.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ENDPOINTS = 64, MAX_LINE = 16384 };

const char *const type_names[KIND_COUNT] = {
  "std_msgs::msg::dds_::String_",
  "geometry_msgs::msg::dds_::Twist_",
  "nav_msgs::msg::dds_::Odometry_",
  "tf2_msgs::msg::dds_::TFMessage_",
  "sensor_msgs::msg::dds_::LaserScan_",
  "sensor_msgs::msg::dds_::Range_",
  "sensor_msgs::msg::dds_::Image_",
  "interop::msg::dds_::Blob_",
  "sensor_msgs::msg::dds_::CompressedImage_",
  "sensor_msgs::msg::dds_::CameraInfo_",
};

static const char *const kind_names[KIND_COUNT] = {
  "string", "twist", "odometry", "tf", "scan", "range", "image", "blob", "compressed", "camera_info",
};

static struct endpoint endpoints[MAX_ENDPOINTS];

static struct endpoint *find(const char *id)
{
  for (int i = 0; i < MAX_ENDPOINTS; i++)
    if (endpoints[i].impl && strcmp(endpoints[i].id, id) == 0)
      return &endpoints[i];
  report_error("no such endpoint", id);
  return NULL;
}

/* A slot is never used twice: a late event of a closed endpoint may still count in it. */
static struct endpoint *allocate(void)
{
  static int used;
  return used < MAX_ENDPOINTS ? &endpoints[used++] : NULL;
}

static bool create(const char *line, bool writer)
{
  char kind[16], reliability[16], durability[20];
  struct endpoint *e = allocate();
  if (!e) {
    report_error("too many endpoints", line);
    return false;
  }
  if (sscanf(line, "%*s %31s %15s %191s %15s %19s %d", e->id, kind, e->topic, reliability, durability, &e->depth) != 6) {
    report_error("malformed command", line);
    return false;
  }
  int k = 0;
  while (k < KIND_COUNT && strcmp(kind, kind_names[k]) != 0)
    k++;
  if (k == KIND_COUNT) {
    report_error("unknown kind", kind);
    return false;
  }
  e->kind = (enum kind)k;
  e->writer = writer;
  e->reliable = strcmp(reliability, "reliable") == 0;
  e->transient_local = strcmp(durability, "transient_local") == 0;
  return backend_create(e);
}

static bool write_count(const char *line, struct endpoint *e)
{
  long count;
  if (sscanf(line, "%*s %*s %ld %zu", &count, &e->size) < (e->kind == KIND_BLOB ? 2 : 1) ||
      (e->kind == KIND_BLOB && (e->size < BLOB_OVERHEAD || e->size > BLOB_LIMIT))) {
    report_error("malformed command", line);
    return false;
  }
  for (; count > 0; count--)
    if (!backend_write_numbered(e, ++e->written))
      return false;
  return true;
}

static bool write_twist(const char *line, struct endpoint *e)
{
  double v, w;
  if (sscanf(line, "%*s %*s %lf %lf", &v, &w) != 2) {
    report_error("malformed command", line);
    return false;
  }
  e->written++;
  return backend_write_twist(e, v, w);
}

static bool write_raw(const char *line, struct endpoint *e)
{
  static uint8_t bytes[MAX_LINE / 2];
  int offset = 0;
  size_t n = 0;
  unsigned byte;
  sscanf(line, "%*s %*s %n", &offset);
  for (const char *p = line + offset; sscanf(p, "%2x", &byte) == 1; p += 2)
    bytes[n++] = (uint8_t)byte;
  e->written++;
  return backend_write_raw(e, bytes, n);
}

/* Carries out one command on an existing endpoint. */
static bool operate(const char *command, const char *line, struct endpoint *e)
{
  if (strcmp(command, "write") == 0)
    return write_count(line, e);
  if (strcmp(command, "twist") == 0)
    return write_twist(line, e);
  if (strcmp(command, "raw") == 0)
    return write_raw(line, e);
  if (strcmp(command, "acked") == 0)
    return backend_wait_acked(e);
  if (strcmp(command, "stats") == 0) {
    report_stats(e);
    return true;
  }
  if (strcmp(command, "close") == 0) {
    bool ok = backend_destroy(e);
    e->impl = NULL;
    return ok;
  }
  report_error("unknown command", line);
  return false;
}

static void execute(const char *line)
{
  char command[16] = "", id[32] = "";
  sscanf(line, "%15s %31s", command, id);
  bool ok;
  if (strcmp(command, "reader") == 0 || strcmp(command, "writer") == 0) {
    ok = create(line, command[0] == 'w');
  } else if (strcmp(command, "server") == 0 || strcmp(command, "client") == 0 || strcmp(command, "call") == 0) {
    ok = service_execute(command, line);
  } else {
    struct endpoint *e = find(id);
    ok = e && operate(command, line, e);
  }
  if (ok)
    report_done(command, id);
}

int main(int argc, char **argv)
{
  static char line[MAX_LINE];
  struct options options = {0};
  if (argc < 2 || argc > 3) {
    fprintf(stderr, "usage: %s DOMAIN [LEASE]\n", argv[0]);
    return 2;
  }
  options.domain = (uint32_t)strtoul(argv[1], NULL, 10);
  options.lease = argc > 2 ? strtod(argv[2], NULL) : 0;
  if (!backend_open(&options))
    return 1;
  report_done("open", "");
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (strcmp(line, "quit") == 0)
      break;
    execute(line);
  }
  backend_close();
  report_done("quit", "");
  return 0;
}
