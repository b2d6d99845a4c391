// SPDX-License-Identifier: Apache-2.0

#include "perf.h"

#include "raw_type.hpp"

#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/Topic.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>

using namespace eprosima::fastdds::dds;
using eprosima::fastdds::rtps::UDPv4TransportDescriptor;
using eprosima::fastrtps::Duration_t;
using eprosima::fastrtps::types::ReturnCode_t;

struct participant
{
    DomainParticipant* dds;
    Publisher* publisher;
    Subscriber* subscriber;
    TypeSupport type;
};

struct endpoint : DataReaderListener
{
    DataWriter* writer = nullptr;
    DataReader* reader = nullptr;
    void (*on_sample)(const uint8_t* data, size_t size) = nullptr;
    Bytes bytes;

    void on_data_available(DataReader* r) override
    {
        SampleInfo info;
        while (r->take_next_sample(&bytes, &info) == ReturnCode_t::RETCODE_OK) {
            if (info.valid_data && on_sample && bytes.size() >= 8) {
                on_sample(bytes.data() + 8, bytes.size() - 8);
            }
        }
    }
};

static void must(bool ok, const char* what)
{
    if (!ok) {
        std::cerr << what << " failed" << std::endl;
        std::exit(1);
    }
}

struct participant* perf_participant(uint32_t domain)
{
    DomainParticipantQos qos;
    qos.transport().use_builtin_transports = false; // no shared memory: what is compared is the network
    auto udp = std::make_shared<UDPv4TransportDescriptor>();
    udp->sendBufferSize = udp->receiveBufferSize = 1 << 20;
    qos.transport().user_transports.push_back(udp);
    auto* p = new participant{};
    p->dds = DomainParticipantFactory::get_instance()->create_participant(domain, qos);
    must(p->dds, "participant");
    p->publisher = p->dds->create_publisher(PUBLISHER_QOS_DEFAULT);
    p->subscriber = p->dds->create_subscriber(SUBSCRIBER_QOS_DEFAULT);
    p->type = TypeSupport(new RawType("perf::Blob"));
    must(p->type.register_type(p->dds) == ReturnCode_t::RETCODE_OK, "type");
    return p;
}

template<typename Qos>
static void set_qos(Qos& qos, bool keep_all)
{
    qos.reliability().kind = RELIABLE_RELIABILITY_QOS;
    qos.reliability().max_blocking_time = Duration_t(10, 0);
    qos.durability().kind = VOLATILE_DURABILITY_QOS;
    qos.history().kind = keep_all ? KEEP_ALL_HISTORY_QOS : KEEP_LAST_HISTORY_QOS;
    qos.history().depth = 1;
    qos.endpoint().history_memory_policy = eprosima::fastrtps::rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    qos.data_sharing().off();
}

struct endpoint* perf_writer(struct participant* p, const char* topic, bool keep_all)
{
    auto* e = new endpoint;
    DataWriterQos qos = DATAWRITER_QOS_DEFAULT;
    set_qos(qos, keep_all);
    // By default it asks for acknowledgements every three seconds, and a full history waits that long.
    qos.reliable_writer_qos().times.heartbeatPeriod = Duration_t(0, 10000000);
    qos.publish_mode().kind = SYNCHRONOUS_PUBLISH_MODE;
    e->writer = p->publisher->create_datawriter(p->dds->create_topic(topic, p->type.get_type_name(), TOPIC_QOS_DEFAULT), qos);
    must(e->writer, "writer");
    return e;
}

struct endpoint* perf_reader(struct participant* p, const char* topic, void (*on_sample)(const uint8_t* data, size_t size))
{
    auto* e = new endpoint;
    e->on_sample = on_sample;
    DataReaderQos qos = DATAREADER_QOS_DEFAULT;
    set_qos(qos, true);
    e->reader = p->subscriber->create_datareader(p->dds->create_topic(topic, p->type.get_type_name(), TOPIC_QOS_DEFAULT), qos, e);
    must(e->reader, "reader");
    return e;
}

bool perf_write(struct endpoint* w, const uint8_t* data, size_t size)
{
    w->bytes.assign({0, 1, 0, 0});
    const uint32_t length = static_cast<uint32_t>(size);
    w->bytes.resize(8 + size);
    std::memcpy(w->bytes.data() + 4, &length, 4);
    std::memcpy(w->bytes.data() + 8, data, size);
    return w->writer->write(&w->bytes);
}

void perf_pack() {} // it has no such thing

void perf_flush(struct endpoint*) {}

void perf_acknowledged(struct endpoint* w)
{
    w->writer->wait_for_acknowledgments(Duration_t(5, 0));
}

int perf_matched(struct endpoint* e)
{
    if (e->writer) {
        PublicationMatchedStatus status;
        e->writer->get_publication_matched_status(status);
        return status.current_count;
    }
    SubscriptionMatchedStatus status;
    e->reader->get_subscription_matched_status(status);
    return status.current_count;
}
