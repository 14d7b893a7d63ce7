// What is reduced: every predefined datatype with every operation that it allows, Detour's own
// datatypes, and a user's.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "elements.hpp"

namespace detour::parity {

struct Operation {
  std::string name;
  MPI_Op op;
  std::unique_ptr<Elements> elements;
  bool mpi_is_right;  // the result of MPI's own function can be compared to the bit
};

struct Subject {
  std::string name;
  MPI_Datatype type;
  std::vector<Operation> operations;  // at least one
  bool is_predefined;
  bool is_users;  // made by the test; gaps in it are not to be written to
};

class Subjects {
 public:
  Subjects();
  ~Subjects();
  Subjects(const Subjects&) = delete;
  Subjects& operator=(const Subjects&) = delete;

  // The predefined ones first.
  const std::vector<Subject>& all() const { return all_; }
  std::size_t predefined_count() const { return predefined_count_; }

 private:
  void add_with_allowed_operations(MPI_Datatype type, const std::string& name, bool is_predefined);

  std::vector<Subject> all_;
  std::size_t predefined_count_ = 0;
};

}  // namespace detour::parity
