#include "draw.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace detour::parity {
namespace {

using Random = std::mt19937_64;

// The standard library's distributions differ between its versions, these draws don't.
std::size_t below(std::size_t end, Random& random) {
  return static_cast<std::size_t>(random() % end);
}

template <class Value>
void shuffle(std::vector<Value>& values, Random& random) {
  for (std::size_t i = values.size(); i > 1; --i)
    std::swap(values[i - 1], values[below(i, random)]);
}

// Hands out the values in random order, and all of them before any comes again.
class Bag {
 public:
  Bag(std::vector<std::size_t> values, Random& random)
      : values_(std::move(values)), random_(random) {}

  std::size_t next() {
    if (left_ == 0) {
      shuffle(values_, random_);
      left_ = values_.size();
    }
    return values_[--left_];
  }

 private:
  std::vector<std::size_t> values_;
  std::size_t left_ = 0;
  Random& random_;
};

std::vector<std::size_t> numbers_below(std::size_t end) {
  std::vector<std::size_t> numbers(end);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

// How often each count comes in a round of the bag: what takes long is rare.
std::vector<std::size_t> weighted_counts() {
  constexpr std::array<std::size_t, counts.size()> weights{12, 16, 16, 16, 24, 24, 3, 1};
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < counts.size(); ++i) all.insert(all.end(), weights[i], counts[i]);
  return all;
}

class Draw {
 public:
  Draw(const Universe& universe, std::size_t first_subject, std::size_t end_subject,
       std::uint64_t seed)
      : random_(seed),
        subjects_(subjects_between(first_subject, end_subject), random_),
        counts_(weighted_counts(), random_),
        policies_(numbers_below(universe.policies.size()), random_),
        places_(numbers_below(2), random_) {
    for (const Subject& subject : universe.subjects) {
      operations_.emplace_back(numbers_below(subject.operations.size()), random_);
    }
  }

  Combination next() {
    Combination drawn;
    drawn.subject = subjects_.next();
    drawn.operation = operations_[drawn.subject].next();
    drawn.count = counts_.next();
    drawn.in_place = places_.next() == 1;
    drawn.policy = policies_.next();
    drawn.seed = random_();
    return drawn;
  }

  std::size_t number_below(std::size_t end) { return below(end, random_); }

 private:
  static std::vector<std::size_t> subjects_between(std::size_t first, std::size_t end) {
    std::vector<std::size_t> between(end - first);
    std::iota(between.begin(), between.end(), first);
    return between;
  }

  Random random_;
  Bag subjects_;
  std::vector<Bag> operations_;
  Bag counts_;
  Bag policies_;
  Bag places_;
};

}  // namespace

std::vector<Combination> whole_product(const Universe& universe, std::uint64_t seed) {
  std::vector<Combination> all;
  Random random(seed);
  Combination next;
  for (next.subject = 0; next.subject < universe.predefined_count; ++next.subject) {
    const std::size_t operation_count = universe.subject(next).operations.size();
    for (next.operation = 0; next.operation < operation_count; ++next.operation) {
      for (const std::size_t count : counts) {
        next.count = count;
        for (next.policy = 0; next.policy < universe.policies.size(); ++next.policy) {
          for (const bool in_place : {false, true}) {
            next.in_place = in_place;
            next.seed = random();
            all.push_back(next);
          }
        }
      }
    }
  }
  shuffle(all, random);
  return all;
}

std::vector<Combination> sample_of_product(const Universe& universe, std::size_t combination_count,
                                           std::uint64_t seed) {
  Draw draw(universe, 0, universe.predefined_count, seed);
  std::vector<Combination> sample(combination_count);
  std::generate(sample.begin(), sample.end(), [&] { return draw.next(); });
  return sample;
}

// Half of them with the few datatypes that the product hasn't got.
std::vector<Combination> sample_of_others(const Universe& universe, std::size_t combination_count,
                                          std::uint64_t seed) {
  Draw predefined(universe, 0, universe.predefined_count, seed);
  Draw unusual(universe, universe.predefined_count, universe.subjects.size(), seed + 1);
  std::vector<Combination> sample(combination_count);
  for (std::size_t i = 0; i < combination_count; ++i) {
    Draw& draw = i % 2 == 0 ? unusual : predefined;
    sample[i] = draw.next();
    sample[i].kind = static_cast<Kind>(i / 2 % kind_names.size());
    sample[i].group = static_cast<Group>(draw.number_below(group_names.size()));
    sample[i].root = static_cast<int>(draw.number_below(1024));
  }
  return sample;
}

}  // namespace detour::parity
