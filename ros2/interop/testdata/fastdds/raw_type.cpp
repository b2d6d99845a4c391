// SPDX-License-Identifier: Apache-2.0

#include "raw_type.hpp"

#include <cstring>

using eprosima::fastrtps::rtps::InstanceHandle_t;
using eprosima::fastrtps::rtps::SerializedPayload_t;

RawType::RawType(const std::string& name)
{
    setName(name.c_str());
    // Only the first allocation of a history slot: the endpoints use a memory
    // policy that grows it, as unbounded ROS types need.
    m_typeSize = 1024;
    m_isGetKeyDefined = false;
    auto_fill_type_information(false);
    auto_fill_type_object(false);
}

bool RawType::serialize(void* data, SerializedPayload_t* payload)
{
    const Bytes& cdr = *static_cast<Bytes*>(data);
    if (cdr.size() > payload->max_size) {
        return false;
    }
    std::memcpy(payload->data, cdr.data(), cdr.size());
    payload->length = static_cast<uint32_t>(cdr.size());
    payload->encapsulation = CDR_LE;
    return true;
}

bool RawType::deserialize(SerializedPayload_t* payload, void* data)
{
    static_cast<Bytes*>(data)->assign(payload->data, payload->data + payload->length);
    return true;
}

std::function<uint32_t()> RawType::getSerializedSizeProvider(void* data)
{
    return [data] { return static_cast<uint32_t>(static_cast<Bytes*>(data)->size()); };
}

void* RawType::createData()
{
    return new Bytes;
}

void RawType::deleteData(void* data)
{
    delete static_cast<Bytes*>(data);
}

bool RawType::getKey(void*, InstanceHandle_t*, bool)
{
    return false;
}
