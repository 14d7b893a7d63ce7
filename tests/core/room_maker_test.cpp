// Who is asked for memory, and what becomes of an attempt to get some.
#include "core/room_maker.hpp"

#include <atomic>
#include <thread>
#include <vector>

#include "support/catch.hpp"

using namespace detour;

namespace {

// Gives the next of its answers each time that it is asked, and when there are none left nothing.
class Holder final : public MemoryHolder {
 public:
  explicit Holder(std::vector<Reclaimed> answers = {}) : answers_(std::move(answers)) {
    add_memory_holder(*this);
  }
  ~Holder() override { remove_memory_holder(*this); }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;

  Reclaimed give_back_memory() override {
    return ask_count_ < answers_.size() ? answers_[ask_count_++] : Reclaimed{};
  }
  std::size_t ask_count() const { return ask_count_; }

 private:
  std::vector<Reclaimed> answers_;
  std::size_t ask_count_ = 0;
};

const Reclaimed nothing{};
const Reclaimed some{.any = true, .comes_later = false, .readers = {}};

Reclaimed later(std::vector<PeerId> readers) {
  return {.any = false, .comes_later = true, .readers = std::move(readers)};
}

// One that gives what `own` says, and whose attempts succeed from the so many-th on.
class Asker {
 public:
  explicit Asker(int attempts_in_vain, Reclaimed own = {})
      : attempts_in_vain_(attempts_in_vain), room_(holder_, [this, own] {
          ++own_ask_count_;
          return own;
        }) {}

  bool get() {
    return room_.get([this] { return ++attempt_count_ > attempts_in_vain_; });
  }
  RoomMaker& room() { return room_; }
  int attempt_count() const { return attempt_count_; }
  int own_ask_count() const { return own_ask_count_; }
  std::size_t holder_ask_count() const { return holder_.ask_count(); }

 private:
  const int attempts_in_vain_;
  int attempt_count_ = 0;
  int own_ask_count_ = 0;
  Holder holder_{{some, some, some}};
  RoomMaker room_;
};

constexpr int always = 1000;

}  // namespace

TEST_CASE("all holders but the one that asks are asked, and what they say is added up") {
  Holder asking({some});
  Holder busy;
  Holder read_by_two({later({3, 4})});
  Holder read_by_one({later({4})});
  const Reclaimed reclaimed = reclaim_memory(asking);
  CHECK_FALSE(reclaimed.any);
  CHECK(reclaimed.comes_later);
  CHECK(reclaimed.readers == std::vector<PeerId>{3, 4, 4});
  CHECK(asking.ask_count() == 0);
  CHECK(reclaim_memory(busy).any);
  CHECK_FALSE(reclaim_memory(busy).any);
}

TEST_CASE("with room nobody is asked") {
  Holder other({some});
  Asker asker(0);
  CHECK(asker.get());
  CHECK(other.ask_count() == 0);
  CHECK(asker.own_ask_count() == 0);
}

TEST_CASE("attempts are made as long as somebody gives") {
  Holder other({some, some, nothing});
  Asker asker(2);
  CHECK(asker.get());
  CHECK(asker.attempt_count() == 3);
  CHECK(asker.holder_ask_count() == 0);

  Asker greedy(always);
  CHECK_FALSE(greedy.get());
  CHECK_FALSE(greedy.room().comes_later());
}

TEST_CASE("what another thread has freed meanwhile counts") {
  Holder other({nothing});
  Asker asker(1);
  CHECK(asker.get());
}

TEST_CASE("the one that asks gives what it has no use for itself") {
  Asker asker(1, some);
  CHECK(asker.get());
  CHECK(asker.own_ask_count() == 1);

  Asker read(always, later({7}));
  CHECK_FALSE(read.get());
  CHECK(read.room().comes_later());
  CHECK(waits_for(7));
}

TEST_CASE("who still reads is waited for until there is room") {
  Holder other({later({5, 6, 5}), later({6}), some});
  Asker asker(5);
  CHECK_FALSE(asker.get());
  CHECK(asker.room().comes_later());
  CHECK(waits_for(5));
  CHECK(waits_for(6));
  const OwnProgress first = look_at_own_progress();
  CHECK(first.is_inside);
  CHECK_FALSE(asker.get());
  CHECK_FALSE(waits_for(5));
  CHECK(waits_for(6));
  CHECK(look_at_own_progress().progress_count > first.progress_count);
  CHECK(asker.get());
  CHECK_FALSE(asker.room().comes_later());
  CHECK_FALSE(waits_for(6));
  CHECK_FALSE(look_at_own_progress().is_inside);
}

TEST_CASE("nobody is waited for when nobody will give any more, or nothing is wanted") {
  Holder other({later({5}), nothing, later({5})});
  Asker asker(always);
  CHECK_FALSE(asker.get());
  CHECK(waits_for(5));
  CHECK_FALSE(asker.get());
  CHECK_FALSE(asker.room().comes_later());
  CHECK_FALSE(waits_for(5));
  CHECK_FALSE(asker.get());
  CHECK(waits_for(5));
  asker.room().stop_waiting();
  CHECK_FALSE(asker.room().comes_later());
  CHECK_FALSE(waits_for(5));
}

TEST_CASE("a holder may go while others ask and wait") {
  std::atomic<bool> is_over{false};
  std::thread coming_and_going([&is_over] {
    while (!is_over) Holder({later({8}), some});
  });
  std::thread looking([&is_over] {
    while (!is_over) waits_for(8);
  });
  for (int round = 0; round < 2000; ++round) {
    Asker asker(3);
    asker.get();
    asker.room().comes_later();
  }
  is_over = true;
  coming_and_going.join();
  looking.join();
  CHECK_FALSE(waits_for(8));
}
