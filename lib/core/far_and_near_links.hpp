// The links of an attempt at an operation: shared memory, MPI, or for each peer one of the two.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/ways.hpp"
#include "operations/operation_links.hpp"
#include "transport/pair_transport.hpp"
#include "transport/shm_transport.hpp"

namespace detour {

class FarAndNearLinks final : public OperationLinks {
 public:
  // Ways, with a room maker, and route have to live longer.
  FarAndNearLinks(const Ways& ways, const Route& route, std::uint64_t epoch);

  int error() const override;  // an error class of MPI's
  bool room_comes_later() const override { return room_comes_later_; }
  Transport& transport() override;

 private:
  std::optional<ShmTransport> near_;
  std::optional<MpiTransport> far_;
  std::optional<PairTransport> both_;
  bool room_comes_later_ = false;
};

class FarAndNearLinkSource final : public LinkSource {
 public:
  explicit FarAndNearLinkSource(const Ways& ways) : ways_(ways) {}

  std::unique_ptr<OperationLinks> open(const Route& route, std::uint64_t epoch) override {
    return std::make_unique<FarAndNearLinks>(ways_, route, epoch);
  }
  void drop(std::size_t member) override;
  void drop_messages_before(std::uint64_t epoch) override;
  bool has_lost_members() const override;
  void make_progress() override;

 private:
  const Ways& ways_;
};

}  // namespace detour
