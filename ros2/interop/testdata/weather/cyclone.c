/* SPDX-License-Identifier: Apache-2.0 */

/* Subscribes to weather_msgs/msg/Reading with the type that idlc made of weather.idl, prints the first sample and ends.
   usage: peer DOMAIN TOPIC */
#include <dds/dds.h>
#include <stdio.h>
#include <stdlib.h>

#include "weather.h"

static dds_entity_t must(dds_entity_t handle, const char *what) {
  if (handle < 0) {
    fprintf(stderr, "%s: %s\n", what, dds_strretcode(-handle));
    exit(1);
  }
  return handle;
}

static void print(const weather_msgs_msg_dds__Reading_ *m) {
  printf("%s %d %u %s %g %g %g %s", weather_msgs_msg_dds__Reading__desc.m_typename, m->header.stamp.sec, m->header.stamp.nanosec,
         m->header.frame_id, m->position.x, m->position.y, m->position.z, m->station);
  for (uint32_t i = 0; i < m->samples._length; i++) {
    printf(" %u:%g", m->samples._buffer[i].kind, m->samples._buffer[i].value);
  }
  printf(" %g %g %g\n", m->wind[0], m->wind[1], m->wind[2]);
}

int main(int argc, char **argv) {
  if (argc != 3) {
    return 2;
  }
  dds_entity_t participant = must(dds_create_participant((dds_domainid_t)atoi(argv[1]), NULL, NULL), "participant");
  dds_entity_t topic = must(dds_create_topic(participant, &weather_msgs_msg_dds__Reading__desc, argv[2], NULL, NULL), "topic");
  dds_qos_t *qos = dds_create_qos();
  dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
  dds_entity_t reader = must(dds_create_reader(participant, topic, qos, NULL), "reader");
  dds_delete_qos(qos);
  dds_entity_t condition = must(dds_create_readcondition(reader, DDS_ANY_STATE), "condition");
  dds_entity_t waitset = must(dds_create_waitset(participant), "waitset");
  must(dds_waitset_attach(waitset, condition, 0), "attach");
  for (;;) {
    void *samples[1] = {NULL};
    dds_sample_info_t info[1];
    if (dds_waitset_wait(waitset, NULL, 0, DDS_SECS(30)) <= 0) {
      fprintf(stderr, "no sample in 30 s\n");
      return 1;
    }
    if (dds_take(reader, samples, info, 1, 1) > 0 && info[0].valid_data) {
      print(samples[0]);
      must(dds_delete(participant), "end");
      return 0;
    }
  }
}
