// SPDX-License-Identifier: Apache-2.0

// Subscribes to weather_msgs/msg/Reading, decodes the first sample with Fast CDR as rmw_fastrtps does, prints it and
// ends. usage: peer DOMAIN TOPIC

#include "raw_type.hpp"

#include <fastcdr/Cdr.h>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/Topic.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

using namespace eprosima::fastdds::dds;
using eprosima::fastcdr::Cdr;
using eprosima::fastcdr::FastBuffer;
using eprosima::fastrtps::Duration_t;
using eprosima::fastrtps::types::ReturnCode_t;

static const char* const type_name = "weather_msgs::msg::dds_::Reading_";

static void print(Bytes& bytes)
{
    FastBuffer buffer(reinterpret_cast<char*>(bytes.data()), bytes.size());
    Cdr in(buffer, Cdr::DEFAULT_ENDIAN, Cdr::DDS_CDR);
    in.read_encapsulation();
    int32_t sec;
    uint32_t nanosec, count;
    std::string frame, station;
    double position[3];
    float wind[3];
    in >> sec >> nanosec >> frame;
    in.deserializeArray(position, 3);
    in >> station >> count;
    std::printf("%s %d %u %s %g %g %g %s", type_name, sec, nanosec, frame.c_str(), position[0], position[1], position[2], station.c_str());
    for (uint32_t i = 0; i < count; i++) {
        uint8_t kind;
        double value;
        in >> kind >> value;
        std::printf(" %u:%g", kind, value);
    }
    in.deserializeArray(wind, 3);
    std::printf(" %g %g %g\n", wind[0], wind[1], wind[2]);
}

int main(int argc, char** argv)
{
    if (argc != 3) {
        return 2;
    }
    DomainParticipantQos qos;
    qos.transport().use_builtin_transports = false;
    qos.transport().user_transports.push_back(std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>());
    auto* factory = DomainParticipantFactory::get_instance();
    DomainParticipant* participant = factory->create_participant(std::atoi(argv[1]), qos);
    TypeSupport type(new RawType(type_name));
    if (participant == nullptr || type.register_type(participant) != ReturnCode_t::RETCODE_OK) {
        return 1;
    }
    DataReaderQos reader_qos = DATAREADER_QOS_DEFAULT;
    reader_qos.reliability().kind = RELIABLE_RELIABILITY_QOS;
    reader_qos.endpoint().history_memory_policy = eprosima::fastrtps::rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    DataReader* reader = participant->create_subscriber(SUBSCRIBER_QOS_DEFAULT)
                             ->create_datareader(participant->create_topic(argv[2], type_name, TOPIC_QOS_DEFAULT), reader_qos);
    Bytes bytes;
    SampleInfo info;
    while (reader->wait_for_unread_message(Duration_t(30, 0))) {
        if (reader->take_next_sample(&bytes, &info) == ReturnCode_t::RETCODE_OK && info.valid_data) {
            print(bytes);
            std::fflush(stdout);
            std::_Exit(0); // the participant's end takes seconds
        }
    }
    std::fprintf(stderr, "no sample in 30 s\n");
    return 1;
}
