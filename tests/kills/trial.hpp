// One step of a script on one rank: its buffers, the call, and what has to hold of the result.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <string>
#include <vector>

#include "elements.hpp"
#include "mpi_elements.hpp"
#include "rank_file.hpp"
#include "script.hpp"
#include "shared_memory.hpp"

namespace detour::kills {

struct TeamComm {
  MPI_Comm comm;
  int rank;
  std::vector<int> world_ranks;  // of its members
  std::uint64_t salt;            // the two halves do different things

  int size() const { return static_cast<int>(world_ranks.size()); }
};

// What a rank has to say of a step.
struct Finding {
  Outcome outcome = Outcome::success;
  std::uint64_t digest = 0;
  std::uint64_t contributors = 0;
  std::string complaint;  // empty if all is well
};

class Trial {
 public:
  // Its buffers are in this memory where the step wants them to be shared; it has to live longer.
  Trial(const Step& step, std::uint32_t number, const TeamComm& team, const MpiElements& elements,
        SharedMemory& shared);

  // A nonblocking one gives a request, the others are over.
  void call();
  MPI_Request& request() { return request_; }
  void set_error(int error) { error_ = error; }
  // The last one that ended on its communicator: then one can ask who contributed.
  Finding check(bool was_last);

  std::uint32_t number() const { return number_; }

 private:
  using Bytes = std::pmr::vector<std::byte>;
  struct Block {
    std::size_t first_place;  // in the buffer, in elements
    std::size_t first;        // index in the whole
    std::size_t count;
  };

  void lay_out_blocks();
  void make_buffers();
  bool is_root() const { return team_.rank == root_; }
  std::size_t input_count() const;
  std::size_t output_count() const;
  Elements elements(std::size_t first, std::size_t count) const;
  const void* send_buffer() const;
  void* receive_buffer();
  int carry_out();

  void judge_error(Finding& finding) const;
  void judge_result(Finding& finding);
  bool judge_sum(const Block& block, Finding& finding);
  void judge_blocks(Finding& finding);
  bool judge_input() const;
  void compare(const std::vector<std::byte>& expected, std::size_t bytes, Finding& finding) const;
  std::uint64_t world_ranks(Ranks ranks) const;

  const Step step_;
  const std::uint32_t number_;
  const TeamComm& team_;
  const MpiElements& mpi_;
  const int root_;
  const std::size_t stride_;
  std::vector<Block> blocks_;  // of the ranks, where the operation has any
  std::vector<int> counts_;
  std::vector<int> places_;
  Bytes input_;
  Bytes output_;
  MPI_Request request_ = MPI_REQUEST_NULL;
  int error_ = MPI_SUCCESS;
  std::optional<Ranks> known_ranks_;
};

}  // namespace detour::kills
