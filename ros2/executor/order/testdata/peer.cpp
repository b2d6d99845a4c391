// SPDX-License-Identifier: Apache-2.0
// peer.py in C++, with the header that is installed for C++:  peer PORT NAME KIND SLOWNESS

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <thread>

#include "epuck_fixed_order/member.hpp"

using namespace epuck_fixed_order;
using Bytes = std::vector<std::uint8_t>;

static Bytes cdr(const std::string& text) {
  const std::uint32_t n = static_cast<std::uint32_t>(text.size()) + 1;
  Bytes out = {0, 1, 0, 0};
  for (int i = 0; i < 4; i++) out.push_back(static_cast<std::uint8_t>(n >> 8 * i));
  out.insert(out.end(), text.begin(), text.end());
  out.push_back(0);
  return out;
}

static std::string text_of(const Bytes& payload) { return {payload.begin() + 8, payload.end() - 1}; }

class Peer {
 public:
  Peer(int port, const std::string& name, const std::string& kind, double slowness)
      : slowness_(slowness), node_("/" + name), member_(name, [this](const std::string& text) { write(0, cdr(text)); }) {
    socket_ = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in to = {};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (socket_ < 0 || connect(socket_, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0) {
      throw std::runtime_error("cannot connect");
    }
    const int one = 1;
    setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    kind == "counter" ? counter() : echo();
  }

  ~Peer() { close(socket_); }

  void run() {
    std::string rest;
    while (!member_.over()) {
      member_.sign();
      pollfd waits = {socket_, POLLIN, 0};
      if (poll(&waits, 1, static_cast<int>(std::min(member_.pause(), 0.05) * 1000) + 1) == 0) continue;
      char data[1 << 16];
      const ssize_t n = read(socket_, data, sizeof data);
      if (n <= 0) return;
      rest.append(data, static_cast<std::size_t>(n));
      std::size_t end;
      while ((end = rest.find('\n')) != std::string::npos) {
        take(rest.substr(0, end));
        rest.erase(0, end + 1);
      }
    }
    member_.leave();
  }

 private:
  void write(std::int64_t endpoint, const Bytes& payload) {
    Json m = Json::object();
    m.set("endpoint", endpoint);
    std::string hex;
    for (const std::uint8_t b : payload) {
      hex += "0123456789abcdef"[b >> 4];
      hex += "0123456789abcdef"[b & 0xF];
    }
    m.set("data", hex);
    const std::string text = m.dump() + "\n";
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t n = send(socket_, text.data() + done, text.size() - done, MSG_NOSIGNAL);
      if (n <= 0) throw std::runtime_error("the connection has ended");
      done += static_cast<std::size_t>(n);
    }
  }

  void take(const std::string& line) {
    const Json m = Json::parse(line);
    const std::int64_t endpoint = m.at("endpoint").number();
    const std::string& hex = m.at("data").text();
    auto payload = std::make_shared<Bytes>();
    for (std::size_t i = 0; i < hex.size(); i += 2) {
      payload->push_back(static_cast<std::uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    }
    if (endpoint == 0) {
      member_.receive(text_of(*payload));
    } else if (endpoint < 0) {
      member_.matched(-endpoint, static_cast<std::int64_t>(payload->size()));
    } else {
      const std::string sum = sum_of(payload->data(), payload->size());
      member_.arrived(endpoint, sum, payload);
    }
  }

  std::function<void(const std::string&)> publisher(const std::string& topic) {
    const std::int64_t number = member_.add_endpoint({"publisher", topic, kString});
    write(-number, cdr("publisher " + topic));
    return [this, topic, number](const std::string& text) {
      const Bytes payload = cdr(text);
      member_.sent_message(topic, sum_of(payload.data(), payload.size()));
      write(number, payload);
    };
  }

  void subscription(const std::string& topic, const std::function<void(const std::string&)>& callback) {
    const std::int64_t number =
        member_.add_endpoint({"subscription", topic, kString, true, false, node_, [this, callback](const Item& item, std::int64_t) {
                                pause();
                                callback(text_of(*std::static_pointer_cast<Bytes>(item)));
                              }});
    write(-number, cdr("subscription " + topic));
  }

  void timer(std::int64_t place, const std::string& name, std::int64_t period, const std::function<void()>& callback) {
    member_.set_alarm(place, period, node_, name, [=] {
      timer(place, name, period, callback);
      pause();
      callback();
    });
  }

  void pause() const {
    if (slowness_ > 0) std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(slowness_ * std::rand() / RAND_MAX));
  }

  // Hears all commands, and says each 25 ms what it makes of them, to itself, too.
  void counter() {
    const auto count = publisher("/count");
    subscription("/command", [this](const std::string& s) { total_ = (total_ * 31 + static_cast<std::int64_t>(s.size())) % 1000003; });
    subscription("/count", [this](const std::string&) { heard_++; });
    timer(member_.new_place(), "count", 25000000, [this, count] { count(std::to_string(total_) + " " + std::to_string(heard_)); });
  }

  // Answers each count with a scan.
  void echo() {
    const auto scan = publisher("/scan");
    subscription("/count", [this, scan](const std::string& text) {
      total_ += static_cast<std::int64_t>(text.size());
      scan("echo " + text + " " + std::to_string(total_));
    });
  }

  static constexpr const char* kString = "std_msgs/msg/String";
  const double slowness_;
  const std::string node_;
  Member member_;
  int socket_ = -1;
  std::int64_t heard_ = 0, total_ = 0;
};

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  try {
    Peer(std::atoi(argv[1]), argv[2], argv[3], std::atof(argv[4])).run();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s: %s\n", argv[2], e.what());
    return 1;
  }
  return 0;
}
