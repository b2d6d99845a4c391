// SPDX-License-Identifier: Apache-2.0
// What a member of an application in a fixed order says and does, for programs in C++17. It knows no ROS: the program
// passes it what arrives, and sends what it says. docs/explanation/time.md describes the protocol.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "epuck_fixed_order/json.hpp"
#include "epuck_fixed_order/sum.hpp"

namespace epuck_fixed_order {

/// The leader does not let this process take part.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The leader has left the network without a word.
struct LeaderLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What this process has to say of one tag is longer than the leader reads.
struct TooLong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A logical time: ns since the start, and the microstep.
using Tag = std::pair<std::int64_t, std::int64_t>;

/// What arrived at an endpoint, of the program's own type.
using Item = std::shared_ptr<void>;

/// Gets what arrived, and the number of a service's request.
using Callback = std::function<void(const Item& item, std::int64_t number)>;

/// An endpoint of the program.
struct Endpoint {
  std::string role;  ///< "publisher", "subscription", "service" or "client"
  std::string name;  ///< full name of the topic or service
  std::string type;  ///< as in std_msgs/msg/String
  bool reliable = true;
  bool kept = false;        ///< transient local
  std::string node = "/";   ///< full name; not of a publisher
  Callback callback = {};   ///< not of a publisher
};

/// Runs callbacks when the leader says so. All methods are called by one thread.
class Member {
 public:
  /// name is one of the leader's members; say sends a text to the leader; show, which may be null, is called with the
  /// time in ns that clocks show at a tag, before callbacks of that tag run; now returns seconds of the machine's time.
  Member(std::string name, std::function<void(const std::string&)> say, std::function<void(std::int64_t)> show = nullptr,
         std::function<double()> now = monotonic)
      : name_(std::move(name)), session_(random_session()), say_(std::move(say)), show_(std::move(show)), now_(std::move(now)) {}

  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  // What the program has.

  /// Adds an endpoint and returns its number. The order of the calls is the order of the callbacks of a tag.
  std::int64_t add_endpoint(Endpoint e) {
    endpoints_[++places_] = {std::move(e), 0};
    changed_ = true;
    return places_;
  }

  /// Forgets an endpoint and what came for it.
  void remove_endpoint(std::int64_t number) {
    endpoints_.erase(number);
    held_.erase(std::remove_if(held_.begin(), held_.end(), [&](const Held& h) { return h.endpoint == number; }), held_.end());
    changed_ = true;
  }

  /// Says with how many endpoints one is connected.
  void matched(std::int64_t number, std::int64_t count) {
    const auto e = endpoints_.find(number);
    if (e == endpoints_.end() || e->second.matched == count) return;
    e->second.matched = count;
    changed_ = true;
    if (leader_.empty() || ran_ == 0) due_ = 0;
  }

  /// Returns the number of something that has alarms, in one order with the endpoints.
  std::int64_t new_place() { return ++places_; }

  /// Lets a callback run so many ns later. It replaces the place's alarm.
  void set_alarm(std::int64_t place, std::int64_t after, std::string node, std::string name, std::function<void()> callback) {
    alarms_[place] = {Tag(at_.first + std::max<std::int64_t>(0, after), 0), std::move(node), std::move(name), std::move(callback)};
  }

  /// Removes the alarm of a place.
  void cancel_alarm(std::int64_t place) { alarms_.erase(place); }

  /// Returns the ns that clocks show.
  std::int64_t time() const { return origin_ + at_.first; }

  /// Reports whether the run has ended.
  bool over() const { return over_; }

  // What happens.

  /// Holds a received message, with its sum, until its place in the order.
  void arrived(std::int64_t endpoint, std::string sum, Item item) {
    held_.push_back({endpoint, std::move(sum), std::move(item)});
    due_ = std::min(due_, now_() + kSettling);
    progress();
  }

  /// Reports a message that the callback at work sends.
  void sent_message(const std::string& topic, const std::string& sum) {
    if (!running_) return;
    add_send("message", topic, sum);
    Json m = Json::object();
    m.set("topic", topic);
    m.set("sum", sum);
    run_sent_.add(std::move(m));
  }

  /// Reports a request that the callback at work sends by a client, with the client's number.
  void sent_request(const std::string& service, const std::string& sum, std::int64_t client) {
    if (running_) add_send("request", service, sum).set("from", client);
  }

