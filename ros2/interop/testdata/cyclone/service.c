/* SPDX-License-Identifier: Apache-2.0 */

/* Services in rmw_cyclonedds's mapping: the identity is in the payload, and the
 * two endpoints of a server or client are paired by their USER_DATA. */

#include "service.h"

#include "participant.h"
#include "report.h"
#include "ros.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

typedef std_srvs_srv_dds__Trigger_Request_ trigger_request;
typedef std_srvs_srv_dds__Trigger_Response_ trigger_reply;
typedef rcl_interfaces_srv_dds__GetParameters_Request_ get_request;
typedef rcl_interfaces_srv_dds__GetParameters_Response_ get_reply;

static const dds_topic_descriptor_t *const descriptors[SERVICE_KIND_COUNT][2] = {
  {&std_srvs_srv_dds__Trigger_Request__desc, &std_srvs_srv_dds__Trigger_Response__desc},
  {&rcl_interfaces_srv_dds__GetParameters_Request__desc, &rcl_interfaces_srv_dds__GetParameters_Response__desc},
};

struct ends {
  dds_entity_t reader, writer;
  uint64_t client;
  int64_t calls;
};

static void answer_request(struct service *s, const void *sample)
{
  struct ends *x = s->impl;
  struct texts names = {0};
  struct answer a;
  if (s->kind == SERVICE_TRIGGER) {
    const trigger_request *request = sample;
    service_answer(s, &names, &a);
    trigger_reply reply = {request->client, request->sequence_number, a.success, a.message};
    check(dds_write(x->writer, &reply), "dds_write");
    return;
  }
  const get_request *request = sample;
  for (uint32_t i = 0; i < request->names._length; i++)
    add_text(&names, request->names._buffer[i]);
  service_answer(s, &names, &a);
  rcl_interfaces_msg_dds__ParameterValue_ values[MAX_TEXTS] = {0};
  for (size_t i = 0; i < a.values.n; i++) {
    values[i].type = 4;
    values[i].string_value = a.values.text[i];
  }
  uint32_t n = (uint32_t)a.values.n;
  get_reply reply = {request->client, request->sequence_number, {._maximum = n, ._length = n, ._buffer = values}};
  check(dds_write(x->writer, &reply), "dds_write");
}

static void take_reply(struct service *s, const void *sample)
{
  struct ends *x = s->impl;
  struct answer a = {0};
  if (s->kind == SERVICE_TRIGGER) {
    const trigger_reply *reply = sample;
    a.success = reply->success;
    snprintf(a.message, sizeof a.message, "%s", reply->message);
    if (reply->client == x->client)
      service_replied(s, (long)reply->sequence_number, &a);
    return;
  }
  const get_reply *reply = sample;
  for (uint32_t i = 0; i < reply->values._length; i++) {
    const rcl_interfaces_msg_dds__ParameterValue_ *v = &reply->values._buffer[i];
    struct value value = {v->type, v->bool_value, v->integer_value, v->double_value, v->string_value};
    add_value(&a.values, &value);
  }
  if (reply->client == x->client)
    service_replied(s, (long)reply->sequence_number, &a);
}

static void on_data(dds_entity_t reader, void *arg)
{
  struct service *s = arg;
  void *sample = NULL;
  dds_sample_info_t info;
  while (dds_take(reader, &sample, &info, 1, 1) == 1) {
    if (info.valid_data && s->server)
      answer_request(s, sample);
    else if (info.valid_data)
      take_reply(s, sample);
    dds_return_loan(reader, &sample, 1);
    sample = NULL;
  }
}

static void on_subscription_matched(dds_entity_t reader, const dds_subscription_matched_status_t status, void *arg)
{
  (void)reader;
  service_matched(arg, 0, status.current_count_change);
}

static void on_publication_matched(dds_entity_t writer, const dds_publication_matched_status_t status, void *arg)
{
  (void)writer;
  service_matched(arg, status.current_count_change, 0);
}

/* The USER_DATA: 16 numbers in hexadecimal between dots, only the first padded, with a space. */
static void pair_id(char *text, size_t size, const char *key)
{
  uint8_t id[16];
  if (getrandom(id, sizeof id, 0) != sizeof id)
    abort();
  int n = snprintf(text, size, "%s=%2x", key, id[0]);
  for (size_t i = 1; i < sizeof id; i++)
    n += snprintf(text + n, size - (size_t)n, ".%x", id[i]);
  snprintf(text + n, size - (size_t)n, ";");
}

static dds_entity_t make_topic(const struct service *s, bool reply)
{
  char name[160];
  snprintf(name, sizeof name, "%s/%s%s", reply ? "rr" : "rq", s->name, reply ? "Reply" : "Request");
  return dds_create_topic(participant, descriptors[s->kind][reply], name, NULL, NULL);
}

bool backend_service(struct service *s)
{
  struct ends *x = calloc(1, sizeof *x);
  s->impl = x;
  if (getrandom(&x->client, sizeof x->client, 0) != sizeof x->client)
    abort();
  char id[96];
  pair_id(id, sizeof id, s->server ? "serviceid" : "clientid");
  dds_qos_t *qos = dds_create_qos();
  dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
  dds_qset_history(qos, DDS_HISTORY_KEEP_ALL, DDS_LENGTH_UNLIMITED);
  dds_qset_userdata(qos, id, strlen(id));
  dds_listener_t *l = dds_create_listener(s);
  dds_lset_data_available(l, on_data);
  dds_lset_subscription_matched(l, on_subscription_matched);
  dds_lset_publication_matched(l, on_publication_matched);
  dds_entity_t request = make_topic(s, false), reply = make_topic(s, true);
  bool ok = check(request, "dds_create_topic") && check(reply, "dds_create_topic");
  if (ok) { /* the writer first: a request may come at once */
    x->writer = dds_create_writer(participant, s->server ? reply : request, qos, l);
    x->reader = dds_create_reader(participant, s->server ? request : reply, qos, l);
    ok = check(x->writer, "dds_create_writer") && check(x->reader, "dds_create_reader");
  }
  dds_delete_listener(l);
  dds_delete_qos(qos);
  return ok;
}

bool backend_call(struct service *s, const struct texts *names)
{
  struct ends *x = s->impl;
  int64_t number = ++x->calls;
  if (s->kind == SERVICE_TRIGGER) {
    trigger_request request = {.client = x->client, .sequence_number = number};
    return check(dds_write(x->writer, &request), "dds_write");
  }
  char *list[MAX_TEXTS];
  for (size_t i = 0; i < names->n; i++)
    list[i] = (char *)names->text[i];
  uint32_t n = (uint32_t)names->n;
  get_request request = {x->client, number, {._maximum = n, ._length = n, ._buffer = list}};
  return check(dds_write(x->writer, &request), "dds_write");
}
