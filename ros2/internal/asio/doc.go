// SPDX-License-Identifier: Apache-2.0

// Package asio compares the executors with an io_context of Boost.Asio, in the same run on the same machine. It
// contains only a benchmark and a C++ program that the benchmark builds (Debian: g++, libboost-dev).
//
// In both some threads, the producers, post small tasks, and others run them; the queues are not bounded.
package asio
