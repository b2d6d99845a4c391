// SPDX-License-Identifier: Apache-2.0

// Between the CDR bytes of a sample and the values of messages.h, with Fast CDR.
#ifndef DECODE_HPP
#define DECODE_HPP

#include "peer.h"
#include "raw_type.hpp"

#include <fastcdr/Cdr.h>

// decode_report reports a sample of the endpoint's kind, or an "error" event
// when the bytes do not hold one.
void decode_report(struct endpoint* e, Bytes& cdr);

// Samples to write. encode_numbered returns no bytes for a kind that has no
// numbered form.
Bytes encode_numbered(const struct endpoint* e, long number);
Bytes encode_twist(double linear_x, double angular_z);

// encode runs fill on a stream over a buffer of at most capacity bytes and
// returns what it wrote, with the encapsulation header.
template<typename Fill>
Bytes encode(size_t capacity, Fill fill)
{
    using eprosima::fastcdr::Cdr;
    Bytes bytes(capacity);
    eprosima::fastcdr::FastBuffer buffer(reinterpret_cast<char*>(bytes.data()), bytes.size());
    Cdr out(buffer, Cdr::LITTLE_ENDIANNESS, Cdr::DDS_CDR);
    out.serialize_encapsulation();
    fill(out);
    bytes.resize(out.getSerializedDataLength());
    return bytes;
}

#endif
