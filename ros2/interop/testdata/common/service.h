/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Services and clients of a peer. What is asked and answered is here; how a
 * request is tied to its reply is the backend's: rmw_cyclonedds's mapping in
 * cyclone/, rmw_fastrtps's in fastdds/.
 */
#ifndef SERVICE_H
#define SERVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* std_srvs/srv/Trigger and rcl_interfaces/srv/GetParameters. */
enum service_kind { SERVICE_TRIGGER, SERVICE_GET_PARAMETERS, SERVICE_KIND_COUNT };

enum { MAX_TEXTS = 8, MAX_TEXT = 64 };

/* The names of a request for parameters, or their values. */
struct texts {
  size_t n;
  char text[MAX_TEXTS][MAX_TEXT];
};

/* A reply: the members of Trigger, or the values of GetParameters as text. */
struct answer {
  bool success;
  char message[MAX_TEXT];
  struct texts values;
};

/* rcl_interfaces/msg/ParameterValue, as far as the tests go. */
struct value {
  uint8_t type; /* 1 bool, 2 integer, 3 double, 4 string */
  bool bool_value;
  int64_t integer_value;
  double double_value;
  const char *string_value;
};

/* One server or client. */
struct service {
  char id[32];
  char name[128]; /* full ROS name without the first slash */
  enum service_kind kind;
  bool server;
  int matched_readers, matched_writers; /* counterparts; guarded by report_lock */
  void *impl;                           /* the backend's */
};

/* DDS type names of the request [0] and the reply [1] of each kind. */
extern const char *const service_types[SERVICE_KIND_COUNT][2];

/* The backend's part. Functions that return false have reported an "error". */
bool backend_service(struct service *s);
bool backend_call(struct service *s, const struct texts *names);

/* What the backend tells. service_answer fills in what the server replies. */
void service_matched(struct service *s, int change_of_readers, int change_of_writers);
void service_answer(const struct service *s, const struct texts *names, struct answer *a);
void service_replied(const struct service *s, long sequence, const struct answer *a);
void add_text(struct texts *list, const char *text);
void add_value(struct texts *list, const struct value *v);

/* Carries out the commands "server", "client" and "call". */
bool service_execute(const char *command, const char *line);

#ifdef __cplusplus
}
#endif
#endif
