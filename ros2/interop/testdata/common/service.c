/* SPDX-License-Identifier: Apache-2.0 */

#include "service.h"

#include "report.h"

#include <stdio.h>
#include <string.h>

enum { MAX_SERVICES = 8 };

const char *const service_types[SERVICE_KIND_COUNT][2] = {
  {"std_srvs::srv::dds_::Trigger_Request_", "std_srvs::srv::dds_::Trigger_Response_"},
  {"rcl_interfaces::srv::dds_::GetParameters_Request_", "rcl_interfaces::srv::dds_::GetParameters_Response_"},
};

static const char *const kind_names[SERVICE_KIND_COUNT] = {"trigger", "get_parameters"};

static struct service services[MAX_SERVICES];
static int used;

void add_text(struct texts *list, const char *text)
{
  if (list->n < MAX_TEXTS)
    snprintf(list->text[list->n++], MAX_TEXT, "%s", text ? text : "");
}

void add_value(struct texts *list, const struct value *v)
{
  char text[MAX_TEXT];
  switch (v->type) {
  case 1:
    add_text(list, v->bool_value ? "true" : "false");
    break;
  case 2:
    snprintf(text, sizeof text, "%lld", (long long)v->integer_value);
    add_text(list, text);
    break;
  case 3:
    snprintf(text, sizeof text, "%.17g", v->double_value);
    add_text(list, text);
    break;
  case 4:
    add_text(list, v->string_value);
    break;
  default:
    snprintf(text, sizeof text, "type %u", v->type);
    add_text(list, text);
  }
}

static void member_texts(const char *name, const struct texts *list)
{
  member_open(name, '[');
  for (size_t i = 0; i < list->n; i++)
    member_string(NULL, list->text[i]);
  member_close(']');
}

/* A service is matched as often as both of its halves are. */
void service_matched(struct service *s, int change_of_readers, int change_of_writers)
{
  report_begin("matched");
  s->matched_readers += change_of_readers;
  s->matched_writers += change_of_writers;
  member_string("id", s->id);
  member_long("current", s->matched_readers < s->matched_writers ? s->matched_readers : s->matched_writers);
  report_end();
}

/* A Trigger succeeds; the value of every parameter is a string made of its name. */
void service_answer(const struct service *s, const struct texts *names, struct answer *a)
{
  *a = (struct answer){.success = true, .message = "triggered"};
  for (size_t i = 0; i < names->n; i++) {
    char text[MAX_TEXT];
    snprintf(text, sizeof text, "value of %.40s", names->text[i]);
    add_text(&a->values, text);
  }
  report_begin("request");
  member_string("id", s->id);
  member_texts("texts", names);
  report_end();
}

void service_replied(const struct service *s, long sequence, const struct answer *a)
{
  report_begin("reply");
  member_string("id", s->id);
  member_long("number", sequence);
  if (s->kind == SERVICE_TRIGGER) {
    member_bool("success", a->success);
    member_string("data", a->message);
  } else {
    member_texts("texts", &a->values);
  }
  report_end();
}

static bool create(const char *line, bool server)
{
  char kind[16];
  if (used == MAX_SERVICES) {
    report_error("too many services", line);
    return false;
  }
  struct service *s = &services[used];
  if (sscanf(line, "%*s %31s %15s %127s", s->id, kind, s->name) != 3) {
    report_error("malformed command", line);
    return false;
  }
  int k = 0;
  while (k < SERVICE_KIND_COUNT && strcmp(kind, kind_names[k]) != 0)
    k++;
  if (k == SERVICE_KIND_COUNT) {
    report_error("unknown kind of service", kind);
    return false;
  }
  s->kind = (enum service_kind)k;
  s->server = server;
  used++;
  return backend_service(s);
}

static bool call(const char *line)
{
  char id[32] = "", name[MAX_TEXT];
  int offset = 0, length;
  struct texts names = {0};
  sscanf(line, "%*s %31s%n", id, &offset);
  for (const char *p = line + offset; sscanf(p, "%63s%n", name, &length) == 1; p += length)
    add_text(&names, name);
  for (int i = 0; i < used; i++)
    if (strcmp(services[i].id, id) == 0 && !services[i].server)
      return backend_call(&services[i], &names);
  report_error("no such client", id);
  return false;
}

bool service_execute(const char *command, const char *line)
{
  return strcmp(command, "call") == 0 ? call(line) : create(line, strcmp(command, "server") == 0);
}
