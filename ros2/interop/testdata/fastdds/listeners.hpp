// SPDX-License-Identifier: Apache-2.0

// Listeners that report the events of one endpoint.
#ifndef LISTENERS_HPP
#define LISTENERS_HPP

#include "decode.hpp"
#include "report.h"

#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/DataWriterListener.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>

class ReaderEvents : public eprosima::fastdds::dds::DataReaderListener
{
public:
    explicit ReaderEvents(struct endpoint* e) : endpoint_(e) {}

    void on_data_available(eprosima::fastdds::dds::DataReader* reader) override
    {
        Bytes cdr;
        eprosima::fastdds::dds::SampleInfo info;
        while (reader->take_next_sample(&cdr, &info) == ReturnCode_t::RETCODE_OK) {
            if (info.valid_data) {
                decode_report(endpoint_, cdr);
            }
        }
    }

    void on_sample_lost(eprosima::fastdds::dds::DataReader*,
            const eprosima::fastdds::dds::SampleLostStatus& status) override
    {
        report_lost(endpoint_, status.total_count_change);
    }

    void on_subscription_matched(eprosima::fastdds::dds::DataReader*,
            const eprosima::fastdds::dds::SubscriptionMatchedStatus& status) override
    {
        report_matched(endpoint_, status.current_count);
    }

    void on_requested_incompatible_qos(eprosima::fastdds::dds::DataReader*,
            const eprosima::fastdds::dds::RequestedIncompatibleQosStatus& status) override
    {
        report_incompatible(endpoint_, static_cast<int>(status.last_policy_id));
    }

private:
    using ReturnCode_t = eprosima::fastrtps::types::ReturnCode_t;
    struct endpoint* endpoint_;
};

class WriterEvents : public eprosima::fastdds::dds::DataWriterListener
{
public:
    explicit WriterEvents(struct endpoint* e) : endpoint_(e) {}

    void on_publication_matched(eprosima::fastdds::dds::DataWriter*,
            const eprosima::fastdds::dds::PublicationMatchedStatus& status) override
    {
        report_matched(endpoint_, status.current_count);
    }

    void on_offered_incompatible_qos(eprosima::fastdds::dds::DataWriter*,
            const eprosima::fastdds::dds::OfferedIncompatibleQosStatus& status) override
    {
        report_incompatible(endpoint_, static_cast<int>(status.last_policy_id));
    }

private:
    struct endpoint* endpoint_;
};

#endif
