// SPDX-License-Identifier: Apache-2.0
// The part of JSON that the protocol uses: whole numbers, text, true and false, lists and objects.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace epuck_fixed_order {

/// A text that is not JSON, or lacks a member of an object.
struct JsonError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A value of JSON. Objects keep the order in which members were set.
class Json {
 public:
  enum class Kind { Null, Bool, Number, Text, List, Object };

  Json() = default;
  Json(bool b) : kind_(Kind::Bool), number_(b) {}
  Json(std::int64_t n) : kind_(Kind::Number), number_(n) {}
  Json(std::string s) : kind_(Kind::Text), text_(std::move(s)) {}
  Json(const char* s) : Json(std::string(s)) {}

  static Json list() { return of(Kind::List); }
  static Json object() { return of(Kind::Object); }

  void add(Json v) { list_.push_back(std::move(v)); }
  bool empty() const { return list_.empty(); }

  /// Sets a member of an object.
  void set(const std::string& name, Json v) {
    for (std::size_t i = 0; i < names_.size(); i++) {
      if (names_[i] == name) {
        list_[i] = std::move(v);
        return;
      }
    }
    names_.push_back(name);
    list_.push_back(std::move(v));
  }

  /// Returns a member of an object, or null if it has none of that name.
  const Json* find(const std::string& name) const {
    for (std::size_t i = 0; i < names_.size(); i++) {
      if (names_[i] == name) return &list_[i];
    }
    return nullptr;
  }

  const Json& at(const std::string& name) const {
    const Json* v = find(name);
    if (v == nullptr) throw JsonError("no member " + name);
    return *v;
  }

  const std::vector<Json>& items() const { return expect(Kind::List).list_; }
  std::int64_t number() const { return expect(Kind::Number).number_; }
  const std::string& text() const { return expect(Kind::Text).text_; }
  bool is_true() const { return kind_ == Kind::Bool && number_ != 0; }

  std::string dump() const {
    std::string out;
    write(out);
    return out;
  }

  static Json parse(const std::string& s) {
    std::size_t at = 0;
    Json v = parse(s, at, 0);
    skip(s, at);
    if (at != s.size()) throw JsonError("more than one value");
    return v;
  }

 private:
  static constexpr int kDeepest = 32;

  static Json of(Kind k) {
    Json v;
    v.kind_ = k;
    return v;
  }

  const Json& expect(Kind k) const {
    if (kind_ != k) throw JsonError("a value of another kind");
    return *this;
  }

  static void quote(std::string& out, const std::string& s) {
    out += '"';
    for (char c : s) {
      if (c == '"' || c == '\\') {
        out += '\\';
        out += c;
      } else if (static_cast<unsigned char>(c) < 0x20) {
        char code[8];
        std::snprintf(code, sizeof code, "\\u%04x", c);
        out += code;
      } else {
        out += c;
      }
    }
    out += '"';
  }

  void write(std::string& out) const {
    switch (kind_) {
      case Kind::Null: out += "null"; break;
      case Kind::Bool: out += number_ ? "true" : "false"; break;
      case Kind::Number: out += std::to_string(number_); break;
      case Kind::Text: quote(out, text_); break;
      case Kind::List:
      case Kind::Object:
        out += kind_ == Kind::List ? '[' : '{';
        for (std::size_t i = 0; i < list_.size(); i++) {
          if (i > 0) out += ',';
          if (kind_ == Kind::Object) {
            quote(out, names_[i]);
            out += ':';
          }
          list_[i].write(out);
        }
        out += kind_ == Kind::List ? ']' : '}';
    }
  }

  static void skip(const std::string& s, std::size_t& at) {
    while (at < s.size() && (s[at] == ' ' || s[at] == '\t' || s[at] == '\n' || s[at] == '\r')) at++;
  }

  static bool take(const std::string& s, std::size_t& at, char c) {
    skip(s, at);
    if (at >= s.size() || s[at] != c) return false;
    at++;
    return true;
  }

  static bool word(const std::string& s, std::size_t& at, const char* w) {
    const std::string expected(w);
    if (s.compare(at, expected.size(), expected) != 0) return false;
    at += expected.size();
    return true;
  }

