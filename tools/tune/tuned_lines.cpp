#include "tune/tuned_lines.hpp"

#include <algorithm>
#include <cmath>

#include "tune/choice.hpp"

namespace detour::tool {
namespace {

using Lines = std::vector<SelectionLine>;

SelectionLine line_for(const Way& way) {
  SelectionLine line{.operation = CallKind::allreduce,
                     .nodes = {},
                     .policies = {way.policy},
                     .chunk_bytes = way.chunk_bytes,
                     .stores = way.stores};
  if (way.policy != "tree") line.policies.emplace_back("tree");
  return line;
}

void add_lines(Lines& lines, const JobTimes& job, const std::vector<Choice>& choices,
               int rank_count_min) {
  for (std::size_t index = 0; index < choices.size(); ++index) {
    const Choice& choice = choices[index];
    SelectionLine line = line_for(choice.way);
    line.nodes = job.nodes;
    line.rank_count_min = rank_count_min;
    line.bytes_min =
        index == 0 ? choice.bytes : boundary_bytes(choices[index - 1].bytes, choice.bytes);
    lines.push_back(std::move(line));
  }
}

// The last one that holds, nothing if none does.
const SelectionLine* line_in(const Lines& lines, const Situation& situation) {
  const auto found = std::find_if(lines.rbegin(), lines.rend(), [&](const SelectionLine& line) {
    return line.holds_for(situation);
  });
  return found == lines.rend() ? nullptr : &*found;
}

bool say_the_same(const SelectionLine* one, const SelectionLine* other) {
  if (one == nullptr || other == nullptr) return one == other;
  return one->policies == other->policies && one->chunk_bytes == other->chunk_bytes &&
         one->stores == other->stores;
}

// What lines say changes only where one of them begins.
bool say_the_same(const Lines& some, const Lines& others) {
  for (const SelectionLine& by_ranks : some) {
    for (const SelectionLine& by_bytes : some) {
      const Situation corner{.operation = CallKind::allreduce,
                             .nodes = by_ranks.nodes.value_or(NodeLayout::one),
                             .rank_count = by_ranks.rank_count_min,
                             .bytes = by_bytes.bytes_min};
      if (!say_the_same(line_in(some, corner), line_in(others, corner))) return false;
    }
  }
  return true;
}

// A line may turn out to be superfluous only after another one is gone.
Lines without_superfluous(Lines lines) {
  for (std::size_t index = 0; index < lines.size();) {
    Lines fewer = lines;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(index));
    if (say_the_same(lines, fewer)) {
      lines = std::move(fewer);
      index = 0;
    } else {
      ++index;
    }
  }
  return lines;
}

// Over all that was measured and that a line holds for.
class Gains {
 public:
  void add(const Choice& choice) {
    is_built_in_ = is_built_in_ && choice.is_built_in;
    if (!choice.gain) return;
    logarithms_ += std::log(choice.gain->ratio);
    ++count_;
  }
  bool is_built_in() const { return is_built_in_; }
  std::optional<double> mean() const {
    if (count_ == 0) return std::nullopt;
    return std::exp(logarithms_ / count_);
  }

 private:
  bool is_built_in_ = true;
  double logarithms_ = 0;
  int count_ = 0;
};

}  // namespace

std::vector<TunedLine> tuned_lines(std::span<const JobTimes> jobs) {
  Lines lines;
  std::vector<std::vector<Choice>> choices;
  for (std::size_t index = 0; index < jobs.size(); ++index) {
    const int rank_count = jobs[index].rank_count;
    choices.push_back(choose(jobs[index]));
    add_lines(
        lines, jobs[index], choices.back(),
        index == 0 ? rank_count : boundary_rank_count(jobs[index - 1].rank_count, rank_count));
  }
  lines = without_superfluous(std::move(lines));
  std::vector<Gains> gains(lines.size());
  for (std::size_t index = 0; index < jobs.size(); ++index) {
    for (const Choice& choice : choices[index]) {
      const SelectionLine* const line = line_in(lines, {.operation = CallKind::allreduce,
                                                        .nodes = jobs[index].nodes,
                                                        .rank_count = jobs[index].rank_count,
                                                        .bytes = choice.bytes});
      gains[static_cast<std::size_t>(line - lines.data())].add(choice);
    }
  }
  std::vector<TunedLine> tuned;
  for (std::size_t index = 0; index < lines.size(); ++index) {
    tuned.push_back({lines[index], gains[index].is_built_in(), gains[index].mean()});
  }
  return tuned;
}

std::uint64_t boundary_bytes(std::uint64_t below, std::uint64_t above) {
  constexpr double kib = 1 << 10;
  const double middle = std::sqrt(static_cast<double>(below) * static_cast<double>(above));
  const auto rounded = static_cast<std::uint64_t>(std::round(middle / kib) * kib);
  return rounded > below && rounded < above ? rounded : above;
}

int boundary_rank_count(int below, int above) {
  return static_cast<int>(std::ceil(std::sqrt(static_cast<double>(below) * above)));
}

}  // namespace detour::tool
