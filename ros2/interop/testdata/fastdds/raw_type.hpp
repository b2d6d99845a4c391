// SPDX-License-Identifier: Apache-2.0

// A data type for Fast DDS whose samples are the CDR bytes as they travel, so
// that one class serves every topic and type name, and malformed payloads can
// be written on purpose. The peer decodes what it reads itself (decode.cpp).
#ifndef RAW_TYPE_HPP
#define RAW_TYPE_HPP

#include <fastdds/dds/topic/TopicDataType.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// Bytes of one sample, with the 4-byte encapsulation header.
using Bytes = std::vector<uint8_t>;

class RawType : public eprosima::fastdds::dds::TopicDataType
{
public:
    explicit RawType(const std::string& name);

    bool serialize(void* data, eprosima::fastrtps::rtps::SerializedPayload_t* payload) override;
    bool deserialize(eprosima::fastrtps::rtps::SerializedPayload_t* payload, void* data) override;
    std::function<uint32_t()> getSerializedSizeProvider(void* data) override;
    void* createData() override;
    void deleteData(void* data) override;
    bool getKey(void* data, eprosima::fastrtps::rtps::InstanceHandle_t* handle, bool force_md5) override;
};

#endif
