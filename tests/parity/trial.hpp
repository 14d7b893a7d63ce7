// Tries out one combination and tells what was wrong with it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "buffer.hpp"
#include "combination.hpp"
#include "teams.hpp"

namespace detour::parity {

// On one rank.
struct Finding {
  std::string complaint;     // empty if all was well
  std::uint64_t digest = 0;  // of the result: all ranks of the team have to have the same
};

// Collective over the team.
Finding try_out(const Combination& combination, const Universe& universe, const Team& team);

// What the functions that are tried have in common: contributions, and checks of results.
class Trial {
 public:
  Trial(const Combination& combination, const Universe& universe, const Team& team);

  const Combination& combination() const { return combination_; }
  const Team& team() const { return team_; }
  MPI_Datatype type() const { return subject_.type; }
  const Operation& operation() const { return operation_; }
  int root() const { return combination_.root % team_.size; }
  std::size_t count() const { return combination_.count; }

  Buffer make_buffer(std::size_t element_count) const;
  // Puts elements of a rank's contribution, from the first one on, at a place in the buffer.
  void put(Buffer& buffer, std::size_t at, int rank, std::size_t element_count) const;

  // The first complaint is the one that is told.
  void require(bool is_right, const std::string& complaint);
  void require_success(int error);
  // Elements of the buffer are those that the ranks' contributions reduce to, from one of them on.
  void require_reduced(const Buffer& buffer, std::size_t at, std::size_t first,
                       std::size_t element_count);
  // Elements of the buffer are those of one rank's contribution.
  void require_moved(const Buffer& buffer, std::size_t at, int rank, std::size_t element_count);
  // Nothing but elements has been written to.
  void require_bounds(const Buffer& buffer);
  void set_common_result(const Buffer& buffer) { finding_.digest = buffer.value_digest(); }

  // Which part of a result that is the same everywhere this rank looks at: of a small one all.
  struct Part {
    std::size_t first;
    std::size_t count;
  };
  Part own_part(std::size_t element_count) const;

  // Of blocks of uneven size, some of them empty, which all ranks know.
  std::vector<int> uneven_blocks() const;
  int even_block() const;

  const Finding& finding() const { return finding_; }

 private:
  std::uint64_t bits(int rank, std::size_t i) const;

  const Combination& combination_;
  const Subject& subject_;
  const Operation& operation_;
  const Team& team_;
  std::uint64_t team_seed_;
  Finding finding_;
};

void try_allreduce(Trial& trial);
void try_reduce(Trial& trial);
void try_reduce_scatter(Trial& trial);
void try_bcast(Trial& trial);
void try_allgather(Trial& trial);
void try_allgatherv(Trial& trial);
void try_barrier(Trial& trial);

}  // namespace detour::parity
