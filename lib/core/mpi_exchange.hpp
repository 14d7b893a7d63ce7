// An exchange by MPI, for the members of a communicator that may not know each other yet. Their deaths are noticed
// only if they do.
#pragma once

#include <mpi.h>

#include <cstdint>

#include "core/exchange.hpp"

namespace detour {

class MpiExchange final : public Exchange {
 public:
  explicit MpiExchange(MPI_Comm comm);

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  Result gather(std::span<const std::byte> mine, std::span<std::byte> everybodys) override;
  bool has_lost_members() override;
  std::vector<int> world_ranks() const override;

 private:
  // False if a member dies before.
  bool ends(MPI_Request* request);
  void keep_communicator() const;

  const MPI_Comm comm_;
  int rank_ = 0;
  int size_ = 1;
  std::uint64_t looked_at_deaths_ = 0;
  bool has_lost_members_ = false;
};

}  // namespace detour
