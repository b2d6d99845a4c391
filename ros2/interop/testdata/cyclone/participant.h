/* SPDX-License-Identifier: Apache-2.0 */

/* What the parts of the backend share. */
#ifndef PARTICIPANT_H
#define PARTICIPANT_H

#include <dds/dds.h>

extern dds_entity_t participant;

/* check reports an "error" event if rc says so. */
bool check(dds_return_t rc, const char *what);

#endif
