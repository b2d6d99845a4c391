// SPDX-License-Identifier: Apache-2.0

// The peer on eProsima Fast DDS: one participant on the UDPv4 transport alone,
// since the shared memory of different Fast DDS versions on one host clashes.

#include "decode.hpp"
#include "listeners.hpp"
#include "messages.h"
#include "participant.hpp"
#include "report.h"

#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/Topic.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastrtps/utils/IPLocator.h>

#include <cstdlib>
#include <memory>
#include <string>

using namespace eprosima::fastdds::dds;
using eprosima::fastdds::rtps::UDPv4TransportDescriptor;
using eprosima::fastrtps::Duration_t;
using eprosima::fastrtps::types::ReturnCode_t;

DomainParticipant* participant;
Publisher* publisher;
Subscriber* subscriber;

bool check(bool ok, const char* what)
{
    if (!ok) {
        report_error(what, "failed");
    }
    return ok;
}

namespace {

struct Entities
{
    explicit Entities(struct endpoint* e) : reader_events(e), writer_events(e) {}

    Topic* topic = nullptr;
    DataReader* reader = nullptr;
    DataWriter* writer = nullptr;
    ReaderEvents reader_events;
    WriterEvents writer_events;
};

// Readers and writers have QoS classes of their own with the same members.
template<typename Qos>
void set_qos(Qos& qos, const struct endpoint* e)
{
    qos.reliability().kind = e->reliable ? RELIABLE_RELIABILITY_QOS : BEST_EFFORT_RELIABILITY_QOS;
    qos.reliability().max_blocking_time = Duration_t(10, 0);
    qos.durability().kind = e->transient_local ? TRANSIENT_LOCAL_DURABILITY_QOS : VOLATILE_DURABILITY_QOS;
    qos.history().kind = e->depth ? KEEP_LAST_HISTORY_QOS : KEEP_ALL_HISTORY_QOS;
    if (e->depth) {
        qos.history().depth = e->depth;
    }
    qos.endpoint().history_memory_policy = eprosima::fastrtps::rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    qos.data_sharing().off();
}

Entities* entities(struct endpoint* e)
{
    return static_cast<Entities*>(e->impl);
}

} // namespace

// secure sets the plugins of DDS Security, with the files of an enclave.
static void secure(DomainParticipantQos& qos, const std::string& folder)
{
    auto& list = qos.properties().properties();
    list.emplace_back("dds.sec.auth.plugin", "builtin.PKI-DH");
    list.emplace_back("dds.sec.auth.builtin.PKI-DH.identity_ca", folder + "identity_ca.cert.pem");
    list.emplace_back("dds.sec.auth.builtin.PKI-DH.identity_certificate", folder + "cert.pem");
    list.emplace_back("dds.sec.auth.builtin.PKI-DH.private_key", folder + "key.pem");
    list.emplace_back("dds.sec.access.plugin", "builtin.Access-Permissions");
    list.emplace_back("dds.sec.access.builtin.Access-Permissions.permissions_ca", folder + "permissions_ca.cert.pem");
    list.emplace_back("dds.sec.access.builtin.Access-Permissions.governance", folder + "governance.p7s");
    list.emplace_back("dds.sec.access.builtin.Access-Permissions.permissions", folder + "permissions.p7s");
    list.emplace_back("dds.sec.crypto.plugin", "builtin.AES-GCM-GMAC");
}

// set_range sets the range in which participants are discovered, as rmw_fastrtps_cpp does it: of ROS_LOCALHOST_ONLY=1 in
// Humble, of ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST since Iron.
static void set_range(DomainParticipantQos& qos, UDPv4TransportDescriptor& transport, const std::string& range)
{
    if (range == "localhost only") {
        transport.interfaceWhiteList.emplace_back("127.0.0.1");
    } else if (range == "localhost") {
        auto& builtin = qos.wire_protocol().builtin;
        eprosima::fastrtps::rtps::Locator_t any;
        builtin.metatrafficMulticastLocatorList.clear();
        builtin.metatrafficUnicastLocatorList.push_back(any);
        eprosima::fastrtps::rtps::Locator_t loopback;
        eprosima::fastrtps::rtps::IPLocator::setIPv4(loopback, "127.0.0.1");
        builtin.initialPeersList.push_back(loopback);
        transport.maxInitialPeersRange = 32;
    }
}

