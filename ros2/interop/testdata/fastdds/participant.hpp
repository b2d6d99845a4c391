// SPDX-License-Identifier: Apache-2.0

// What the parts of the backend share.
#ifndef PARTICIPANT_HPP
#define PARTICIPANT_HPP

#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>

extern eprosima::fastdds::dds::DomainParticipant* participant;
extern eprosima::fastdds::dds::Publisher* publisher;
extern eprosima::fastdds::dds::Subscriber* subscriber;

// check reports an "error" event unless ok.
bool check(bool ok, const char* what);

#endif