  /// Reports a reply to the request of that number.
  void sent_reply(const std::string& service, const std::string& sum, std::int64_t number) {
    if (running_) add_send("reply", service, sum).set("to", number);
  }

  /// Does what the leader says. It throws Refused, and what a callback throws.
  void receive(const std::string& text) {
    Json m;
    std::string kind, leader, why;
    bool mine = false;
    Grant grant;
    try {
      m = Json::parse(text);
      if (m.at("version").number() != kVersion) return;
      kind = m.at("kind").text();
      leader = m.at("leader").text();
      mine = equals(m, "member", name_) && equals(m, "session", session_);
      if (mine && kind == "grant") grant = Grant(m);
      if (mine && kind == "welcome") welcome(m, leader);
      if (const Json* reason = m.find("text"); reason != nullptr) why = reason->text();
    } catch (const JsonError&) {
      return;
    }
    if (kind == "end" && (leader == leader_ || (mine && leader_.empty()))) {
      over_ = true;
      leader_ = leader;
    }
    if (!mine) return;
    if (kind == "refuse" && (leader_.empty() || leader_ == leader)) throw Refused(why);
    if (kind != "grant" || leader != leader_) return;
    if (grant.number == ran_ && !answer_.empty()) {
      send(answer_);
    } else if (grant.number == ran_ + 1 && !granted_) {
      grant_ = std::move(grant);
      granted_ = true;
      grant_since_ = now_();
      progress();
    }
  }

  /// Returns how many seconds may pass until sign is to be called.
  double pause() const { return std::max(0.0, due_ - now_()); }

  /// Says hello, or that the member is alive, if it is time to.
  void sign() {
    const double now = now_();
    if (now < due_) return;
    due_ = now + (leader_.empty() ? kHelloInterval : kAliveInterval);
    Json m = head(leader_.empty() ? "hello" : "alive");
    if (!granted_ && ran_ != 0) m.set("number", ran_);
    add_state(m);
    m.set("endpoints", endpoints());
    if (granted_ && !running_ && now - grant_since_ >= kLong) {
      Json waits = Json::list();
      waits.add("a message for " + lacks() + ", " + std::to_string(static_cast<std::int64_t>(now - grant_since_)) + "s");
      m.set("waits", std::move(waits));
    }
    send(m);
  }

  /// Looks whether the leader is there, if it is time to; call it as often as sign. publishers returns what identifies
  /// the publishers of the leader's topic. It throws LeaderLost.
  void watch(const std::function<std::set<std::string>()>& publishers) {
    const double now = now_();
    if (leader_.empty() || now < look_) return;
    const std::set<std::string> there = publishers();
    look_ = now + kAliveInterval;
    const auto is_there = [&](const std::string& p) { return there.count(p) > 0; };
    if (leads_.empty()) {
      leads_ = there;
    } else if (std::any_of(leads_.begin(), leads_.end(), is_there)) {
      missing_ = false;
    } else if (!missing_) {  // a leader that ends waits for the good-byes of its members before
      missing_ = true;
      missed_ = now;
      look_ = now + kHelloInterval;
      due_ = std::min(due_, look_);
    } else if (now - missed_ >= kHelloInterval) {
      throw LeaderLost("its publisher is gone");
    }
  }

  /// Says good-bye.
  void leave() {
    if (!leader_.empty() && !mute_) send(head("leave"));
  }

  /// The machine's time in seconds.
  static double monotonic() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

 private:
  static constexpr std::int64_t kVersion = 1;
  // Seconds: between two hellos, between two signs of life, and from an arrival to a sign of life.
  static constexpr double kHelloInterval = 0.2, kAliveInterval = 1.0, kSettling = 0.02;
  // After so many seconds a missing message is named in the signs of life.
  static constexpr double kLong = 5.0;
  // Longer messages are not read by others, in bytes.
  static constexpr std::size_t kMaxLength = std::size_t(4) << 20;

  struct Held {
    std::int64_t endpoint;
    std::string sum;
    Item item;
  };

  struct Known {
    Endpoint endpoint;
    std::int64_t matched;
  };

  struct Alarm {
    Tag at;
    std::string node, name;
    std::function<void()> callback;
  };

  struct Delivery {
    std::int64_t endpoint, number;
    std::string sum;
    bool outside;
  };

  /// The permission to run the callbacks of a tag, and the messages that must have arrived.
  struct Grant {
    std::int64_t number = 0;
    Tag at;
    std::vector<Delivery> deliveries;

