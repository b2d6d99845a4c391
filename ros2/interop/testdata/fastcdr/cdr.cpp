// SPDX-License-Identifier: Apache-2.0

// Encodes and decodes three messages with Fast CDR and prints a line for each: its name, the nanoseconds that encoding and
// decoding take, and the first bytes in hexadecimal with the length of all, which prove that it is the same message: cdr SECONDS.
#include <fastcdr/Cdr.h>
#include <fastcdr/FastBuffer.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using eprosima::fastcdr::Cdr;
using eprosima::fastcdr::FastBuffer;

struct Header {
  std::int32_t sec = 1;
  std::uint32_t nanosec = 2;
  std::string frame_id;
};

struct Odometry {
  Header header;
  std::string child_frame_id = "base_link";
  std::array<double, 7> pose{{1, 2, 3, 0, 0, 0, 1}};
  std::array<double, 36> pose_covariance{};
  std::array<double, 6> twist{{1, 2, 3, 4, 5, 6}};
  std::array<double, 36> twist_covariance{};
};

struct LaserScan {
  Header header;
  std::array<float, 7> numbers{{1, 2, 3, 4, 5, 6, 7}};
  std::vector<float> ranges = std::vector<float>(360, 1.5F), intensities;
};

struct Image {
  Header header;
  std::uint32_t height = 480, width = 640;
  std::string encoding = "rgb8";
  std::uint8_t is_bigendian = 0;
  std::uint32_t step = 1920;
  std::vector<std::uint8_t> data = std::vector<std::uint8_t>(921600, 7);
};

static void put(Cdr &c, const Header &h) { c << h.sec << h.nanosec << h.frame_id; }
static void get(Cdr &c, Header &h) { c >> h.sec >> h.nanosec >> h.frame_id; }

static void put(Cdr &c, const Odometry &m) {
  put(c, m.header);
  c << m.child_frame_id;
  for (double v : m.pose) c << v; // members of a message of its own each, as in generated code
  c << m.pose_covariance;
  for (double v : m.twist) c << v;
  c << m.twist_covariance;
}
static void get(Cdr &c, Odometry &m) {
  get(c, m.header);
  c >> m.child_frame_id;
  for (double &v : m.pose) c >> v;
  c >> m.pose_covariance;
  for (double &v : m.twist) c >> v;
  c >> m.twist_covariance;
}

static void put(Cdr &c, const LaserScan &m) {
  put(c, m.header);
  for (float v : m.numbers) c << v;
  c << m.ranges << m.intensities;
}
static void get(Cdr &c, LaserScan &m) {
  get(c, m.header);
  for (float &v : m.numbers) c >> v;
  c >> m.ranges >> m.intensities;
}

static void put(Cdr &c, const Image &m) {
  put(c, m.header);
  c << m.height << m.width << m.encoding << m.is_bigendian << m.step << m.data;
}
static void get(Cdr &c, Image &m) {
  get(c, m.header);
  c >> m.height >> m.width >> m.encoding >> m.is_bigendian >> m.step >> m.data;
}

// nanoseconds returns how long one call of f takes: the best of ten tries, which share the time. What else the machine does
// makes them longer only.
template <class F> static double nanoseconds(double seconds, F f) {
  using Clock = std::chrono::steady_clock;
  double best = 1e18;
  for (int round = 0; round < 10; round++) {
    const auto begin = Clock::now();
    long n = 0;
    std::chrono::duration<double, std::nano> took{};
    do {
      for (int i = 0; i < 10; i++) f();
      n += 10;
      took = Clock::now() - begin;
    } while (took.count() < seconds * 1e8);
    best = std::min(best, took.count() / n);
  }
  return best;
}

template <class M> static void measure(const char *name, double seconds, M message) {
  message.header.frame_id = "odom";
  std::vector<char> memory(1 << 20);
  std::size_t size = 0;
  auto encode = [&] {
    FastBuffer buffer(memory.data(), memory.size());
    Cdr c(buffer, Cdr::LITTLE_ENDIANNESS, Cdr::DDS_CDR);
    c.serialize_encapsulation();
    put(c, message);
    size = c.getSerializedDataLength();
  };
  const double encoding = nanoseconds(seconds / 6, encode);
  const double decoding = nanoseconds(seconds / 6, [&] {
    FastBuffer buffer(memory.data(), memory.size());
    Cdr c(buffer, Cdr::LITTLE_ENDIANNESS, Cdr::DDS_CDR);
    c.read_encapsulation();
    get(c, message);
  });
  std::printf("%s %f %f %zu ", name, encoding, decoding, size);
  for (std::size_t i = 0; i < size && i < 256; i++) std::printf("%02x", static_cast<unsigned char>(memory[i]));
  std::printf("\n");
}

int main(int argc, char **argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 1;
  measure("odometry", seconds, Odometry{});
  measure("scan", seconds, LaserScan{});
  measure("image", seconds, Image{});
}