  static Json parse(const std::string& s, std::size_t& at, int depth) {
    if (depth > kDeepest) throw JsonError("too deep");
    skip(s, at);
    if (at >= s.size()) throw JsonError("the text ends early");
    if (s[at] == '"') return Json(parse_text(s, at));
    if (s[at] == '{' || s[at] == '[') return parse_items(s, at, depth);
    if (word(s, at, "true")) return Json(true);
    if (word(s, at, "false")) return Json(false);
    if (word(s, at, "null")) return Json();
    const char* begin = s.c_str() + at;
    char* end = nullptr;
    const std::int64_t n = std::strtoll(begin, &end, 10);
    if (end == begin) throw JsonError("not a value");
    at += static_cast<std::size_t>(end - begin);
    return Json(n);
  }

  static Json parse_items(const std::string& s, std::size_t& at, int depth) {
    const bool named = s[at++] == '{';
    const char close = named ? '}' : ']';
    Json v = of(named ? Kind::Object : Kind::List);
    if (take(s, at, close)) return v;
    do {
      if (named) {
        skip(s, at);
        std::string name = parse_text(s, at);
        if (!take(s, at, ':')) throw JsonError("no colon");
        v.set(name, parse(s, at, depth + 1));
      } else {
        v.add(parse(s, at, depth + 1));
      }
    } while (take(s, at, ','));
    if (!take(s, at, close)) throw JsonError("no end of a list or object");
    return v;
  }

  static std::string parse_text(const std::string& s, std::size_t& at) {
    if (at >= s.size() || s[at] != '"') throw JsonError("not a text");
    std::string out;
    for (at++; at < s.size() && s[at] != '"'; at++) {
      if (s[at] != '\\') {
        out += s[at];
        continue;
      }
      if (++at >= s.size()) break;
      switch (s[at]) {
        case 'b': out += '\b'; break;
        case 'f': out += '\f'; break;
        case 'n': out += '\n'; break;
        case 'r': out += '\r'; break;
        case 't': out += '\t'; break;
        case 'u': unicode(s, at, out); break;
        default: out += s[at];
      }
    }
    if (at >= s.size()) throw JsonError("a text does not end");
    at++;
    return out;
  }

  static unsigned hex4(const std::string& s, std::size_t at) {
    unsigned v = 0;
    for (std::size_t i = at; i < at + 4; i++) {
      const char c = i < s.size() ? s[i] : '?';
      const char* digits = "0123456789abcdef";
      int d = -1;
      for (int k = 0; k < 16; k++) {
        if (digits[k] == c || (k > 9 && digits[k] - 32 == c)) d = k;
      }
      if (d < 0) throw JsonError("a bad \\u");
      v = v * 16 + static_cast<unsigned>(d);
    }
    return v;
  }

  /// Reads the digits after \u, and those of the second half of a pair, and leaves at on the last one.
  static void unicode(const std::string& s, std::size_t& at, std::string& out) {
    unsigned r = hex4(s, at + 1);
    at += 4;
    if (r >= 0xD800 && r < 0xDC00 && at + 2 < s.size() && s[at + 1] == '\\' && s[at + 2] == 'u') {
      const unsigned low = hex4(s, at + 3);
      if (low >= 0xDC00 && low < 0xE000) {
        r = 0x10000 + ((r - 0xD800) << 10) + (low - 0xDC00);
        at += 6;
      }
    }
    const auto tail = [&out](unsigned bits) { out += static_cast<char>(0x80 | (bits & 0x3F)); };
    if (r < 0x80) {
      out += static_cast<char>(r);
    } else if (r < 0x800) {
      out += static_cast<char>(0xC0 | r >> 6);
      tail(r);
    } else if (r < 0x10000) {
      out += static_cast<char>(0xE0 | r >> 12);
      tail(r >> 6);
      tail(r);
    } else {
      out += static_cast<char>(0xF0 | r >> 18);
      tail(r >> 12);
      tail(r >> 6);
      tail(r);
    }
  }

  Kind kind_ = Kind::Null;
  std::int64_t number_ = 0;
  std::string text_;
  std::vector<std::string> names_;  // of an object
  std::vector<Json> list_;
};

}  // namespace epuck_fixed_order
