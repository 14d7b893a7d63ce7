// A rank of a job in which ranks are killed: carries out a script and checks every result, alone and without knowing who is
// going to die. What it finds goes into its file, see rank_file.hpp.
//
//   kills_api, kills_mpi FOLDER SEED STEP_COUNT KINDS TEAMS
#include <mpi.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <random>
#include <thread>

#include "calls.hpp"
#include "trial.hpp"

namespace {

using namespace detour::kills;

class Subject {
 public:
  Subject(RankFile& file, const std::string& folder, const ScriptOptions& options, int rank);

  void wait_at_the_gate() const;
  void run();

 private:
  const TeamComm& team(const Step& step) const {
    return teams_[static_cast<std::size_t>(step.team)];
  }
  void add_team(MPI_Comm comm, Team team, std::uint64_t salt);
  void begin(std::uint32_t number);
  void complete_all(std::uint32_t current);
  void close(Trial& trial, bool was_last);
  void check_that_all_have_come(std::uint32_t number) const;
  void dawdle();
  [[noreturn]] void complain(std::uint32_t number, const std::string& words) const;
  [[noreturn]] void complain(const std::string& text) const;

  RankFile& file_;
  const std::vector<Step> script_;
  const MpiElements elements_;
  SharedMemory shared_;
  std::vector<TeamComm> teams_;
  std::vector<const RankFile*> all_files_;
  std::vector<std::unique_ptr<Trial>> pending_;
  std::mt19937_64 own_random_;
};

// Those who lived when it was made.
std::vector<int> world_ranks_of(MPI_Comm comm) {
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Group members = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Comm_group(comm, &members);
  int size = 0;
  MPI_Group_size(members, &size);
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<int> translated(ranks.size());
  MPI_Group_translate_ranks(members, size, ranks.data(), world, translated.data());
  MPI_Group_free(&members);
  MPI_Group_free(&world);
  return translated;
}

Subject::Subject(RankFile& file, const std::string& folder, const ScriptOptions& options, int rank)
    : file_(file),
      script_(draw_script(options)),
      own_random_(options.seed + static_cast<std::uint64_t>(rank)) {
  const int half_number = 2 * rank / options.rank_count;
  MPI_Comm twin = MPI_COMM_NULL;
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  // A mesh that is given is one for all ranks.
  const bool has_halves = std::getenv("DETOUR_MESH") == nullptr;
  if (has_halves) MPI_Comm_split(MPI_COMM_WORLD, half_number, -rank, &half);
  add_team(MPI_COMM_WORLD, Team::world, 0);
  add_team(twin, Team::twin, 0);
  add_team(half, Team::half, static_cast<std::uint64_t>(half_number) + 1);
  for (int other = 0; other < options.rank_count; ++other) {
    all_files_.push_back(&open_rank_file(rank_file_path(folder, other)));
  }
}

void Subject::add_team(MPI_Comm comm, Team team, std::uint64_t salt) {
  TeamComm made{comm, 0, {}, salt};
  if (comm != MPI_COMM_NULL) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    prepare(comm);
    MPI_Comm_rank(comm, &made.rank);
    made.world_ranks = world_ranks_of(comm);
  }
  std::uint64_t& ranks = file_.team_ranks[teams_.size()];
  for (const int rank : made.world_ranks) ranks |= std::uint64_t{1} << rank;
  if (made.world_ranks != team_members(team, ranks)) complain("a team's ranks are in disorder");
  teams_.push_back(std::move(made));
}

void Subject::wait_at_the_gate() const {
  while (!file_.gate_is_open.load()) std::this_thread::sleep_for(std::chrono::microseconds(100));
}

void Subject::run() {
  for (std::uint32_t number = 0; number < script_.size(); ++number) {
    begin(number);
    if (script_[number].waits_for_all) complete_all(number);
    dawdle();
  }
}

