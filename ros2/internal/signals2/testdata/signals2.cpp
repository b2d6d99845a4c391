// SPDX-License-Identifier: Apache-2.0
// Emits messages to many slots of a Boost.Signals2 signal from one or several threads and prints the nanoseconds that
// took and the number of calls: signals2 SLOTS MESSAGES THREADS plain|informed, in rounds: one for each line of the standard input.
#include <boost/signals2.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

// Message has the counts of the thread that emits it, one for each slot: two threads write no common cache line.
struct Message {
  std::int64_t count = 1;
  std::int64_t *counts = nullptr;
};

// Info is what a receiver is told of a message.
struct Info {
  std::chrono::system_clock::time_point sent;
  std::int64_t sequence;
};

using Clock = std::chrono::steady_clock;
using Pointer = std::shared_ptr<const Message>;

// Counts are those of one thread, with space between them and those of others: two cache lines.
struct Counts {
  explicit Counts(long slots) : values(slots + 16) {}
  std::vector<std::int64_t> values;
};

// run answers each line of the standard input with a round of emissions.
template <class Emit> void run(long slots, long messages, long threads, Emit emit) {
  std::vector<Counts> counts(threads, Counts(slots));
  std::vector<Pointer> all;
  for (Counts &c : counts) {
    auto message = std::make_shared<Message>();
    message->counts = c.values.data();
    all.push_back(message);
  }
  for (std::string line; std::getline(std::cin, line);) {
    const auto begin = Clock::now();
    auto share = [&](const Pointer &message) {
      for (long i = 0; i < messages / threads; i++) {
        emit(message);
      }
    };
    if (threads == 1) {
      share(all[0]);
    } else {
      std::vector<std::thread> running;
      for (const Pointer &message : all) {
        running.emplace_back(share, std::cref(message));
      }
      for (std::thread &t : running) {
        t.join();
      }
    }
    const auto took = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
    std::int64_t calls = 0;
    for (Counts &c : counts) {
      for (std::int64_t &value : c.values) {
        calls += std::exchange(value, 0);
      }
    }
    std::cout << took << ' ' << calls << std::endl;
  }
}

// connect adds the slots.
template <class Signal> void connect(Signal &signal, long slots) {
  for (long i = 0; i < slots; i++) {
    if constexpr (std::is_same_v<typename Signal::signature_type, void(const Pointer &)>) {
      signal.connect([i](const Pointer &m) { m->counts[i] += m->count; });
    } else {
      signal.connect([i](const Pointer &m, const Info &) { m->counts[i] += m->count; });
    }
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 5) {
    std::cerr << "usage: signals2 SLOTS MESSAGES THREADS plain|informed\n";
    return 2;
  }
  const long slots = std::atol(argv[1]), messages = std::atol(argv[2]), threads = std::atol(argv[3]);
  boost::signals2::signal<void(const Pointer &)> plain;
  boost::signals2::signal<void(const Pointer &, const Info &)> informed;
  connect(plain, slots);
  connect(informed, slots);
  if (std::string(argv[4]) == "plain") {
    run(slots, messages, threads, [&](const Pointer &message) { plain(message); });
  } else {
    std::atomic<std::int64_t> sequence{0};
    run(slots, messages, threads, [&](const Pointer &message) {
      informed(message, Info{std::chrono::system_clock::now(), ++sequence});
    });
  }
}
