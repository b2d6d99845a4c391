// SPDX-License-Identifier: Apache-2.0

// Package signals2 measures the exchange of messages within a process beside Go
// channels and beside Boost.Signals2, in the same run on the same machine. It has
// no code of its own, but a benchmark and a C++ program that the benchmark builds
// (Debian: g++, libboost-dev).
//
// All three give every message, by pointer, to every receiver, which adds it to a
// sum; in a second series with its time and running number.
package signals2
