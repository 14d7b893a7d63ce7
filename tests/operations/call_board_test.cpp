#include "node/call_board.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "support/catch.hpp"

using namespace detour;

namespace {

constexpr MemberBlockLayout board_layout{.small_bytes = 1024, .piece_bytes = 4096};

// Two members' blocks, side by side in plain memory, and what each of them sees.
class TwoMembers {
 public:
  TwoMembers() {
    for (const std::size_t offset : {std::size_t{0}, room}) {
      blocks_.emplace_back(memory_->bytes.data(), offset, board_layout);
      blocks_.back().create();
    }
    for (std::size_t rank = 0; rank < 2; ++rank) boards_.emplace_back(rank, blocks_);
  }

  CallBoard& board(std::size_t rank) { return boards_[rank]; }
  std::byte* small_slot(std::size_t rank) {
    return blocks_[rank].small(boards_[rank].call_number());
  }

 private:
  static constexpr std::size_t room = std::size_t{16} << 10;
  struct alignas(4096) Memory {
    std::array<std::byte, 2 * room> bytes{};
  };

  std::unique_ptr<Memory> memory_ = std::make_unique<Memory>();
  std::vector<MemberBlock> blocks_;
  std::vector<CallBoard> boards_;
};

}  // namespace

TEST_CASE("call board: short data is read beside the notice, and from its slot if there is none") {
  const std::size_t bytes = GENERATE(std::size_t{1}, Notice::data_bytes_max,
                                     Notice::data_bytes_max + 1, MemberBlock::posted_bytes_max,
                                     MemberBlock::posted_bytes_max + 1, board_layout.small_bytes);
  REQUIRE(board_layout.block_bytes() < std::size_t{16} << 10);
  TwoMembers members;
  // Slots are used in turns.
  for (int call = 0; call < 3; ++call) {
    CallBoard& teller = members.board(1);
    const CallBoard& reader = members.board(0);
    const std::vector data(bytes, static_cast<std::byte>(call + 1));
    const auto sees_it = [&] {
      return std::equal(data.begin(), data.end(), reader.small_data(1, bytes));
    };
    std::copy(data.begin(), data.end(), members.small_slot(1));
    REQUIRE(teller.enter({}));
    REQUIRE(sees_it());
    REQUIRE(reader.small_data(1, bytes) == members.small_slot(1));
    teller.post_notice(data);
    REQUIRE(sees_it());
    const bool leaves_slot_alone = reader.small_data(1, bytes) != members.small_slot(1);
    REQUIRE(leaves_slot_alone == (bytes <= MemberBlock::posted_bytes_max));
    for (std::size_t rank = 0; rank < 2; ++rank) members.board(rank).leave();
  }
}
