#include "core/binding.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "core/dead_ranks.hpp"
#include "core/death_notices.hpp"
#include "core/deaths.hpp"
#include "core/survival.hpp"
#include "core/waiting.hpp"
#include "fault_points.hpp"
#include "log.hpp"

namespace detour {
namespace {

// Travels as it is: every byte of it has a value.
static_assert(std::has_unique_object_representations_v<MemberCard>);

SharedBy next_way(SharedBy way) {
  return static_cast<SharedBy>(static_cast<std::int32_t>(way) + 1);
}

// Where a member's last word is: behind the rest of its block.
std::size_t word_offset(const BlockRequest& block) {
  return (block.bytes + alignof(Counter) - 1) / alignof(Counter) * alignof(Counter);
}

// What the counter there is raised to.
constexpr std::uint64_t said_yes = 1;
constexpr std::uint64_t said_no = 2;

class Binder {
 public:
  Binder(Exchange& exchange, Process& process, const BlockRequest& block)
      : exchange_(exchange), process_(process), block_(block) {
    binding_.rank = exchange.rank();
    binding_.size = exchange.size();
    binding_.cards.resize(static_cast<std::size_t>(binding_.size));
    binding_.peers.resize(binding_.cards.size());
  }
  // Who is not going to have the block tells the others, whatever the reason.
  ~Binder() {
    if (binding_.block) own_word().seal();
  }
  Binder(const Binder&) = delete;
  Binder& operator=(const Binder&) = delete;

  Outcome<Binding> bind();

 private:
  // As all see it.
  enum class Verdict { yes, no, lost };

  MemberCard make_card(SharedBy way);
  BlockState reserve_block(SharedBy way);
  bool somebody_has_no_room() const;
  bool ranks_settings_differ() const;
  Exchange::Result exchange(const MemberCard& card);
  Verdict share_memory();
  bool open_peers();
  Verdict agree_on_one_node(bool yes);
  Verdict agree_among_nodes(bool yes);
  Verdict hear_all_words();
  bool has_spoken(int member);
  Counter& word_of(int member) const;
  Counter& own_word() const { return Counter::at(binding_.block.memory() + word_offset(block_)); }
  void forget_retired();
  Refusal give_up();
  void watch_peers() const;

