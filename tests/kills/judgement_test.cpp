// That each thing that may go wrong in a job is found: in what the ranks leave, and in the results themselves.
#include <cstring>
#include <functional>
#include <memory>

#include "elements.hpp"
#include "support/catch.hpp"
#include "support/contains.hpp"
#include "verdict.hpp"

namespace {

using namespace detour::kills;
using detour::test::contains;

// Four ranks, of which the last one was killed in step 2, after it had contributed.
struct Example {
  std::vector<Step> script{{.kind = Kind::allreduce, .count = 10},
                           {.kind = Kind::bcast, .count = 10, .root = 3},
                           {.kind = Kind::allreduce, .count = 10},
                           {.kind = Kind::bcast, .count = 10, .root = 3},
                           {.kind = Kind::allreduce, .team = Team::half, .count = 10}};
  std::vector<std::unique_ptr<RankFile>> files;
  std::vector<int> doomed{3};

  Example() {
    for (int rank = 0; rank < 4; ++rank) files.push_back(std::make_unique<RankFile>());
    for (int rank = 0; rank < 4; ++rank) {
      RankFile& file = *files[static_cast<std::size_t>(rank)];
      const bool lives = rank < 3;
      file.team_ranks[0] = 0xf;
      file.team_ranks[1] = 0xf;
      file.team_ranks[2] = rank < 2 ? 0x3 : 0xc;
      file.phase.store(lives ? Phase::done : Phase::running);
      set(rank, 0, Outcome::success, 11, 0xf);
      set(rank, 1, Outcome::success, 12, 0);
      set(rank, 2, Outcome::success, 13, 0xf);
      if (!lives) {
        at(rank, 2).state.store(RecordState::entered);
        continue;
      }
      set(rank, 3, Outcome::process_failed, 0, 0);
      set(rank, 4, Outcome::success, rank < 2 ? 14U : 15U, rank < 2 ? 0x3U : 0x4U);
    }
  }

  Record& at(int rank, std::uint32_t number) {
    return files[static_cast<std::size_t>(rank)]->records[number];
  }

  void set(int rank, std::uint32_t number, Outcome outcome, std::uint64_t digest,
           std::uint64_t contributors) {
    Record& record = at(rank, number);
    record.outcome = outcome;
    record.digest = digest;
    record.contributors = contributors;
    record.state.store(RecordState::returned);
  }

  std::vector<std::string> judge() const {
    std::vector<const RankFile*> pointers;
    for (const auto& file : files) pointers.push_back(file.get());
    return detour::kills::judge(script, pointers, doomed);
  }
};

std::string complaint_about(const std::function<void(Example&)>& spoil) {
  Example example;
  spoil(example);
  const auto complaints = example.judge();
  return complaints.empty() ? "none" : complaints.front();
}

}  // namespace

TEST_CASE("A job that went well is not complained about") {
  CHECK(Example().judge().empty());
}

TEST_CASE("Each way in which ranks can disagree is found") {
  const auto digest = [](Example& job) { job.at(1, 0).digest = 99; };
  CHECK(contains(complaint_about(digest), "step 0, allreduce"));
  CHECK(contains(complaint_about(digest), "ranks differ: 0 has"));
  const auto of_the_dead = [](Example& job) { job.at(3, 0).digest = 99; };
  CHECK(contains(complaint_about(of_the_dead), "ranks differ"));
  const auto contributors = [](Example& job) { job.at(1, 2).contributors = 0x7; };
  CHECK(contains(complaint_about(contributors), "ranks differ"));
  const auto outcome = [](Example& job) { job.at(2, 3).outcome = Outcome::success; };
  CHECK(contains(complaint_about(outcome), "succeeded without a root"));
}

TEST_CASE("Wrong contributors are found, even if all ranks agree on them") {
  const auto missing = [](Example& job) {
    for (int rank = 0; rank < 4; ++rank) job.at(rank, 0).contributors = 0xe;
  };
  CHECK(contains(complaint_about(missing), "not 0 in the result of 0, but it returned"));
  const auto living = [](Example& job) {
    for (int rank = 0; rank < 2; ++rank) job.at(rank, 4).contributors = 0x2;
    job.at(0, 4).state.store(RecordState::entered);
  };
  CHECK(contains(complaint_about(living), "not 0 in the result of 1, but it lives"));
  const auto ghost = [](Example& job) { job.at(2, 4).contributors = 0xc; };
  CHECK(contains(complaint_about(ghost), "3 in the result of 2, but it never came"));
}

TEST_CASE("Ranks that did not finish, or complain, are found") {
  const auto died = [](Example& job) { job.files[1]->phase.store(Phase::running); };
  CHECK(contains(complaint_about(died), "rank 1 has not finished"));
  const auto complained = [](Example& job) {
    std::strcpy(job.files[1]->complaint, "all is wrong");
    job.files[1]->has_complaint.store(true);
  };
  CHECK(contains(complaint_about(complained), "rank 1: all is wrong"));
}

TEST_CASE("Ranks that have different members in a team are found") {
  const auto without = [](Example& job) { job.files[1]->team_ranks[1] = 0x7; };
  CHECK(contains(complaint_about(without), "team 1 is f on rank 0, 7 on rank 1"));
}

TEST_CASE("An error whose root lives is found") {
  const auto no_reason = [](Example& job) {
    for (int rank = 0; rank < 4; ++rank) job.at(rank, 1).outcome = Outcome::process_failed;
    job.doomed.clear();
    job.files[3]->phase.store(Phase::done);
  };
  CHECK(contains(complaint_about(no_reason), "got an error, but its root lives"));
}

TEST_CASE("Sums of every element type tell who is in them") {
  for (std::size_t number = 0; number < element_count(); ++number) {
    for (std::uint64_t salt = 0; salt < 50; ++salt) {
      const Elements elements{number, salt, salt % 7, 1};
      std::vector<std::byte> place(element_bytes(number), blank);
      const Ranks ranks = static_cast<Ranks>(salt * 2654435761U >> 3) & 0xffff;
      fill_with_sum(place.data(), elements, ranks);
      INFO(element_name(number) << ", salt " << salt);
      CHECK(ranks_in(place.data(), elements) == ranks);
    }
  }
}

TEST_CASE("What is no sum is not taken for one") {
  for (std::size_t number = 0; number < element_count(); ++number) {
    if (element_name(number) == "bits") continue;  // every number is one of some ranks
    const Elements elements{number, 5, 0, 1};
    const Elements others{number, 6, 0, 1};
    std::vector<std::byte> place(element_bytes(number), blank);
    INFO(element_name(number));
    CHECK(ranks_in(place.data(), elements) == std::nullopt);
    fill_with_sum(place.data(), others, 0xff);  // of another operation
    CHECK(ranks_in(place.data(), elements) != Ranks{0xff});
  }
}
