// SPDX-License-Identifier: Apache-2.0
// Emits messages to many slots of a Boost.Signals2 signal from one or several threads and prints the nanoseconds that
// took and the number of calls: signals2 SLOTS MESSAGES THREADS plain|informed, in rounds: one for each line of the standard input.
#include <boost/signals2.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

struct Message {
  std::int64_t count = 1;
};

// Info is what a receiver is told of a message.
struct Info {
  std::chrono::system_clock::time_point sent;
  std::int64_t sequence;
};

using Clock = std::chrono::steady_clock;
using Pointer = std::shared_ptr<const Message>;

// Sum has a cache line to itself, as two slots may run at a time: Boost lets them.
struct alignas(64) Sum {
  std::atomic<std::int64_t> value{0};

  // With one thread a plain sum would do: load and store are plain on x86, too.
  void add(std::int64_t count, bool alone) {
    if (alone) {
      value.store(value.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
    } else {
      value.fetch_add(count, std::memory_order_relaxed);
    }
  }
};

// run answers each line of the standard input with a round of emissions.
template <class Emit> void run(std::vector<Sum> &sums, long messages, long threads, Emit emit) {
  for (std::string line; std::getline(std::cin, line);) {
    const auto begin = Clock::now();
    auto share = [&] {
      for (long i = 0; i < messages / threads; i++) {
        emit();
      }
    };
    if (threads == 1) {
      share();
    } else {
      std::vector<std::thread> all;
      for (long i = 0; i < threads; i++) {
        all.emplace_back(share);
      }
      for (std::thread &t : all) {
        t.join();
      }
    }
    const auto took = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
    std::int64_t calls = 0;
    for (Sum &sum : sums) {
      calls += sum.value.exchange(0);
    }
    std::cout << took << ' ' << calls << std::endl;
  }
}

// connect adds a slot for each sum. Alone is known to the compiler, so that it costs nothing in the slot.
template <bool alone, class Signal> void connect(Signal &signal, std::vector<Sum> &sums) {
  for (Sum &sum : sums) {
    if constexpr (std::is_same_v<typename Signal::signature_type, void(const Pointer &)>) {
      signal.connect([&sum](const Pointer &m) { sum.add(m->count, alone); });
    } else {
      signal.connect([&sum](const Pointer &m, const Info &) { sum.add(m->count, alone); });
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
  std::vector<Sum> sums(slots);
  const auto message = std::make_shared<const Message>();
  boost::signals2::signal<void(const Pointer &)> plain;
  boost::signals2::signal<void(const Pointer &, const Info &)> informed;
  if (threads == 1) {
    connect<true>(plain, sums);
    connect<true>(informed, sums);
  } else {
    connect<false>(plain, sums);
    connect<false>(informed, sums);
  }
  if (std::string(argv[4]) == "plain") {
    run(sums, messages, threads, [&] { plain(message); });
  } else {
    std::atomic<std::int64_t> sequence{0};
    run(sums, messages, threads, [&] { informed(message, Info{std::chrono::system_clock::now(), ++sequence}); });
  }
}
