// SPDX-License-Identifier: Apache-2.0
// Emits messages to many slots of a Boost.Signals2 signal from one or several threads and prints the nanoseconds that
// took and the number of calls: signals2 SLOTS MESSAGES THREADS, in rounds: one for each line of the standard input.
#include <boost/signals2.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
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

using Signal = boost::signals2::signal<void(const std::shared_ptr<const Message> &, const Info &)>;
using Clock = std::chrono::steady_clock;

// Sum has a cache line to itself, as two slots may run at a time: Boost lets them.
struct alignas(64) Sum {
  std::atomic<std::int64_t> value{0};
};

} // namespace

int main(int argc, char **argv) {
  if (argc != 4) {
    std::cerr << "usage: signals2 SLOTS MESSAGES THREADS\n";
    return 2;
  }
  const long slots = std::atol(argv[1]), messages = std::atol(argv[2]), threads = std::atol(argv[3]);
  Signal signal;
  std::vector<Sum> sums(slots);
  for (Sum &sum : sums) {
    // With one thread a plain sum would do: load and store are plain on x86, too.
    if (threads == 1) {
      signal.connect([&sum](const std::shared_ptr<const Message> &m, const Info &) {
        sum.value.store(sum.value.load(std::memory_order_relaxed) + m->count, std::memory_order_relaxed);
      });
    } else {
      signal.connect([&sum](const std::shared_ptr<const Message> &m, const Info &) {
        sum.value.fetch_add(m->count, std::memory_order_relaxed);
      });
    }
  }
  const auto message = std::make_shared<const Message>();
  std::atomic<std::int64_t> sequence{0};
  for (std::string line; std::getline(std::cin, line);) {
    const auto begin = Clock::now();
    auto emit = [&] {
      for (long i = 0; i < messages / threads; i++) {
        signal(message, Info{std::chrono::system_clock::now(), ++sequence});
      }
    };
    if (threads == 1) {
      emit();
    } else {
      std::vector<std::thread> all;
      for (long i = 0; i < threads; i++) {
        all.emplace_back(emit);
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
