// SPDX-License-Identifier: Apache-2.0
// How messages are identified: the first eight bytes of SHA-256 (FIPS 180-4).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace epuck_fixed_order {

namespace sha256 {

inline std::uint32_t rotate(std::uint32_t x, unsigned n) { return x >> n | x << (32 - n); }

/// Adds a block of 64 bytes to the state (FIPS 180-4, 6.2.2).
inline void block(std::array<std::uint32_t, 8>& state, const std::uint8_t* p) {
  static const std::uint32_t k[64] = {
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
      0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
      0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
      0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
      0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
      0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
      0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
  std::uint32_t w[64];
  for (int i = 0; i < 16; i++) {
    w[i] = std::uint32_t(p[4 * i]) << 24 | std::uint32_t(p[4 * i + 1]) << 16 | std::uint32_t(p[4 * i + 2]) << 8 | p[4 * i + 3];
  }
  for (int i = 16; i < 64; i++) {
    const std::uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + w[i - 7] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
  }
  std::array<std::uint32_t, 8> s = state;
  for (int i = 0; i < 64; i++) {
    const std::uint32_t e = s[4], a = s[0];
    const std::uint32_t one =
        s[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & s[5]) ^ (~e & s[6])) + k[i] + w[i];
    const std::uint32_t two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
    s = {one + two, s[0], s[1], s[2], s[3] + one, s[4], s[5], s[6]};
  }
  for (int i = 0; i < 8; i++) state[i] += s[i];
}

}  // namespace sha256

/// Identifies a message by its CDR form: header, and padding at the end, do not count.
inline std::string sum_of(const std::uint8_t* payload, std::size_t size) {
  constexpr std::size_t header = 4;
  while (size > header && payload[size - 1] == 0) size--;
  const std::size_t n = size > header ? size - header : 0;
  std::vector<std::uint8_t> m;
  if (n > 0) m.assign(payload + header, payload + size);
  m.push_back(0x80);
  while (m.size() % 64 != 56) m.push_back(0);
  for (int shift = 56; shift >= 0; shift -= 8) m.push_back(static_cast<std::uint8_t>(std::uint64_t(n) * 8 >> shift));
  std::array<std::uint32_t, 8> state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (std::size_t i = 0; i < m.size(); i += 64) sha256::block(state, &m[i]);
  std::string out;
  for (int i = 0; i < 16; i++) out += "0123456789abcdef"[state[i / 8] >> (28 - 4 * (i % 8)) & 0xF];
  return out;
}

}  // namespace epuck_fixed_order
