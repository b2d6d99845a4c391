// SPDX-License-Identifier: Apache-2.0
//
// The chain of BenchmarkChain with rclcpp: LENGTH nodes in one process, each hears a topic and says what it heard on the
// next one, in rclcpp's single-threaded executor. A new message leaves when the one before has come to the end.
//
//   chain LENGTH STEPS intra|rmw        prints the seconds that STEPS messages took; intra is intra-process communication

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "rclcpp/rclcpp.hpp"
#include "std_msgs/msg/string.hpp"

using std_msgs::msg::String;

int main(int argc, char ** argv)
{
  if (argc != 4) {
    std::fprintf(stderr, "usage: chain LENGTH STEPS intra|rmw\n");
    return 2;
  }
  const int length = std::atoi(argv[1]), steps = std::atoi(argv[2]);
  rclcpp::init(0, nullptr);
  auto options = rclcpp::NodeOptions().use_intra_process_comms(std::strcmp(argv[3], "intra") == 0);
  options.start_parameter_services(false).start_parameter_event_publisher(false).enable_rosout(false);
  rclcpp::executors::SingleThreadedExecutor executor;
  std::vector<rclcpp::Node::SharedPtr> nodes;
  std::vector<rclcpp::Publisher<String>::SharedPtr> publishers;
  std::vector<rclcpp::Subscription<String>::SharedPtr> subscriptions;
  int arrived = 0;
  for (int i = 0; i < length; ++i) {
    nodes.push_back(std::make_shared<rclcpp::Node>("n" + std::to_string(i), options));
    publishers.push_back(nodes.back()->create_publisher<String>("t" + std::to_string(i), 10));
  }
  for (int i = 0; i < length; ++i) {
    subscriptions.push_back(
      nodes[i]->create_subscription<String>(
        "t" + std::to_string(i), 10, [&, i](String::UniquePtr m) {
          if (i + 1 < length) {
            publishers[i + 1]->publish(std::move(m));
          } else {
            ++arrived;
          }
        }));
    executor.add_node(nodes[i]);
  }
  for (bool matched = false; !matched && rclcpp::ok(); ) {
    executor.spin_some();
    matched = true;
    for (auto & p : publishers) {
      matched = matched && p->get_subscription_count() + p->get_intra_process_subscription_count() > 0;
    }
  }
  const int warm = steps / 10 + 1;
  auto begun = std::chrono::steady_clock::now();
  for (int i = 0; i < steps + warm && rclcpp::ok(); ++i) {
    if (i == warm) {
      begun = std::chrono::steady_clock::now();
    }
    auto m = std::make_unique<String>();
    m->data = "chain";
    publishers[0]->publish(std::move(m));
    while (arrived <= i && rclcpp::ok()) {
      executor.spin_once();
    }
  }
  std::printf("%.9f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
  rclcpp::shutdown();
  return arrived == steps + warm ? 0 : 1;
}
