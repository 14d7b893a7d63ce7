// The one result type of the project: a value, a polite refusal, or a failure.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace detour {

// "Not me": the request is sound, but this policy has no plan for it. The caller tries the next
// one.
struct Refusal {
  std::string reason;
};

// The request itself can't be met by anybody, or an invariant broke. Trying the next one is no use.
struct Failure {
  std::string cause;
};

template <class Value>
class Outcome {
 public:
  Outcome(Value value) : state_(std::move(value)) {}
  Outcome(Refusal refusal) : state_(std::move(refusal)) {}
  Outcome(Failure failure) : state_(std::move(failure)) {}

  bool ok() const { return std::holds_alternative<Value>(state_); }
  bool refused() const { return std::holds_alternative<Refusal>(state_); }
  bool failed() const { return std::holds_alternative<Failure>(state_); }

  const Value& value() const& { return std::get<Value>(state_); }
  Value&& value() && { return std::get<Value>(std::move(state_)); }

  // Why there is no value; empty when there is one.
  std::string reason() const {
    if (refused()) return std::get<Refusal>(state_).reason;
    if (failed()) return std::get<Failure>(state_).cause;
    return {};
  }

  // The same refusal or failure, as the outcome of a caller that would have returned something
  // else.
  template <class Other>
  Outcome<Other> without_value() const {
    if (refused()) return std::get<Refusal>(state_);
    return std::get<Failure>(state_);
  }

 private:
  std::variant<Value, Refusal, Failure> state_;
};

}  // namespace detour
