// SPDX-License-Identifier: Apache-2.0

// Package signals2 compares the exchange of messages within a process with Go channels and Boost.Signals2, in the same
// run on the same machine. It contains only a benchmark and a C++ program that the benchmark builds (Debian: g++,
// libboost-dev).
//
// All three pass every message, by pointer, to every receiver, which adds it to a sum; in a second series with its time
// and sequence number.
package signals2