bool backend_open(const struct options* o)
{
    DomainParticipantQos qos;
    qos.name("peer");
    qos.transport().use_builtin_transports = false;
    auto transport = std::make_shared<UDPv4TransportDescriptor>();
    qos.transport().user_transports.push_back(transport);
    if (const char* range = std::getenv("PEER_RANGE")) {
        set_range(qos, *transport, range);
    }
    if (o->lease > 0) {
        auto& discovery = qos.wire_protocol().builtin.discovery_config;
        discovery.leaseDuration = Duration_t(o->lease);
        discovery.leaseDuration_announcementperiod = Duration_t(o->lease / 4);
    }
    if (const char* keys = std::getenv("PEER_KEYS")) {
        secure(qos, std::string("file://") + keys + "/");
    }
    participant = DomainParticipantFactory::get_instance()->create_participant(o->domain, qos);
    if (!check(participant != nullptr, "create_participant")) {
        return false;
    }
    publisher = participant->create_publisher(PUBLISHER_QOS_DEFAULT);
    subscriber = participant->create_subscriber(SUBSCRIBER_QOS_DEFAULT);
    return check(publisher && subscriber, "create_publisher, create_subscriber");
}

bool backend_create(struct endpoint* e)
{
    auto* x = new Entities(e);
    e->impl = x;
    TypeSupport type(new RawType(type_names[e->kind]));
    if (!check(type.register_type(participant) == ReturnCode_t::RETCODE_OK, "register_type")) {
        return false;
    }
    // A participant has one topic of a name; a second endpoint shares it.
    x->topic = participant->find_topic(e->topic, Duration_t(0, 0));
    if (!x->topic) {
        x->topic = participant->create_topic(e->topic, type.get_type_name(), TOPIC_QOS_DEFAULT);
    }
    if (!check(x->topic != nullptr, "create_topic")) {
        return false;
    }
    if (e->writer) {
        DataWriterQos qos = DATAWRITER_QOS_DEFAULT;
        set_qos(qos, e);
        x->writer = publisher->create_datawriter(x->topic, qos, &x->writer_events);
        return check(x->writer != nullptr, "create_datawriter");
    }
    DataReaderQos qos = DATAREADER_QOS_DEFAULT;
    set_qos(qos, e);
    x->reader = subscriber->create_datareader(x->topic, qos, &x->reader_events);
    return check(x->reader != nullptr, "create_datareader");
}

bool backend_destroy(struct endpoint* e)
{
    Entities* x = entities(e);
    bool ok = e->writer ? publisher->delete_datawriter(x->writer) == ReturnCode_t::RETCODE_OK
                        : subscriber->delete_datareader(x->reader) == ReturnCode_t::RETCODE_OK;
    participant->delete_topic(x->topic);
    delete x;
    return check(ok, "delete endpoint");
}

bool backend_write_raw(struct endpoint* e, const uint8_t* cdr, size_t size)
{
    Bytes bytes(cdr, cdr + size);
    return check(e->writer && entities(e)->writer->write(&bytes), "write");
}

bool backend_write_numbered(struct endpoint* e, long number)
{
    Bytes bytes = encode_numbered(e, number);
    return check(!bytes.empty(), "kind cannot be numbered") && backend_write_raw(e, bytes.data(), bytes.size());
}

bool backend_write_twist(struct endpoint* e, double v, double w)
{
    Bytes bytes = encode_twist(v, w);
    return check(e->kind == KIND_TWIST, "not a twist writer") && backend_write_raw(e, bytes.data(), bytes.size());
}

bool backend_wait_acked(struct endpoint* e)
{
    return check(e->writer && entities(e)->writer->wait_for_acknowledgments(Duration_t(60, 0)) == ReturnCode_t::RETCODE_OK,
                   "wait_for_acknowledgments");
}

void backend_close(void)
{
    participant->delete_contained_entities();
    DomainParticipantFactory::get_instance()->delete_participant(participant);
}
