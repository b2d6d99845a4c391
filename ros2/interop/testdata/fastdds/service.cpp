// SPDX-License-Identifier: Apache-2.0

// Services in rmw_fastrtps's mapping: the payload is that of the message, the
// identity travels beside it as the related sample identity.

#include "service.h"

#include "decode.hpp"
#include "participant.hpp"
#include "report.h"

#include <fastcdr/Cdr.h>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/DataWriterListener.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/topic/Topic.hpp>

#include <string>

using namespace eprosima::fastdds::dds;
using eprosima::fastcdr::Cdr;
using eprosima::fastrtps::rtps::GUID_t;
using eprosima::fastrtps::rtps::SampleIdentity;
using eprosima::fastrtps::rtps::SequenceNumber_t;
using eprosima::fastrtps::rtps::WriteParams;
using eprosima::fastrtps::types::ReturnCode_t;

namespace {

// Names of parameters, as sequence<string>.
struct texts read_texts(Cdr& in)
{
    std::vector<std::string> list;
    in >> list;
    struct texts out = {};
    for (const auto& text : list) {
        add_text(&out, text.c_str());
    }
    return out;
}

void write_values(Cdr& out, const struct texts& values)
{
    out << static_cast<uint32_t>(values.n);
    for (size_t i = 0; i < values.n; i++) {
        out << uint8_t(4) << false << int64_t(0) << 0.0 << std::string(values.text[i]);
        out << std::vector<uint8_t>() << std::vector<bool>() << std::vector<int64_t>() << std::vector<double>()
            << std::vector<std::string>();
    }
}

struct texts read_values(Cdr& in)
{
    struct texts out = {};
    uint32_t n;
    in >> n;
    for (uint32_t i = 0; i < n; i++) {
        struct value v = {};
        std::string text;
        std::vector<uint8_t> bytes;
        std::vector<bool> bools;
        std::vector<int64_t> integers;
        std::vector<double> doubles;
        std::vector<std::string> strings;
        in >> v.type >> v.bool_value >> v.integer_value >> v.double_value >> text;
        in >> bytes >> bools >> integers >> doubles >> strings;
        v.string_value = text.c_str();
        add_value(&out, &v);
    }
    return out;
}

class Ends : public DataReaderListener, public DataWriterListener
{
public:
    explicit Ends(struct service* s) : service_(s) {}

    bool open();
    bool call(const struct texts& names);

    void on_data_available(DataReader* reader) override;

    void on_subscription_matched(DataReader*, const SubscriptionMatchedStatus& status) override
    {
        service_matched(service_, 0, status.current_count_change);
    }

    void on_publication_matched(DataWriter*, const PublicationMatchedStatus& status) override
    {
        service_matched(service_, status.current_count_change, 0);
    }

private:
    Topic* topic(bool reply);
    void request(Cdr& in, const SampleInfo& info);
    void reply(Cdr& in, const SampleInfo& info);

    struct service* service_;
    DataWriter* writer_ = nullptr;
    DataReader* reader_ = nullptr;
};

Topic* Ends::topic(bool reply)
{
    TypeSupport type(new RawType(service_types[service_->kind][reply]));
    type.register_type(participant);
    std::string name = (reply ? "rr/" : "rq/") + std::string(service_->name) + (reply ? "Reply" : "Request");
    return participant->create_topic(name, type.get_type_name(), TOPIC_QOS_DEFAULT);
}

template<typename Qos>
Qos service_qos(Qos qos)
{
    qos.reliability().kind = RELIABLE_RELIABILITY_QOS;
    qos.durability().kind = VOLATILE_DURABILITY_QOS;
    qos.history().kind = KEEP_ALL_HISTORY_QOS;
    qos.endpoint().history_memory_policy = eprosima::fastrtps::rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    qos.data_sharing().off();
    return qos;
}

bool Ends::open()
{
    Topic* requests = topic(false);
    Topic* replies = topic(true);
    if (!check(requests && replies, "create_topic")) {
        return false;
    }
    // The writer first: a request may come at once.
    writer_ = publisher->create_datawriter(service_->server ? replies : requests, service_qos(DATAWRITER_QOS_DEFAULT), this);
    reader_ = subscriber->create_datareader(service_->server ? requests : replies, service_qos(DATAREADER_QOS_DEFAULT), this);
    return check(writer_ && reader_, "create_datawriter, create_datareader");
}

// A request carries the GUID of the reader that waits for the reply.
bool Ends::call(const struct texts& names)
{
    Bytes bytes = encode(1024, [&](Cdr& out) {
        if (service_->kind == SERVICE_TRIGGER) {
            out << uint8_t(0);
            return;
        }
        out << static_cast<uint32_t>(names.n);
        for (size_t i = 0; i < names.n; i++) {
            out << std::string(names.text[i]);
        }
    });
    WriteParams params;
    params.related_sample_identity().writer_guid() = reader_->guid();
    return check(writer_->write(&bytes, params), "write");
}

void Ends::on_data_available(DataReader* reader)
{
    Bytes cdr;
    SampleInfo info;
    while (reader->take_next_sample(&cdr, &info) == ReturnCode_t::RETCODE_OK) {
        if (!info.valid_data) {
            continue;
        }
        try {
            eprosima::fastcdr::FastBuffer buffer(reinterpret_cast<char*>(cdr.data()), cdr.size());
            Cdr in(buffer, Cdr::DEFAULT_ENDIAN, Cdr::DDS_CDR);
            in.read_encapsulation();
            service_->server ? request(in, info) : reply(in, info);
        } catch (const std::exception& x) {
            report_error("decode", x.what());
        }
    }
}

// The reply names the reader that waits, or the writer that asked, and the number of the request's sample.
void Ends::request(Cdr& in, const SampleInfo& info)
{
    struct texts names = {};
    if (service_->kind == SERVICE_GET_PARAMETERS) {
        names = read_texts(in);
    }
    struct answer a;
    service_answer(service_, &names, &a);
    Bytes bytes = encode(4096, [&](Cdr& out) {
        if (service_->kind == SERVICE_TRIGGER) {
            out << a.success << std::string(a.message);
        } else {
            write_values(out, a.values);
        }
    });
    WriteParams params;
    params.related_sample_identity() = info.sample_identity;
    if (info.related_sample_identity.writer_guid() != GUID_t::unknown()) {
        params.related_sample_identity().writer_guid() = info.related_sample_identity.writer_guid();
    }
    check(writer_->write(&bytes, params), "write");
}

void Ends::reply(Cdr& in, const SampleInfo& info)
{
    const SampleIdentity& asked = info.related_sample_identity;
    if (asked.writer_guid() != reader_->guid() && asked.writer_guid() != writer_->guid()) {
        return; // another client's
    }
    struct answer a = {};
    if (service_->kind == SERVICE_TRIGGER) {
        std::string message;
        in >> a.success >> message;
        snprintf(a.message, sizeof a.message, "%s", message.c_str());
    } else {
        a.values = read_values(in);
    }
    service_replied(service_, static_cast<long>(asked.sequence_number().to64long()), &a);
}

} // namespace

bool backend_service(struct service* s)
{
    auto* ends = new Ends(s);
    s->impl = ends;
    return ends->open();
}

bool backend_call(struct service* s, const struct texts* names)
{
    return static_cast<Ends*>(s->impl)->call(*names);
}
