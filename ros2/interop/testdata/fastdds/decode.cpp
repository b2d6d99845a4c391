// SPDX-License-Identifier: Apache-2.0

#include "decode.hpp"

#include "messages.h"
#include "report.h"

#include <fastcdr/Cdr.h>

#include <string>
#include <vector>

using eprosima::fastcdr::Cdr;
using eprosima::fastcdr::FastBuffer;

namespace {

struct Header
{
    int32_t sec;
    uint32_t nanosec;
    std::string frame_id;

    void read(Cdr& in)
    {
        in >> sec >> nanosec >> frame_id;
    }

    struct header view() const
    {
        return {sec, nanosec, frame_id.c_str()};
    }
};

template<size_t N>
void read_doubles(Cdr& in, double (&values)[N])
{
    in.deserializeArray(values, N);
}

void read_twist(Cdr& in, struct twist& t)
{
    read_doubles(in, t.linear);
    read_doubles(in, t.angular);
}

void string_sample(struct endpoint* e, Cdr& in)
{
    std::string data;
    in >> data;
    report_string(e, data.c_str());
}

void twist_sample(struct endpoint* e, Cdr& in)
{
    struct twist t;
    read_twist(in, t);
    report_twist(e, &t);
}

void odometry_sample(struct endpoint* e, Cdr& in)
{
    Header header;
    std::string child;
    struct odometry o = {};
    double pose_covariance[36], twist_covariance[36];
    header.read(in);
    in >> child;
    read_doubles(in, o.position);
    read_doubles(in, o.orientation);
    read_doubles(in, pose_covariance);
    read_twist(in, o.twist);
    read_doubles(in, twist_covariance);
    o.header = header.view();
    o.child_frame_id = child.c_str();
    o.pose_covariance = pose_covariance;
    o.twist_covariance = twist_covariance;
    report_odometry(e, &o);
}

void tf_sample(struct endpoint* e, Cdr& in)
{
    uint32_t n;
    in >> n;
    std::vector<Header> headers;
    std::vector<std::string> children;
    std::vector<struct transform> list;
    for (uint32_t i = 0; i < n; i++) {
        Header header;
        std::string child;
        struct transform t = {};
        header.read(in);
        in >> child;
        read_doubles(in, t.translation);
        read_doubles(in, t.rotation);
        headers.push_back(header);
        children.push_back(child);
        list.push_back(t);
    }
    for (uint32_t i = 0; i < n; i++) {
        list[i].header = headers[i].view();
        list[i].child_frame_id = children[i].c_str();
    }
    report_tf(e, list.data(), list.size());
}

void scan_sample(struct endpoint* e, Cdr& in)
{
    Header header;
    struct scan s = {};
    std::vector<float> ranges, intensities;
    header.read(in);
    in >> s.angle_min >> s.angle_max >> s.angle_increment >> s.time_increment >> s.scan_time;
    in >> s.range_min >> s.range_max >> ranges >> intensities;
    s.header = header.view();
    s.ranges = ranges.data();
    s.n_ranges = ranges.size();
    s.intensities = intensities.data();
    s.n_intensities = intensities.size();
    report_scan(e, &s);
}

void range_sample(struct endpoint* e, Cdr& in)
{
    Header header;
    struct range r = {};
    header.read(in);
    in >> r.radiation_type >> r.field_of_view >> r.min_range >> r.max_range >> r.range;
    r.header = header.view();
    report_range(e, &r);
}

void image_sample(struct endpoint* e, Cdr& in)
{
    Header header;
    std::string encoding;
    std::vector<uint8_t> data;
    struct image i = {};
    header.read(in);
    in >> i.height >> i.width >> encoding >> i.is_bigendian >> i.step >> data;
    i.header = header.view();
    i.encoding = encoding.c_str();
    i.data = data.data();
    i.size = data.size();
    report_image(e, &i);
}

void compressed_sample(struct endpoint* e, Cdr& in)
{
    Header header;
    std::string format;
    std::vector<uint8_t> data;
    header.read(in);
    in >> format >> data;
    struct compressed c = {header.view(), format.c_str(), data.data(), data.size()};
    report_compressed(e, &c);
}

void camera_info_sample(struct endpoint* e, Cdr& in)
{
    Header header;
    std::string model;
    std::vector<double> d;
    double k[9], r[9], p[12];
    struct camera_info c = {};
    header.read(in);
    in >> c.height >> c.width >> model >> d;
    read_doubles(in, k);
    read_doubles(in, r);
    read_doubles(in, p);
    c.header = header.view();
    c.model = model.c_str();
    c.d = d.data();
    c.n_d = d.size();
    c.k = k;
    c.r = r;
    c.p = p;
    report_camera_info(e, &c);
}

void blob_sample(struct endpoint* e, Cdr& in)
{
    uint32_t number;
    std::vector<uint8_t> data;
    in >> number >> data;
    struct blob b = {number, data.data(), data.size()};
    report_blob(e, &b);
}

} // namespace

void decode_report(struct endpoint* e, Bytes& cdr)
{
    static void (* const samples[KIND_COUNT])(struct endpoint*, Cdr&) = {
        string_sample, twist_sample, odometry_sample, tf_sample, scan_sample, range_sample, image_sample,
        blob_sample, compressed_sample, camera_info_sample,
    };
    try {
        FastBuffer buffer(reinterpret_cast<char*>(cdr.data()), cdr.size());
        Cdr in(buffer, Cdr::DEFAULT_ENDIAN, Cdr::DDS_CDR);
        in.read_encapsulation();
        samples[e->kind](e, in);
    } catch (const std::exception& x) {
        report_error("decode", x.what());
    }
}

Bytes encode_numbered(const struct endpoint* e, long number)
{
    switch (e->kind) {
    case KIND_STRING:
        return encode(64, [&](Cdr& out) { out << "sample " + std::to_string(number); });
    case KIND_IMAGE: {
        std::vector<uint8_t> data(IMAGE_SIZE);
        pattern_fill(data.data(), data.size(), number);
        return encode(IMAGE_SIZE + 128, [&](Cdr& out) {
            out << static_cast<int32_t>(number) << uint32_t(0) << std::string("camera");
            out << uint32_t(IMAGE_HEIGHT) << uint32_t(IMAGE_WIDTH) << std::string("rgb8");
            out << uint8_t(0) << uint32_t(IMAGE_STEP) << data;
        });
    }
    case KIND_BLOB: {
        std::vector<uint8_t> data(e->size - BLOB_OVERHEAD);
        pattern_fill(data.data(), data.size(), number);
        return encode(e->size + 4, [&](Cdr& out) { out << static_cast<uint32_t>(number) << data; });
    }
    default:
        return {};
    }
}

Bytes encode_twist(double linear_x, double angular_z)
{
    return encode(64, [&](Cdr& out) {
        out << linear_x << 0.0 << 0.0 << 0.0 << 0.0 << angular_z;
    });
}
