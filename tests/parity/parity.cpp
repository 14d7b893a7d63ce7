// Compares Detour's collective operations with what they should give, for combinations of datatype,
// operation, count, place, policy and group of ranks. A job of any number of ranks; the transport is
// what DETOUR_TRANSPORT says.
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <iostream>

#include "detour/routing/registry.hpp"
#include "draw.hpp"
#include "error_cases.hpp"
#include "ledger.hpp"
#include "watch.hpp"

namespace {

using namespace detour::parity;

struct Options {
  std::uint64_t seed = 1;
  std::size_t combination_count = 320;
  std::size_t other_count = 80;
  bool whole = false;
  double seconds = 0;
  bool cover = false;
  unsigned progress_seconds = 0;
  unsigned patience_seconds = 60;
  std::string only;
};

// Whatever is wrong with the arguments, one rank says it.
int read_arguments(int argc, char** argv, int rank, Options& options) {
  CLI::App app("Compares Detour's collective operations with what they should give.");
  app.add_option("--seed", options.seed, "of the choice and of the data");
  app.add_option("--combinations", options.combination_count, "sample of the product");
  app.add_option("--others", options.other_count, "sample of all that is not in the product");
  app.add_flag("--whole", options.whole, "the whole product instead of a sample");
  app.add_option("--seconds", options.seconds, "stop after that time; 0: at the end");
  app.add_flag("--cover", options.cover, "fail if anything in the product was never tried");
  app.add_option("--progress", options.progress_seconds, "tell how far it is, that often");
  app.add_option("--patience", options.patience_seconds, "seconds for a combination");
  app.add_option("--only", options.only, "one combination, as a complaint writes it");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int status = rank == 0 ? app.exit(error) : error.get_exit_code();
    return status == 0 ? -1 : 2;
  }
  return 0;
}

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const detour::Policy* policy : detour::PolicyRegistry::instance().all()) {
    names.emplace_back(policy->name());
  }
  return names;
}

// How far it is, every so many seconds; never if that is 0.
class Progress {
 public:
  Progress(unsigned interval_seconds, std::size_t total)
      : interval_(interval_seconds), total_(total) {}

  void tell(std::size_t done, std::size_t wrong) {
    const auto now = Clock::now();
    if (interval_.count() == 0 || now - last_ < interval_) return;
    last_ = now;
    std::cout << "progress: " << done << " of " << total_ << " combinations, " << wrong << " wrong"
              << std::endl;
  }

 private:
  using Clock = std::chrono::steady_clock;
  const std::chrono::seconds interval_;
  const std::size_t total_;
  Clock::time_point last_ = Clock::now();
};

class Run {
 public:
  Run(const Options& options, int rank)
      : options_(options),
        rank_(rank),
        universe_{subjects_.all(), subjects_.predefined_count(), policy_names()},
        ledger_(universe_) {}

  // The exit status.
  int all();
  int one();

 private:
  std::vector<Combination> choose() const;
  void try_all(const std::vector<Combination>& combinations);
  void try_one(const Combination& combination);
  void try_wrong_calls();
  bool is_time_up() const;
  void print_summary(std::size_t chosen_count) const;

  const Options& options_;
  const int rank_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  const Subjects subjects_;
  const Universe universe_;
  Teams teams_;
  Ledger ledger_;
  std::size_t error_case_count_ = 0;
  std::size_t error_complaint_count_ = 0;
};

// The others come evenly between those of the product.
std::vector<Combination> Run::choose() const {
  std::vector<Combination> chosen =
      options_.whole ? whole_product(universe_, options_.seed)
                     : sample_of_product(universe_, options_.combination_count, options_.seed);
  const auto others = sample_of_others(universe_, options_.other_count, options_.seed + 1);
  std::vector<Combination> woven;
  std::size_t other = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    for (; other * chosen.size() < i * others.size(); ++other) woven.push_back(others[other]);
    woven.push_back(chosen[i]);
  }
  woven.insert(woven.end(), others.begin() + static_cast<std::ptrdiff_t>(other), others.end());
  return woven;
}

bool Run::is_time_up() const {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began_;
  return options_.seconds > 0 && passed.count() > options_.seconds;
}

void Run::try_one(const Combination& combination) {
  expect_end_of(text_of(combination, universe_), options_.patience_seconds);
  const Team& team = teams_.find(combination.group, universe_.policies[combination.policy]);
  ledger_.add(combination, try_out(combination, universe_, team));
}

void Run::try_all(const std::vector<Combination>& combinations) {
  Progress progress(rank_ == 0 ? options_.progress_seconds : 0, combinations.size());
  for (const Combination& combination : combinations) {
    try_one(combination);
    if (!ledger_.is_due()) continue;
    if (ledger_.settle(is_time_up())) return;
    progress.tell(ledger_.combination_count(), ledger_.wrong_count());
  }
  ledger_.settle(false);
}

void Run::try_wrong_calls() {
  for (const std::string& policy : universe_.policies) {
    expect_end_of("wrong calls with policy " + policy, options_.patience_seconds);
    const auto report = try_error_cases(teams_.find(Group::world, policy), options_.seed);
    error_case_count_ += report.case_count;
    error_complaint_count_ += report.complaints.size();
    if (rank_ != 0) continue;
    for (const std::string& complaint : report.complaints) {
      std::cerr << "parity: policy " << policy << ": " << complaint
                << "; once more: --combinations 0 --others 0 --seed " << options_.seed << std::endl;
    }
  }
}

void Run::print_summary(std::size_t chosen_count) const {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* transport = std::getenv("DETOUR_TRANSPORT");
  std::cout << "parity: " << ledger_.combination_count() << " of " << chosen_count
            << " combinations on " << size << " ranks over "
            << (transport == nullptr ? "auto" : transport) << ", seed " << options_.seed << ": "
            << ledger_.wrong_count() << " wrong; " << error_case_count_
            << " wrong calls: " << error_complaint_count_ << " badly met" << std::endl;
  ledger_.print_coverage();
}

int Run::all() {
  const std::vector<Combination> chosen = choose();
  try_all(chosen);
  const bool is_own_work = teams_.operation_count() >= ledger_.own_count();
  if (!is_own_work) std::cerr << "parity: calls were left to MPI" << std::endl;
  try_wrong_calls();
  if (rank_ == 0) print_summary(chosen.size());
  const std::string missing = options_.cover ? ledger_.missing() : "";
  if (!missing.empty() && rank_ == 0) std::cerr << "parity: never tried:" << missing << std::endl;
  const bool is_short = options_.seconds == 0 && ledger_.combination_count() < chosen.size();
  const bool is_well = ledger_.wrong_count() == 0 && error_complaint_count_ == 0;
  return is_well && is_own_work && missing.empty() && !is_short ? 0 : 1;
}

int Run::one() {
  const auto combination = combination_of(options_.only, universe_);
  if (!combination) {
    if (rank_ == 0) std::cerr << "parity: no such combination: " << options_.only << std::endl;
    return 2;
  }
  try_one(*combination);
  ledger_.settle(false);
  if (rank_ == 0) std::cout << "parity: " << ledger_.wrong_count() << " wrong" << std::endl;
  return ledger_.wrong_count() == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  Options options;
  int status = read_arguments(argc, argv, rank, options);
  if (status == 0) {
    Run run(options, rank);
    status = options.only.empty() ? run.all() : run.one();
  }
  MPI_Finalize();
  return status < 0 ? 0 : status;
}
