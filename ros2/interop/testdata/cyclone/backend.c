/* SPDX-License-Identifier: Apache-2.0 */

/* The peer on Eclipse Cyclone DDS: one participant, one topic per endpoint. */

#include "convert.h"
#include "messages.h"
#include "report.h"
#include "participant.h"

#include <dds/dds.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dds_entity_t domain;
dds_entity_t participant;

struct entities {
  dds_entity_t topic, endpoint;
};

bool check(dds_return_t rc, const char *what)
{
  if (rc < 0)
    report_error(what, dds_strretcode(rc));
  return rc >= 0;
}

/* secure makes a configuration with the files of an enclave. */
static void secure(char *config, size_t size, const char *k)
{
  snprintf(config, size,
           "<Security>"
           "<Authentication><Library path=\"dds_security_auth\" initFunction=\"init_authentication\""
           " finalizeFunction=\"finalize_authentication\"/>"
           "<IdentityCA>file:%s/identity_ca.cert.pem</IdentityCA>"
           "<IdentityCertificate>file:%s/cert.pem</IdentityCertificate>"
           "<PrivateKey>file:%s/key.pem</PrivateKey></Authentication>"
           "<AccessControl><Library path=\"dds_security_ac\" initFunction=\"init_access_control\""
           " finalizeFunction=\"finalize_access_control\"/>"
           "<PermissionsCA>file:%s/permissions_ca.cert.pem</PermissionsCA>"
           "<Governance>file:%s/governance.p7s</Governance>"
           "<Permissions>file:%s/permissions.p7s</Permissions></AccessControl>"
           "<Cryptographic><Library path=\"dds_security_crypto\" initFunction=\"init_crypto\""
           " finalizeFunction=\"finalize_crypto\"/></Cryptographic>"
           "</Security>",
           k, k, k, k, k, k);
}

/*
 * ranged makes a configuration of the range in which participants are discovered, as rmw_cyclonedds_cpp does it: of
 * ROS_LOCALHOST_ONLY=1 in Humble, of ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST since Iron.
 */
static const char *ranged(const char *range)
{
  if (strcmp(range, "localhost only") == 0)
    return "<General><Interfaces><NetworkInterface address=\"127.0.0.1\"/></Interfaces></General>";
  if (strcmp(range, "localhost") == 0)
    return "<General><AllowMulticast>false</AllowMulticast></General>"
           "<Discovery><ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>32</MaxAutoParticipantIndex>"
           "<Peers><Peer address=\"localhost\"/></Peers></Discovery>";
  return "<General/>";
}

bool backend_open(const struct options *o)
{
  char config[8192] = "<General/>";
  const char *keys = getenv("PEER_KEYS");
  const char *range = getenv("PEER_RANGE");
  if (range)
    snprintf(config, sizeof config, "%s", ranged(range));
  else if (keys)
    secure(config, sizeof config, keys);
  else if (o->lease > 0)
    snprintf(config, sizeof config, "<Discovery><LeaseDuration>%gs</LeaseDuration></Discovery>", o->lease);
  domain = dds_create_domain(o->domain, config);
  if (!check(domain, "dds_create_domain"))
    return false;
  participant = dds_create_participant(o->domain, NULL, NULL);
  return check(participant, "dds_create_participant");
}

static void on_data(dds_entity_t reader, void *arg)
{
  struct endpoint *e = arg;
  void *sample = NULL;
  dds_sample_info_t info;
  while (dds_take(reader, &sample, &info, 1, 1) == 1) {
    if (info.valid_data)
      convert_report(e, sample);
    dds_return_loan(reader, &sample, 1);
    sample = NULL;
  }
}

static void on_sample_lost(dds_entity_t reader, const dds_sample_lost_status_t status, void *arg)
{
  (void)reader;
  report_lost(arg, status.total_count_change);
}

static void on_subscription_matched(dds_entity_t reader, const dds_subscription_matched_status_t status, void *arg)
{
  (void)reader;
  report_matched(arg, (int)status.current_count);
}

