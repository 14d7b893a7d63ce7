#include "bench/bench_run.hpp"

#include <cstdlib>
#include <iostream>

#include "bench/data_formats.hpp"
#include "bench/line_up.hpp"
#include "bench/measurement.hpp"
#include "bench/mpi_job.hpp"
#include "bench/node_memory.hpp"
#include "bench/progress.hpp"
#include "bench/text_table.hpp"
#include "bench/workload.hpp"
#include "detour/detour.h"
#include "exit_status.hpp"
#include "format.hpp"
#include "output.hpp"

namespace detour::tool {
namespace {

class BenchRun {
 public:
  BenchRun(const BenchOptions& options, const BenchCast& cast)
      : options_(options),
        cast_(cast),
        peers_(cast.peers),
        input_(Pattern::input(options.type, options.operation, peers_.rank(), peers_.count())),
        result_(Pattern::result(options.type, options.operation, peers_.count())) {}

  void run() {
    // The library reads it when it is first used, for the whole process.
    if (options_.transport) ::setenv("DETOUR_TRANSPORT", options_.transport->c_str(), 1);
    do_on_first_rank(peers_, [this] { check_can_write_files(); });
    const int rank_count_on_node = peers_.count_on_node();
    const Workload workload = make_workload(options_, peers_, rank_count_on_node, report_.notes);
    report_.buckets = workload.buckets;
    if (report_.buckets && !mpi_takes_many_threads()) {
      report_.notes.push_back(
          "MPI takes calls of one thread only: between nodes, Detour's nonblocking calls are "
          "MPI's");
    }
    const auto buffers = allocate_buffers(options_, workload, peers_, rank_count_on_node);
    fill_in_facts();
    const auto line_up = cast_.make_line_up(report_.notes);
    for (const Contestant& one : line_up->contestants()) report_.series.push_back(one.series);
    if (!line_up->has(SeriesRole::subject)) throw Refused("nothing to measure: " + joined_notes());
    if (report_.twin && !line_up->has(SeriesRole::twin)) {
      throw Refused("nothing to compare with: " + joined_notes());
    }
    measure(workload.steps, *line_up, *buffers);
    do_on_first_rank(peers_, [this] { write(); });
  }

 private:
  bool speaks() const { return peers_.rank() == 0; }
  bool streams_table() const {
    return options_.format == OutputFormat::table && !options_.output_path &&
           !options_.svg_to_stdout();
  }

  void fill_in_facts() {
    report_.version = Detour_Version();
    report_.rank_count = peers_.count();
    report_.type = options_.type.name;
    report_.operation = name_of(options_.operation);
    report_.in_place = options_.in_place;
    report_.validated = options_.validate;
    report_.memory = options_.memory_from_detour ? "detour" : "malloc";
    report_.transport = options_.transport.value_or("");
    report_.lost_rank_count = cast_.lost_rank_count;
    report_.twin = cast_.twin;
    if (options_.wants_limit()) {
      report_.limit_gbs = options_.limit_gbs ? options_.limit_gbs : measure_copy_gbs(peers_);
    }
  }

  std::string joined_notes() const {
    std::string text;
    for (const std::string& note : report_.notes) text += (text.empty() ? "" : "; ") + note;
    return text;
  }

  RoundCounts rounds_for(std::uint64_t bytes) const {
    RoundCounts rounds = usual_round_counts(bytes);
    rounds.timed = options_.timed_rounds.value_or(rounds.timed);
    rounds.warm_up = options_.warm_up_rounds.value_or(rounds.warm_up);
    rounds.budget_s = options_.budget_s;
    return rounds;
  }

  static std::string progress_words(const std::vector<Step>& steps, std::size_t index) {
    const Step& step = steps[index];
    if (step.messages.size() > 1) return "measuring steps " + step.text();
    return "measuring size " + std::to_string(index + 1) + " of " + std::to_string(steps.size()) +
           ": " + size(step.bytes());
  }

  void measure(const std::vector<Step>& steps, const LineUp& line_up, BenchBuffers& buffers) {
    Progress progress(speaks() && (options_.progress || stderr_is_terminal()));
    Measurement measurement(peers_, buffers, input_, result_, options_.validate);
    if (speaks() && streams_table()) std::cout << table_head(report_) << std::flush;
    for (std::size_t index = 0; index < steps.size(); ++index) {
      progress.show(progress_words(steps, index));
      report_.sizes.push_back(measurement.run(line_up.contestants(), steps[index],
                                              rounds_for(steps[index].bytes()), report_.notes));
      progress.clear();
      if (speaks() && streams_table()) {
        std::cout << table_rows(report_, report_.sizes.back()) << std::flush;
      }
    }
  }

  std::string whole_output() const {
    if (options_.format == OutputFormat::csv) return to_csv(report_);
    if (options_.format == OutputFormat::json) return to_json(report_);
    std::string text = table_head(report_);
    for (const SizeResult& size : report_.sizes) text += table_rows(report_, size);
    return text + table_notes(report_);
  }

  void check_can_write_files() const {
    if (options_.svg_path && !options_.svg_to_stdout()) check_can_write(*options_.svg_path);
    if (options_.output_path) check_can_write(*options_.output_path);
  }

  void write() const {
    if (options_.svg_path && !options_.svg_to_stdout()) {
      write_file(*options_.svg_path, plot_svg(report_, options_.plot));
    }
    if (options_.output_path) write_file(*options_.output_path, whole_output());
    if (options_.svg_to_stdout()) {
      std::cout << plot_svg(report_, options_.plot);
    } else if (streams_table()) {
      std::cout << table_notes(report_);
    } else if (!options_.output_path) {
      std::cout << whole_output();
    }
    finish_output();
  }

  const BenchOptions& options_;
  const BenchCast& cast_;
  MpiPeers& peers_;
  Pattern input_;
  Pattern result_;
  BenchReport report_{};
};

}  // namespace

void run_bench(const BenchOptions& options) {
  MpiPeers peers(MPI_COMM_WORLD);
  const LineUpOptions line_up{.type = options.type,
                              .operation = options.operation,
                              .policies = options.policies,
                              .with_mpi = options.with_mpi,
                              .with_twin = options.with_twin,
                              .both_ways = options.buckets.has_value()};
  BenchCast cast{.peers = peers, .make_line_up = [&](std::vector<std::string>& notes) {
                   return std::make_unique<LineUp>(line_up, peers, notes);
                 }};
  if (options.with_twin) cast.twin = TwinKind::without_fault_tolerance;
  run_bench(options, cast);
}

void run_bench(const BenchOptions& options, const BenchCast& cast) {
  BenchRun(options, cast).run();
}

}  // namespace detour::tool