    Grant() = default;
    explicit Grant(const Json& m) : number(m.at("number").number()), at(pair_of(m.at("at"))) {
      const Json* all = m.find("deliveries");
      if (all == nullptr) return;
      for (const Json& d : all->items()) {
        const Json* request = d.find("number");
        const Json* outside = d.find("outside");
        deliveries.push_back({d.at("endpoint").number(), request == nullptr ? 0 : request->number(), d.at("sum").text(),
                              outside != nullptr && outside->is_true()});
      }
    }
  };

  /// A callback that is due.
  struct Event {
    std::int64_t place;
    std::string node, source, name, got;
    std::function<void()> call;
  };

  static Tag pair_of(const Json& v) {
    const std::vector<Json>& items = v.items();
    if (items.size() != 2) throw JsonError("not a pair");
    return {items[0].number(), items[1].number()};
  }

  static Json json_of(const Tag& at) {
    Json v = Json::list();
    v.add(at.first);
    v.add(at.second);
    return v;
  }

  static bool equals(const Json& m, const char* name, const std::string& text) {
    const Json* v = m.find(name);
    return v != nullptr && v->text() == text;
  }

  static std::string random_session() {
    std::random_device random;
    std::string s;
    for (int i = 0; i < 32; i++) s += "0123456789abcdef"[random() & 0xF];
    return s;
  }

  void welcome(const Json& m, const std::string& leader) {
    if (!leader_.empty()) return;
    const Tag at = pair_of(m.at("at")), start = pair_of(m.at("start"));
    leader_ = leader;
    at_ = at;
    origin_ = start.first * 1000000000 + start.second;
    if (show_) show_(time());
  }

  Json head(const char* kind) const {
    Json m = Json::object();
    m.set("version", kVersion);
    m.set("kind", kind);
    m.set("member", name_);
    m.set("session", session_);
    if (!leader_.empty()) m.set("leader", leader_);
    return m;
  }

  Json endpoints() const {
    Json all = Json::list();
    for (const auto& [number, known] : endpoints_) {
      const Endpoint& e = known.endpoint;
      Json v = Json::object();
      v.set("id", number);
      v.set("role", e.role);
      v.set("name", e.name);
      v.set("type", e.type);
      if (e.reliable) v.set("reliable", true);
      if (e.kept) v.set("kept", true);
      if (e.role != "publisher") v.set("node", e.node);
      if (known.matched != 0) v.set("matched", known.matched);
      all.add(std::move(v));
    }
    return all;
  }

  void send(const Json& m) { send(m.dump()); }

  /// Sends a message. The leader is informed of what it would not read: it waits for it.
  void send(const std::string& text) {
    if (text.size() <= kMaxLength) {
      say_(text);
      return;
    }
    mute_ = true;
    const std::string error = "a message of member " + name_ + " has " + std::to_string(text.size()) + " bytes, at most " +
                              std::to_string(kMaxLength) + " are read";
    Json last = head("alive"), waits = Json::list();
    waits.add("it has ended: " + error);
    last.set("waits", std::move(waits));
    last.set("endpoints", endpoints());
    if (const std::string short_one = last.dump(); short_one.size() <= kMaxLength) say_(short_one);
    throw TooLong(error);
  }

  Json& add_send(const char* kind, const std::string& name, const std::string& sum) {
    Json m = Json::object();
    m.set("kind", kind);
    m.set("name", name);
    m.set("sum", sum);
    sends_.push_back(std::move(m));
    return sends_.back();
  }

  /// Adds when there is something to do, and what is held.
  void add_state(Json& m) const {
    m.set("own", true);
    if (!alarms_.empty()) {
      Tag first(std::numeric_limits<std::int64_t>::max(), 0);
      for (const auto& a : alarms_) first = std::min(first, a.second.at);
      m.set("next", json_of(first));
    }
    if (held_.empty()) return;
    std::map<std::pair<std::int64_t, std::string>, std::int64_t> counts;
    for (const Held& h : held_) counts[{h.endpoint, h.sum}]++;
    Json all = Json::list();
    for (const auto& [what, count] : counts) {
      Json v = Json::object();
      v.set("endpoint", what.first);
      v.set("sum", what.second);
      v.set("count", count);
      all.add(std::move(v));
    }
    m.set("held", std::move(all));
  }

