/* SPDX-License-Identifier: Apache-2.0 */

/* Between the types idlc generates from ros.idl and the values of messages.h. */
#ifndef CONVERT_H
#define CONVERT_H

#include "peer.h"

#include <dds/dds.h>

const dds_topic_descriptor_t *convert_descriptor(enum kind kind);

/* convert_report reports a sample of the endpoint's kind. */
void convert_report(struct endpoint *e, const void *sample);

/* Both return a sample to write that stays valid until the next call;
 * convert_numbered returns NULL for a kind that has no numbered form. */
void *convert_numbered(const struct endpoint *e, long number);
void *convert_twist(double linear_x, double angular_z);

#endif