static void on_publication_matched(dds_entity_t writer, const dds_publication_matched_status_t status, void *arg)
{
  (void)writer;
  report_matched(arg, (int)status.current_count);
}

static void on_requested_incompatible(dds_entity_t r, const dds_requested_incompatible_qos_status_t status, void *arg)
{
  (void)r;
  report_incompatible(arg, (int)status.last_policy_id);
}

static void on_offered_incompatible(dds_entity_t w, const dds_offered_incompatible_qos_status_t status, void *arg)
{
  (void)w;
  report_incompatible(arg, (int)status.last_policy_id);
}

static dds_qos_t *make_qos(const struct endpoint *e)
{
  dds_qos_t *qos = dds_create_qos();
  dds_qset_reliability(qos, e->reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT, DDS_SECS(10));
  dds_qset_durability(qos, e->transient_local ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
  dds_qset_history(qos, e->depth ? DDS_HISTORY_KEEP_LAST : DDS_HISTORY_KEEP_ALL, e->depth);
  if (e->transient_local)
    dds_qset_durability_service(qos, 0, e->depth ? DDS_HISTORY_KEEP_LAST : DDS_HISTORY_KEEP_ALL, e->depth,
      DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED);
  return qos;
}

static dds_listener_t *make_listener(struct endpoint *e)
{
  dds_listener_t *l = dds_create_listener(e);
  if (e->writer) {
    dds_lset_publication_matched(l, on_publication_matched);
    dds_lset_offered_incompatible_qos(l, on_offered_incompatible);
  } else {
    dds_lset_data_available(l, on_data);
    dds_lset_sample_lost(l, on_sample_lost);
    dds_lset_subscription_matched(l, on_subscription_matched);
    dds_lset_requested_incompatible_qos(l, on_requested_incompatible);
  }
  return l;
}

bool backend_create(struct endpoint *e)
{
  struct entities *x = calloc(1, sizeof *x);
  e->impl = x;
  dds_qos_t *qos = make_qos(e);
  dds_listener_t *listener = make_listener(e);
  x->topic = dds_create_topic(participant, convert_descriptor(e->kind), e->topic, NULL, NULL);
  bool ok = check(x->topic, "dds_create_topic");
  if (ok) {
    x->endpoint = e->writer ? dds_create_writer(participant, x->topic, qos, listener)
                            : dds_create_reader(participant, x->topic, qos, listener);
    ok = check(x->endpoint, e->writer ? "dds_create_writer" : "dds_create_reader");
  }
  dds_delete_listener(listener);
  dds_delete_qos(qos);
  return ok;
}

bool backend_destroy(struct endpoint *e)
{
  struct entities *x = e->impl;
  bool ok = check(dds_delete(x->endpoint), "dds_delete");
  dds_delete(x->topic);
  free(x);
  return ok;
}

bool backend_write_numbered(struct endpoint *e, long number)
{
  struct entities *x = e->impl;
  void *sample = convert_numbered(e, number);
  if (!sample) {
    report_error("kind cannot be numbered", e->id);
    return false;
  }
  return check(dds_write(x->endpoint, sample), "dds_write");
}

bool backend_write_twist(struct endpoint *e, double v, double w)
{
  struct entities *x = e->impl;
  if (e->kind != KIND_TWIST) {
    report_error("not a twist writer", e->id);
    return false;
  }
  return check(dds_write(x->endpoint, convert_twist(v, w)), "dds_write");
}

bool backend_write_raw(struct endpoint *e, const uint8_t *cdr, size_t size)
{
  (void)cdr;
  (void)size;
  report_error("raw samples are not supported here", e->id);
  return false;
}

bool backend_wait_acked(struct endpoint *e)
{
  struct entities *x = e->impl;
  return check(dds_wait_for_acks(x->endpoint, DDS_SECS(60)), "dds_wait_for_acks");
}

void backend_close(void)
{
  dds_delete(participant);
  dds_delete(domain);
}