  std::size_t find(const Delivery& d, const std::set<std::size_t>& besides) const {
    std::size_t i = 0;
    while (i < held_.size() && (besides.count(i) > 0 || held_[i].endpoint != d.endpoint || held_[i].sum != d.sum)) i++;
    return i;
  }

  /// Names the endpoint whose message has not come; nothing if all have.
  std::string lacks() const {
    std::set<std::size_t> used;
    for (const Delivery& d : grant_.deliveries) {
      const auto e = endpoints_.find(d.endpoint);
      if (e == endpoints_.end()) continue;
      const std::size_t i = find(d, used);
      if (i == held_.size()) return e->second.endpoint.role + " " + e->second.endpoint.name;
      used.insert(i);
    }
    return "";
  }

  /// Takes what is due at the grant's tag, in the order of the places.
  std::vector<Event> take_events() {
    std::vector<Event> events;
    for (const Delivery& d : grant_.deliveries) {
      const auto known = endpoints_.find(d.endpoint);
      if (known == endpoints_.end()) continue;
      const std::size_t i = find(d, {});
      const Endpoint& e = known->second.endpoint;
      events.push_back({d.endpoint, e.node, e.role == "client" ? "reply" : e.role, e.name, d.outside ? d.sum : "",
                        [callback = e.callback, item = held_[i].item, number = d.number] { callback(item, number); }});
      held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    for (auto a = alarms_.begin(); a != alarms_.end();) {
      if (a->second.at > grant_.at) {
        ++a;
        continue;
      }
      events.push_back({a->first, a->second.node, "timer", a->second.name, "", a->second.callback});
      a = alarms_.erase(a);
    }
    std::stable_sort(events.begin(), events.end(), [](const Event& x, const Event& y) { return x.place < y.place; });
    return events;
  }

  /// Runs the grant when all its messages have arrived.
  void progress() {
    if (!granted_ || running_ || !lacks().empty()) return;
    const std::vector<Event> events = take_events();
    at_ = grant_.at;
    if (show_) show_(time());
    Json runs = Json::list();
    sends_.clear();
    for (const Event& e : events) {
      Json run = Json::object();
      run.set("at", json_of(at_));
      run.set("node", e.node);
      run.set("source", e.source);
      run.set("name", e.name);
      if (!e.got.empty()) {
        run.set("outside", true);
        run.set("got", e.got);
      }
      run_sent_ = Json::list();
      running_ = true;
      try {
        e.call();
      } catch (...) {
        running_ = false;
        throw;
      }
      running_ = false;
      if (!run_sent_.empty()) run.set("sent", run_sent_);
      runs.add(std::move(run));
    }
    finish(std::move(runs));
  }

  /// Answers the grant.
  void finish(Json runs) {
    Json m = head("done");
    m.set("number", grant_.number);
    add_state(m);
    if (!runs.empty()) m.set("runs", std::move(runs));
    if (!sends_.empty()) {
      Json all = Json::list();
      for (Json& s : sends_) all.add(std::move(s));
      m.set("sends", std::move(all));
    }
    if (changed_) m.set("endpoints", endpoints());
    changed_ = false;
    ran_ = grant_.number;
    granted_ = false;
    answer_ = m.dump();
    send(answer_);
  }

  const std::string name_, session_;
  const std::function<void(const std::string&)> say_;
  const std::function<void(std::int64_t)> show_;
  const std::function<double()> now_;

  bool over_ = false, mute_ = false;
  std::string leader_;           // its session; empty before the welcome
  std::set<std::string> leads_;  // publishers of the leader's topic when it was found: one is the leader's
  bool missing_ = false;         // none of them is there, since missed_
  double missed_ = 0, look_ = 0, due_ = 0, grant_since_ = 0;
  std::int64_t origin_ = 0;  // ns that clocks show at the tag (0, 0)
  Tag at_{0, 0};

  std::int64_t places_ = 0;
  std::map<std::int64_t, Known> endpoints_;
  std::map<std::int64_t, Alarm> alarms_;
  std::vector<Held> held_;  // as they came
  bool changed_ = false;

  bool granted_ = false, running_ = false;
  Grant grant_;  // that waits for its messages, if granted_
  std::int64_t ran_ = 0;
  std::string answer_;  // to the grant that ran
  std::vector<Json> sends_;
  Json run_sent_;  // messages of the callback at work
};

}  // namespace epuck_fixed_order
