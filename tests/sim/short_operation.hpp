// An allreduce that goes the short way for some steps, as Communicator::run_shortly() lets it, and then at length.
#pragma once

#include <cstdint>

#include "operations/engine.hpp"

namespace detour::sim {

class ShortOperation final : public Operation {
 public:
  // The call has to live as long, the engine, whose short way that is, longer. It looks so many times for the others before
  // it goes on at length.
  ShortOperation(Engine& engine, ShortSums& sums, const Call& call, std::uint64_t look_count);

  // The short way of this call, if there is one.
  static ShortSums* way_of(const Call& call, Engine& engine);
  // False if it can't be begun this way.
  bool begin();

  Progress step() override;
  WaitList waits_for() const override {
    return at_length_ != nullptr ? at_length_->waits_for() : WaitList{};
  }
  // Nobody is told to look again.
  bool awaits_room() const override { return at_length_ == nullptr || at_length_->awaits_room(); }
  int error() const override { return at_length_ != nullptr ? at_length_->error() : 0; }

 private:
  Engine& engine_;
  ShortSums& sums_;
  const Call& call_;
  const ShortSum sum_;
  std::uint64_t looks_left_;
  ShortSums::Progress progress_ = ShortSums::Progress::not_begun;
  Operation* at_length_ = nullptr;
};

}  // namespace detour::sim
