#include "shim/fortran/arguments.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace detour::shim {
namespace {

// The addresses that one of Fortran's constants may have, under the names that compilers may give to it.
class Constant {
 public:
  using Names = std::array<const char*, 4>;

  // Open MPI itself has a variable of that name, and the dynamic linker makes it and the program's one. Where
  // there is none, nobody can have passed its address.
  explicit Constant(const Names& names) {
    std::transform(names.begin(), names.end(), addresses_.begin(),
                   [](const char* name) { return dlsym(RTLD_DEFAULT, name); });
  }

  bool is(const void* address) const {
    return address != nullptr &&
           std::find(addresses_.begin(), addresses_.end(), address) != addresses_.end();
  }

 private:
  std::array<const void*, 4> addresses_{};
};

struct Constants {
  Constant in_place{{"mpi_fortran_in_place_", "mpi_fortran_in_place__", "mpi_fortran_in_place",
                     "MPI_FORTRAN_IN_PLACE"}};
  Constant bottom{
      {"mpi_fortran_bottom_", "mpi_fortran_bottom__", "mpi_fortran_bottom", "MPI_FORTRAN_BOTTOM"}};
  Constant status_ignore{{"mpi_fortran_status_ignore_", "mpi_fortran_status_ignore__",
                          "mpi_fortran_status_ignore", "MPI_FORTRAN_STATUS_IGNORE"}};
  Constant statuses_ignore{{"mpi_fortran_statuses_ignore_", "mpi_fortran_statuses_ignore__",
                            "mpi_fortran_statuses_ignore", "MPI_FORTRAN_STATUSES_IGNORE"}};
};

const Constants& constants() {
  static const Constants found;
  return found;
}

std::size_t length(int count) {
  return static_cast<std::size_t>(std::max(count, 0));
}

}  // namespace

void* buffer_of(void* buffer) {
  if (constants().in_place.is(buffer)) return MPI_IN_PLACE;
  return constants().bottom.is(buffer) ? MPI_BOTTOM : buffer;
}

const void* buffer_of(const void* buffer) {
  return buffer_of(const_cast<void*>(buffer));
}

Statuses::Statuses(MPI_Fint* statuses, int count)
    : fortran_(statuses),
      is_ignored_(constants().status_ignore.is(statuses) ||
                  constants().statuses_ignore.is(statuses)) {
  if (is_ignored_) return;
  statuses_.resize(length(count));
  for (std::size_t i = 0; i < statuses_.size(); ++i) {
    PMPI_Status_f2c(fortran_ + i * fint_count, &statuses_[i]);
  }
}

void Statuses::store() const {
  for (std::size_t i = 0; i < statuses_.size(); ++i) {
    PMPI_Status_c2f(&statuses_[i], fortran_ + i * fint_count);
  }
}

Requests::Requests(MPI_Fint* requests, int count) : fortran_(requests), requests_(length(count)) {
  std::transform(requests, requests + requests_.size(), requests_.begin(), PMPI_Request_f2c);
}

void Requests::store() const {
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (requests_[i] == MPI_REQUEST_NULL) fortran_[i] = PMPI_Request_c2f(MPI_REQUEST_NULL);
  }
}

}  // namespace detour::shim
