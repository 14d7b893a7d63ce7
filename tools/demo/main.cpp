// The demo: an unchanged MPI program trains a net under detourrun, ranks of it are killed, and the
// others go on.
//
//   options         what is asked for
//   job             detourrun, its ranks' logs, signals
//   rank_line       what ranks write into their logs
//   progress        what is known of the job from that
//   mesh_picture    routes, as every rank plans them
//   view, frame     showing it, on a screen or in lines
//   verdict         whether all was as promised
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "demo/job.hpp"
#include "demo/mesh_picture.hpp"
#include "demo/options.hpp"
#include "demo/verdict.hpp"
#include "demo/view.hpp"
#include "exit_status.hpp"
#include "output.hpp"

namespace detour::demo {
namespace {

using Clock = std::chrono::steady_clock;

// Programs are where this one is.
std::string program(const char* name) {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / name).string();
}

std::unique_ptr<View> make_view(const Options& options, const MeshPicture& picture,
                                TextStyle style) {
  const auto size = screen_size();
  const bool has_room =
      size && size->rows >= screen_size_min.rows && size->cols >= screen_size_min.cols;
  if (options.plain || !has_room) return make_plain_view(picture, style);
  return make_screen_view(picture, style);
}

void start(Job& job, const Options& options) {
  const std::string side = std::to_string(mesh_side);
  job.start({program("detourrun"), "--oversubscribe", "--bind-to", "none", "-np",
             std::to_string(rank_count), program("example_training"),
             std::to_string(options.step_count), job.log_folder()},
            {"DETOUR_MESH=" + side + "x" + side, "DETOUR_POLICY=" + options.policy});
}

// To the end of the job, or as long as somebody looks.
void watch(Job& job, Progress& progress, View& view, const std::function<double()>& seconds) {
  constexpr std::chrono::milliseconds patience{50};
  while (!job.is_over() && std::cout) {
    view.show(progress);
    job.listen(patience);
    for (const Victim& victim : progress.take_victims(seconds())) ::kill(victim.pid, SIGKILL);
  }
}

// The last word of detourrun is a line on who died when.
void print_last_words(const std::string& output) {
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("detourrun:")) std::cout << line << "\n";
  }
}

void print_plan(const MeshPicture& picture, const std::vector<int>& dead_ranks) {
  auto words = picture.plan_command(dead_ranks);
  std::cout << "$ detour";
  for (const std::string& word : words) std::cout << " " << word;
  std::cout << "\n" << std::flush;
  words.insert(words.begin(), program("detour"));
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  if (::posix_spawn(&child, arguments[0], nullptr, nullptr, arguments.data(), environ) == 0) {
    ::waitpid(child, nullptr, 0);
  }
}

int report(const Job& job, const Progress& progress, const MeshPicture& picture) {
  std::cout << "\n" << ends_text(progress);
  if (const auto fault = find_fault(progress, job.exit_status())) {
    std::cout << std::flush;
    std::cerr << job.output() << "detour_demo: " << *fault << std::endl;
    return tool::exit_defect;
  }
  std::cout << "\nAll " << progress.alive_count()
            << " survivors have the same loss and the same weights, bit for bit.\n";
  print_last_words(job.output());
  std::cout << "\nThe routes that are left:\n\n";
  print_plan(picture, progress.dead_ranks());
  return tool::exit_fine;
}

int run(const Options& options) {
  const TextStyle style = tool::text_style(false, tool::ColourChoice::automatic);
  const MeshPicture picture(Mesh(mesh_side, mesh_side), options.policy);
  Progress progress(rank_count, options.step_count, options.kills);
  const auto began = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - began).count(); };
  Job job(rank_count, {.line =
                           [&](int rank, const std::string& line) {
                             const auto parsed = parse_rank_line(line);
                             if (parsed) progress.hear(rank, *parsed, seconds());
                           },
                       .log_closed = [&](int rank) { progress.hear_log_closed(rank, seconds()); }});
  start(job, options);
  const auto view = make_view(options, picture, style);
  watch(job, progress, *view, seconds);
  if (!std::cout) return tool::exit_fine;  // unless finish_output() knows better
  view->finish(progress);
  if (job.interruption()) return 128 + *job.interruption();
  return report(job, progress, picture);
}

}  // namespace
}  // namespace detour::demo

int main(int argc, char** argv) {
  try {
    // A reader that goes away shows as a failed write, not as a signal.
    std::signal(SIGPIPE, SIG_IGN);
    const int status = detour::demo::run(detour::demo::parse_options(argc, argv));
    detour::tool::finish_output();
    return status;
  } catch (const std::exception& error) {
    std::cerr << "detour_demo: " << error.what() << std::endl;
    return detour::tool::exit_bad_input;
  }
}
