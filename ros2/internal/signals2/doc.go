// SPDX-License-Identifier: Apache-2.0

// Package signals2 compares the exchange of messages within a process with Go channels and Boost.Signals2, in the same
// run on the same machine. It contains only a benchmark and a C++ program that the benchmark builds (Debian: g++,
// libboost-dev).
//
// All three pass every message, by pointer, to every receiver, which counts it in the counters of the sending thread;
// in a second series with its time and sequence number. Boost's slots run on each thread that emits, at the same time,
// as ours do if the subscriptions are concurrent; the other series has those of which one runs at a time.
package signals2
