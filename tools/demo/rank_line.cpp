#include "demo/rank_line.hpp"

#include <sstream>

namespace detour::demo {
namespace {

// Names and values in turn. One that is missing, or called otherwise, makes the whole line none.
class Fields {
 public:
  explicit Fields(std::string_view line) : words_(std::string(line)) {}

  template <class Value>
  Fields& take(std::string_view name, Value& value) {
    std::string word;
    if (!(words_ >> word) || word != name || !(words_ >> value)) is_good_ = false;
    return *this;
  }

  Fields& take(std::string_view name) {
    std::string word;
    if (!(words_ >> word) || word != name) is_good_ = false;
    return *this;
  }

  bool are_all() {
    std::string more;
    return is_good_ && !(words_ >> more);
  }

 private:
  std::istringstream words_;
  bool is_good_ = true;
};

}  // namespace

std::optional<RankLine> parse_rank_line(std::string_view line) {
  if (Started started; Fields(line).take("pid", started.pid).are_all()) return started;
  Stepped stepped;
  if (Fields(line)
          .take("step", stepped.step)
          .take("loss", stepped.loss)
          .take("right", stepped.right_percent)
          .take("ranks", stepped.rank_count)
          .take("bytes", stepped.bytes)
          .are_all()) {
    return stepped;
  }
  Ended ended;
  if (Fields(line).take("end").take("loss", ended.loss).take("weights", ended.weights).are_all()) {
    return ended;
  }
  return std::nullopt;
}

}  // namespace detour::demo