void Subject::begin(std::uint32_t number) {
  const Step& step = script_[number];
  if (team(step).comm == MPI_COMM_NULL) complain(number, "the communicator could not be made");
  auto trial = std::make_unique<Trial>(step, number, team(step), elements_, shared_);
  file_.records[number].state.store(RecordState::entered);
  file_.entered_count.store(number + 1);
  trial->call();
  if (step.kind == Kind::iallreduce) {
    pending_.push_back(std::move(trial));
    return;
  }
  if (step.kind == Kind::barrier) check_that_all_have_come(number);
  close(*trial, true);
}

// One after the other, or all at once, as it comes.
void Subject::complete_all(std::uint32_t current) {
  if (pending_.size() == 1 || own_random_() % 2 == 0) {
    for (const auto& trial : pending_) {
      if (trial->request() == MPI_REQUEST_NULL) continue;
      trial->set_error(KILLS_CALL(Wait)(&trial->request(), MPI_STATUS_IGNORE));
    }
  } else if (!pending_.empty()) {
    std::vector<MPI_Request> requests;
    for (const auto& trial : pending_) requests.push_back(trial->request());
    std::vector<MPI_Status> statuses(requests.size());
    const int error =
        KILLS_CALL(Waitall)(static_cast<int>(requests.size()), requests.data(), statuses.data());
    for (std::size_t at = 0; at < pending_.size(); ++at) {
      pending_[at]->request() = requests[at];
      pending_[at]->set_error(error == MPI_ERR_IN_STATUS ? statuses[at].MPI_ERROR : error);
    }
  }
  for (const auto& trial : pending_) {
    close(*trial, pending_.size() == 1 && trial->number() == current);
  }
  pending_.clear();
}

// One that was not the last to end on its communicator can't be asked about any more.
void Subject::close(Trial& trial, bool was_last) {
  const Finding finding = trial.check(was_last);
  Record& record = file_.records[trial.number()];
  record.outcome = finding.outcome;
  record.digest = finding.digest;
  record.contributors = finding.contributors;
  record.state.store(RecordState::returned);
  if (!finding.complaint.empty()) complain(trial.number(), finding.complaint);
}

void Subject::check_that_all_have_come(std::uint32_t number) const {
  for (const int rank : team(script_[number]).world_ranks) {
    const RankFile& other = *all_files_[static_cast<std::size_t>(rank)];
    if (other.entered_count.load() <= number && !other.is_doomed.load()) {
      complain(number, "rank " + std::to_string(rank) + " has not come to the barrier");
    }
  }
}

// Now and then a rank computes while others wait.
void Subject::dawdle() {
  if (own_random_() % 8 != 0) return;
  std::this_thread::sleep_for(std::chrono::microseconds(own_random_() % 1000));
}

void Subject::complain(std::uint32_t number, const std::string& words) const {
  complain("step " + std::to_string(number) + ", " + text_of(script_[number]) + ": " + words);
}

// The harness ends the job, so that nothing that happens now hides what has happened.
void Subject::complain(const std::string& text) const {
  file_.complaint[text.copy(file_.complaint, sizeof file_.complaint - 1)] = '\0';
  file_.has_complaint.store(true);
  for (;;) pause();
}

}  // namespace

int main(int argc, char** argv) {
  const char* const rank_text = std::getenv("OMPI_COMM_WORLD_RANK");
  if (argc != 6 || rank_text == nullptr) return 2;
  const std::string folder = argv[1];
  RankFile& file = open_rank_file(rank_file_path(folder, std::atoi(rank_text)));
  file.pid.store(getpid());
  file.phase.store(Phase::started);
  MPI_Init(&argc, &argv);
  int rank = 0;
  ScriptOptions options{.seed = std::strtoull(argv[2], nullptr, 10),
                        .step_count = static_cast<std::uint32_t>(std::atoi(argv[3])),
                        .kinds = parse_kinds(argv[4]),
                        .teams = parse_teams(argv[5])};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &options.rank_count);
  {
    Subject subject(file, folder, options, rank);
    file.phase.store(Phase::initialized);
    subject.wait_at_the_gate();
    file.phase.store(Phase::running);
    subject.run();
    file.phase.store(Phase::finalizing);
  }
  MPI_Finalize();
  file.phase.store(Phase::done);
  return 0;
}