  Exchange& exchange_;
  Process& process_;
  const BlockRequest& block_;
  Binding binding_;
  // Of earlier rounds: others may still look at them.
  std::vector<KnownPart> retired_;
};

// Every decision in here is made from what all ranks know, so that all go round equally often.
Outcome<Binding> Binder::bind() {
  DETOUR_FAULT_POINT("binding");
  SharedBy way = process_.shared_by();
  bool is_crowded = false;
  for (;;) {
    const auto exchanged = exchange(make_card(way));
    if (exchanged == Exchange::Result::lost) return give_up();
    if (exchanged == Exchange::Result::failed) return Failure{"MPI could not exchange addresses"};
    forget_retired();  // all have left the round before
    if (ranks_settings_differ()) {
      return Failure{"the ranks' DETOUR_ settings differ: set the same on all of them"};
    }
    const auto& cards = binding_.cards;
    const auto ways =
        std::minmax_element(cards.begin(), cards.end(),
                            [](const auto& a, const auto& b) { return a.shared_by < b.shared_by; });
    const SharedBy furthest = ways.second->shared_by;
    if (ways.first->shared_by == furthest) {
      if (furthest == SharedBy::nothing) break;
      const Verdict verdict = share_memory();
      if (verdict == Verdict::lost) return give_up();
      if (verdict == Verdict::yes) break;
      is_crowded = somebody_has_no_room();
      way = is_crowded ? SharedBy::nothing : next_way(furthest);
    } else {
      way = furthest;  // somebody knows already that what comes before does not work
    }
    if (binding_.block) retired_.push_back(std::move(binding_.block));
    binding_.heap = nullptr;
  }
  if (binding_.heap) binding_.heap->unlink();
  if (!binding_.heap && process_.settings().transport != TransportChoice::mpi) {
    log(LogLevel::info, "no memory is shared by the {} ranks: they use MPI's messages",
        binding_.size);
  }
  if (binding_.size > 1 && !deaths_are_noticed() && (!binding_.heap || !binding_.is_one_node())) {
    tell_that_deaths_end_the_job(
        process_.settings(),
        binding_.heap ? "its ranks are on several nodes" : "its ranks don't share memory",
        binding_.rank == 0);
  }
  // A heap that is full has room again when communicators are freed: the next one may have a part of it.
  if (!is_crowded) process_.set_shared_by(binding_.cards[0].shared_by);
  DETOUR_FAULT_POINT("bound");
  return std::move(binding_);
}

void Binder::forget_retired() {
  for (KnownPart& block : retired_) block.mark_forgotten();
  retired_.clear();
}

// The others learn that this rank is not coming, each when it looks at this rank's word.
Refusal Binder::give_up() {
  if (binding_.block) own_word().seal();
  // Who gave up first knew who is dead; the detector tells the others soon.
  constexpr std::chrono::seconds patience{5};
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!exchange_.has_lost_members() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return Refusal{"a rank has died while its communicator was being prepared"};
}

bool Binder::ranks_settings_differ() const {
  const auto& cards = binding_.cards;
  return std::any_of(cards.begin(), cards.end(),
                     [&](const MemberCard& card) { return card.settings != cards[0].settings; });
}

MemberCard Binder::make_card(SharedBy way) {
  MemberCard card;
  card.shared_by = way;
  card.block_state = reserve_block(way);
  if (card.block_state == BlockState::there) {
    card.heap = binding_.heap->handle();
    card.block_offset = binding_.block.offset();
  }
  card.process = process_.id();
  card.settings = fingerprint(process_.settings()) ^ process_.table().fingerprint();
  card.location = own_location();
  PMPI_Query_thread(&card.thread_level);
  return card;
}

BlockState Binder::reserve_block(SharedBy way) {
  if (way == SharedBy::nothing) return BlockState::no_heap;
  auto heap = process_.heap(way, binding_.cards.size());
  if (!heap.ok()) {
    log(LogLevel::info, "no shared memory: {}", heap.reason());
    return BlockState::no_heap;
  }
  HeapPart block = allocate_part(heap.value(), word_offset(block_) + sizeof(Counter));
  if (!block) {
    log(LogLevel::info, "no room for another communicator in {} bytes of shared memory",
        heap.value()->capacity_bytes());
    return BlockState::no_room;
  }
  block_.create(heap.value()->base(), block.offset());
  Counter::create_at(block.memory() + word_offset(block_));
  binding_.heap = heap.value();
  binding_.block = KnownPart(std::move(block));
  return BlockState::there;
}

bool Binder::somebody_has_no_room() const {
  return std::any_of(binding_.cards.begin(), binding_.cards.end(), [](const MemberCard& card) {
    return card.block_state == BlockState::no_room;
  });
}

Exchange::Result Binder::exchange(const MemberCard& card) {
  return exchange_.gather(std::as_bytes(std::span(&card, 1)),
                          std::as_writable_bytes(std::span(binding_.cards)));
}

Binder::Verdict Binder::share_memory() {
  const bool all_there =
      std::all_of(binding_.cards.begin(), binding_.cards.end(),
                  [](const MemberCard& card) { return card.block_state == BlockState::there; });
  if (!all_there) return Verdict::no;
  const bool opened = open_peers();
  if (opened) watch_peers();
  return binding_.is_one_node() ? agree_on_one_node(opened) : agree_among_nodes(opened);
}

// Of this node only. False if any of them can't be opened.
bool Binder::open_peers() {
  for (int member = 0; member < binding_.size; ++member) {
    const auto at = static_cast<std::size_t>(member);
    const MemberCard& card = binding_.cards[at];
    if (member == binding_.rank || !binding_.is_on_own_node(member)) continue;
    auto peer = process_.peer_heaps().open(card.heap);
    if (!peer.ok()) {
      log(LogLevel::info, "rank {}'s memory can't be opened: {}", member, peer.reason());
      return false;
    }
    binding_.peers[at] = std::move(peer).value();
  }
  return true;
}

// Those of communicators that were known before are watched already.
void Binder::watch_peers() const {
  const std::vector<int> world_ranks = exchange_.world_ranks();
  for (std::size_t at = 0; at < world_ranks.size(); ++at) {
    if (!binding_.peers[at]) continue;
    const MemberCard& card = binding_.cards[at];
    std::string name = "a process of another world";
    if (Deaths::instance().is_noticing() && world_ranks[at] != MPI_UNDEFINED) {
      remember_world_rank(card.process, world_ranks[at]);
      name = DeathNotices::instance().remember(card.process, world_ranks[at], card.heap.pid,
                                               binding_.peers[at]);
    }
    Deaths::instance().add_peer(card.process, card.heap, binding_.peers[at], std::move(name));
  }
  Deaths::instance().settle();
}

// Whoever could not open somebody's memory can't hear all words, but knows the verdict.
Binder::Verdict Binder::agree_on_one_node(bool yes) {
  if (!own_word().raise_to(yes ? said_yes : said_no)) return Verdict::lost;
  return yes ? hear_all_words() : Verdict::no;
}

Binder::Verdict Binder::agree_among_nodes(bool yes) {
  const auto mine = static_cast<std::byte>(yes ? said_yes : said_no);
  std::vector<std::byte> words(binding_.cards.size());
  if (exchange_.gather(std::span(&mine, 1), words) != Exchange::Result::done) return Verdict::lost;
  const bool all = std::all_of(words.begin(), words.end(), [](std::byte word) {
    return word == static_cast<std::byte>(said_yes);
  });
  return all ? Verdict::yes : Verdict::no;
}

// A no counts before a seal: who said it goes on to the next round, and finds out there that somebody is missing.
Binder::Verdict Binder::hear_all_words() {
  Activity activity(binding_.companions());
  const Inside inside(activity);
  const Waiter waiter = waiter_for(binding_.cards.size(), activity);
  bool any_no = false;
  bool any_lost = false;
  for (int member = 0; member < binding_.size; ++member) {
    while (!has_spoken(member)) {
      constexpr std::chrono::milliseconds slice{1};  // then the dead are looked for
      waiter.wait_for(word_of(member), said_yes, WaitClock::now() + slice);
    }
    any_no = any_no || word_of(member).load() == said_no;
    any_lost = any_lost || word_of(member).load() == 0;
  }
  if (any_no) return Verdict::no;
  return any_lost ? Verdict::lost : Verdict::yes;
}

// Its last word, one way or the other. A seal is looked for first: what was said before it counts.
bool Binder::has_spoken(int member) {
  Counter& word = word_of(member);
  if (Deaths::instance().has_died(binding_.card(member).process)) word.seal();
  return word.is_sealed() || word.load() != 0;
}

Counter& Binder::word_of(int member) const {
  return Counter::at(binding_.heap_bytes(member).data() + binding_.card(member).block_offset +
                     word_offset(block_));
}

}  // namespace

bool Binding::is_on_own_node(int member) const {
  return card(member).location.host == card(rank).location.host;
}

std::size_t Binding::node_rank_count() const {
  int count = 0;
  for (int member = 0; member < size; ++member) count += is_on_own_node(member) ? 1 : 0;
  return static_cast<std::size_t>(count);
}

std::vector<PeerId> Binding::companions() const {
  std::vector<PeerId> processes;
  for (int member = 0; member < size; ++member) {
    if (member != rank && is_on_own_node(member)) processes.push_back(card(member).process);
  }
  return processes;
}

bool Binding::threads_may_call_mpi() const {
  return std::all_of(cards.begin(), cards.end(), [](const MemberCard& card) {
    return card.thread_level == MPI_THREAD_MULTIPLE;
  });
}

std::span<std::byte> Binding::heap_bytes(int member) const {
  return member == rank ? heap->bytes() : peers[static_cast<std::size_t>(member)]->bytes();
}

Outcome<Binding> bind(Exchange& exchange, Process& process, const BlockRequest& block) {
  return Binder(exchange, process, block).bind();
}

}  // namespace detour
