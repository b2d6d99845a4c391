// SPDX-License-Identifier: Apache-2.0
// Posts small tasks to an io_context of Boost.Asio from one or several threads and prints the nanoseconds until all have
// run and their number: asio PRODUCERS THREADS TASKS, in rounds: one for each line of the standard input.
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <future>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

int main(int argc, char **argv) {
  if (argc != 4) {
    std::cerr << "usage: asio PRODUCERS THREADS TASKS\n";
    return 2;
  }
  using Clock = std::chrono::steady_clock;
  const long producers = std::atol(argv[1]), threads = std::atol(argv[2]), tasks = std::atol(argv[3]);
  const std::int64_t total = tasks / producers * producers;
  boost::asio::io_context context(threads); // with one thread it needs less than a thread_pool
  auto work = boost::asio::make_work_guard(context);
  std::vector<std::thread> running;
  for (long i = 0; i < threads; i++) {
    running.emplace_back([&] { context.run(); });
  }
  for (std::string line; std::getline(std::cin, line);) {
    std::atomic<std::int64_t> ran{0};
    std::promise<void> all_ran;
    auto task = [&] {
      if (ran.fetch_add(1, std::memory_order_relaxed) + 1 == total) {
        all_ran.set_value();
      }
    };
    const auto begin = Clock::now();
    std::vector<std::thread> all;
    for (long i = 0; i < producers; i++) {
      all.emplace_back([&] {
        for (long j = 0; j < tasks / producers; j++) {
          boost::asio::post(context, [&task] { task(); });
        }
      });
    }
    for (std::thread &t : all) {
      t.join();
    }
    all_ran.get_future().wait();
    const auto took = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
    std::cout << took << ' ' << ran.load() << std::endl;
  }
  work.reset();
  for (std::thread &t : running) {
    t.join();
  }
}
