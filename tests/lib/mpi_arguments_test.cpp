// Wrong arguments: what we say, and that it is what MPI says where MPI notices.
#include <mpi.h>

#include <vector>

#include "mpi/arguments.hpp"
#include "mpi/plain_reduction.hpp"
#include "support/catch.hpp"
#include "support/mpi_session.hpp"

namespace {

using detour::Member;
using detour::test::OwnType;

constexpr Member only{0, 1};
constexpr Member second_of_three{1, 3};

int error_class(int code) {
  int result = MPI_SUCCESS;
  PMPI_Error_class(code, &result);
  return result;
}

struct Arguments {
  const void* send;
  void* receive;
  int count;
  MPI_Datatype type;
  MPI_Op op;
  bool differs_in_mpi = false;  // passes, crashes, or is another error
};

class Cases : public detour::test::MpiSession {
 public:
  Cases() {
    PMPI_Type_contiguous(1, MPI_INT, &uncommitted);
    MPI_Datatype same = MPI_DATATYPE_NULL;
    PMPI_Type_dup(MPI_INT, &same);
    derived = same;
    PMPI_Op_create([](void*, void*, int*, MPI_Datatype*) {}, 1, &own_op);
    PMPI_Type_vector(2, 1, 2, MPI_INT, &gaps);
    PMPI_Type_commit(&gaps);
    PMPI_Type_contiguous(0, MPI_INT, &empty);
    PMPI_Type_commit(&empty);
  }

  ~Cases() {
    for (MPI_Datatype* type : {&uncommitted, &derived, &gaps, &empty}) PMPI_Type_free(type);
    PMPI_Op_free(&own_op);
  }

 protected:
  int a[16] = {};
  int b[16] = {};
  MPI_Datatype uncommitted = MPI_DATATYPE_NULL;
  MPI_Datatype derived = MPI_DATATYPE_NULL;
  MPI_Datatype gaps = MPI_DATATYPE_NULL;
  MPI_Datatype empty = MPI_DATATYPE_NULL;
  MPI_Op own_op = MPI_OP_NULL;

  // Ours for all reductions of one process, and MPI's.
  void all_reductions(const Arguments& x, int expected) {
    const int* counts = &x.count;
    CHECK(detour::check_allreduce(x.send, x.receive, x.count, x.type, x.op) == expected);
    if (const auto* const plain = detour::find_plain_reduction(x.type, x.op)) {
      CHECK(detour::check_plain_allreduce(x.send, x.receive, x.count,
                                          plain->kernels.element_bytes) == expected);
    }
    CHECK(detour::check_reduce(x.send, x.receive, x.count, x.type, x.op, 0, only) == expected);
    CHECK(detour::check_reduce_scatter(x.send, x.receive, counts, x.type, x.op, only) == expected);
    CHECK(detour::check_reduce_scatter_block(x.send, x.receive, x.count, x.type, x.op, only) ==
          expected);
    if (!x.differs_in_mpi) {
      const MPI_Comm self = MPI_COMM_SELF;
      CHECK(error_class(PMPI_Allreduce(x.send, x.receive, x.count, x.type, x.op, self)) ==
            expected);
      CHECK(error_class(PMPI_Reduce(x.send, x.receive, x.count, x.type, x.op, 0, self)) ==
            expected);
      CHECK(error_class(PMPI_Reduce_scatter(x.send, x.receive, counts, x.type, x.op, self)) ==
            expected);
      CHECK(error_class(PMPI_Reduce_scatter_block(x.send, x.receive, x.count, x.type, x.op,
                                                  self)) == expected);
    }
  }
};

}  // namespace

TEST_CASE_METHOD(Cases, "reductions: sound arguments pass") {
  all_reductions({a, b, 3, MPI_INT, MPI_SUM}, MPI_SUCCESS);
  all_reductions({MPI_IN_PLACE, b, 3, MPI_INT, MPI_SUM}, MPI_SUCCESS);
  all_reductions({nullptr, nullptr, 0, MPI_INT, MPI_SUM}, MPI_SUCCESS);
  all_reductions({a, b, 3, derived, own_op}, MPI_SUCCESS);
  // Open MPI takes even these two for aliased.
  all_reductions({nullptr, nullptr, 3, empty, own_op, true}, MPI_SUCCESS);
  // In each other's gaps.
  CHECK(detour::check_allreduce(a, a + 1, 2, gaps, own_op) == MPI_SUCCESS);
  // Side by side.
  all_reductions({a, a + 3, 3, MPI_INT, MPI_SUM}, MPI_SUCCESS);
}

TEST_CASE_METHOD(Cases, "reductions: those of named datatypes without padding are plain") {
  for (const MPI_Datatype type : {MPI_INT, MPI_FLOAT, MPI_DOUBLE, MPI_C_FLOAT_COMPLEX}) {
    CHECK(detour::find_plain_reduction(type, MPI_SUM) != nullptr);
  }
  const auto* const plain = detour::find_plain_reduction(MPI_DOUBLE, MPI_SUM);
  CHECK(plain->kernels.element_bytes == sizeof(double));
  CHECK(detour::find_plain_reduction(MPI_DOUBLE, MPI_SUM) == plain);
  CHECK(detour::find_plain_reduction(MPI_DOUBLE, MPI_BAND) == nullptr);
  CHECK(detour::find_plain_reduction(MPI_SHORT_INT, MPI_MAXLOC) == nullptr);
  CHECK(detour::find_plain_reduction(MPI_INT, own_op) == nullptr);
  CHECK(detour::find_plain_reduction(derived, MPI_SUM) == nullptr);
  CHECK(detour::find_plain_reduction(MPI_DATATYPE_NULL, MPI_OP_NULL) == nullptr);
  CHECK(detour::find_plain_reduction(MPI_DATATYPE_NULL, MPI_SUM) == nullptr);
}

TEST_CASE_METHOD(Cases, "reductions: counts, datatypes and operations") {
  all_reductions({a, b, -1, MPI_INT, MPI_SUM}, MPI_ERR_COUNT);
  all_reductions({a, b, 1, uncommitted, own_op}, MPI_ERR_TYPE);
  all_reductions({a, b, 0, uncommitted, own_op}, MPI_ERR_TYPE);
  all_reductions({a, b, 1, derived, MPI_SUM}, MPI_ERR_OP);
  for (int count : {0, 1}) {
    // MPI blames the operation for this one.
    all_reductions({a, b, count, MPI_DATATYPE_NULL, MPI_SUM, true}, MPI_ERR_TYPE);
    all_reductions({a, b, count, MPI_INT, MPI_OP_NULL}, MPI_ERR_OP);
    all_reductions({a, b, count, MPI_FLOAT, MPI_BAND}, MPI_ERR_OP);
    all_reductions({a, b, count, MPI_INT, MPI_REPLACE}, MPI_ERR_OP);
    all_reductions({a, b, count, MPI_INT, MPI_NO_OP}, MPI_ERR_OP);
    all_reductions({a, b, count, MPI_C_FLOAT_COMPLEX, MPI_MAX}, MPI_ERR_OP);
    all_reductions({a, b, count, MPI_2INT, MPI_SUM}, MPI_ERR_OP);
  }
}

TEST_CASE_METHOD(Cases, "reductions: null buffers") {
  all_reductions({nullptr, b, 1, MPI_INT, MPI_SUM, true}, MPI_ERR_BUFFER);
  all_reductions({a, nullptr, 1, MPI_INT, MPI_SUM, true}, MPI_ERR_BUFFER);
  all_reductions({nullptr, nullptr, 1, MPI_INT, MPI_SUM, true}, MPI_ERR_BUFFER);
  all_reductions({MPI_IN_PLACE, nullptr, 1, MPI_INT, MPI_SUM, true}, MPI_ERR_BUFFER);
  // Derived, but with no absolute address.
  all_reductions({nullptr, b, 1, derived, own_op, true}, MPI_ERR_BUFFER);

  MPI_Aint address = 0;
  PMPI_Get_address(a, &address);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const int one = 1;
  const MPI_Datatype part = MPI_INT;
  PMPI_Type_create_struct(1, &one, &address, &part, &type);
  const OwnType absolute(type);
  CHECK(detour::check_bcast(MPI_BOTTOM, 1, absolute, 0, only) == MPI_SUCCESS);
}

TEST_CASE_METHOD(Cases, "reductions: buffers that overlap") {
  CHECK(detour::check_allreduce(a, a, 1, MPI_INT, MPI_SUM) == MPI_ERR_BUFFER);
  CHECK(detour::check_allreduce(a, a + 1, 2, MPI_INT, MPI_SUM) == MPI_ERR_BUFFER);
  CHECK(detour::check_allreduce(a + 1, a, 2, MPI_INT, MPI_SUM) == MPI_ERR_BUFFER);
  CHECK(detour::check_allreduce(a, a, 2, gaps, own_op) == MPI_ERR_BUFFER);
  CHECK(detour::check_allreduce(a, a, 0, MPI_INT, MPI_SUM) == MPI_SUCCESS);
  CHECK(detour::check_reduce(a, a, 1, MPI_INT, MPI_SUM, 0, only) ==
        error_class(PMPI_Reduce(a, a, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_SELF)));
  CHECK(detour::check_reduce(a, a, 1, MPI_INT, MPI_SUM, 0, second_of_three) == MPI_SUCCESS);
  const int counts[] = {1, 2, 1};
  CHECK(detour::check_reduce_scatter(a, a + 3, counts, MPI_INT, MPI_SUM, second_of_three) ==
        MPI_ERR_BUFFER);
  CHECK(detour::check_reduce_scatter(a, a + 4, counts, MPI_INT, MPI_SUM, second_of_three) ==
        MPI_SUCCESS);
  CHECK(detour::check_reduce_scatter_block(a, a + 5, 2, MPI_INT, MPI_SUM, second_of_three) ==
        MPI_ERR_BUFFER);
  CHECK(detour::check_allgather(a + 2, 2, MPI_INT, a, 2, MPI_INT, second_of_three) ==
        MPI_ERR_BUFFER);
  const int displacements[] = {0, 4, 8};
  CHECK(detour::check_allgatherv(a + 8, 2, MPI_INT, a, counts, displacements, MPI_INT,
                                 second_of_three) == MPI_ERR_BUFFER);
  CHECK(detour::check_allgatherv(a + 6, 2, MPI_INT, a, counts, displacements, MPI_INT,
                                 second_of_three) == MPI_SUCCESS);
}

TEST_CASE_METHOD(Cases, "in place in the wrong place") {
  const int one = 1;
  const int zero = 0;
  const MPI_Comm self = MPI_COMM_SELF;
  void* const in_place = MPI_IN_PLACE;
  CHECK(detour::check_allreduce(a, in_place, 1, MPI_INT, MPI_SUM) ==
        error_class(PMPI_Allreduce(a, in_place, 1, MPI_INT, MPI_SUM, self)));
  CHECK(detour::check_reduce(a, in_place, 1, MPI_INT, MPI_SUM, 0, only) ==
        error_class(PMPI_Reduce(a, in_place, 1, MPI_INT, MPI_SUM, 0, self)));
  CHECK(detour::check_reduce_scatter(a, in_place, &one, MPI_INT, MPI_SUM, only) ==
        error_class(PMPI_Reduce_scatter(a, in_place, &one, MPI_INT, MPI_SUM, self)));
  CHECK(detour::check_reduce_scatter_block(a, in_place, 1, MPI_INT, MPI_SUM, only) ==
        error_class(PMPI_Reduce_scatter_block(a, in_place, 1, MPI_INT, MPI_SUM, self)));
  CHECK(detour::check_allgather(a, 1, MPI_INT, in_place, 1, MPI_INT, only) ==
        error_class(PMPI_Allgather(a, 1, MPI_INT, in_place, 1, MPI_INT, self)));
  CHECK(detour::check_allgatherv(a, 1, MPI_INT, in_place, &one, &zero, MPI_INT, only) ==
        error_class(PMPI_Allgatherv(a, 1, MPI_INT, in_place, &one, &zero, MPI_INT, self)));
  CHECK(detour::check_bcast(in_place, 1, MPI_INT, 0, only) ==
        error_class(PMPI_Bcast(in_place, 1, MPI_INT, 0, self)));
  // Only the root may.
  CHECK(detour::check_reduce(in_place, nullptr, 1, MPI_INT, MPI_SUM, 0, second_of_three) ==
        MPI_ERR_ARG);
  CHECK(detour::check_reduce(in_place, a, 1, MPI_INT, MPI_SUM, 1, second_of_three) == MPI_SUCCESS);
}

TEST_CASE_METHOD(Cases, "roots, and what matters at the root only") {
  for (int root : {-1, 3}) {
    CHECK(detour::check_bcast(a, 0, MPI_INT, root, second_of_three) == MPI_ERR_ROOT);
    CHECK(detour::check_reduce(a, b, 0, MPI_INT, MPI_SUM, root, second_of_three) == MPI_ERR_ROOT);
    CHECK(error_class(PMPI_Bcast(a, 0, MPI_INT, root, MPI_COMM_SELF)) == MPI_ERR_ROOT);
  }
  CHECK(detour::check_reduce(a, nullptr, 1, MPI_INT, MPI_SUM, 2, second_of_three) == MPI_SUCCESS);
  CHECK(detour::check_reduce(a, nullptr, 1, MPI_INT, MPI_SUM, 1, second_of_three) ==
        MPI_ERR_BUFFER);
  CHECK(detour::check_communicator(MPI_COMM_NULL) == MPI_ERR_COMM);
  CHECK(detour::check_communicator(MPI_COMM_SELF) == MPI_SUCCESS);
}

TEST_CASE_METHOD(Cases, "broadcasts") {
  const auto both = [](void* buffer, int count, MPI_Datatype type, int expected) {
    CHECK(detour::check_bcast(buffer, count, type, 0, only) == expected);
    CHECK(error_class(PMPI_Bcast(buffer, count, type, 0, MPI_COMM_SELF)) == expected);
  };
  both(a, 1, MPI_INT, MPI_SUCCESS);
  both(a, 1, MPI_PACKED, MPI_SUCCESS);
  both(nullptr, 0, MPI_INT, MPI_SUCCESS);
  both(a, -1, MPI_INT, MPI_ERR_COUNT);
  both(a, 1, MPI_DATATYPE_NULL, MPI_ERR_TYPE);
  both(a, 0, uncommitted, MPI_ERR_TYPE);
  CHECK(detour::check_bcast(nullptr, 1, MPI_INT, 0, only) == MPI_ERR_BUFFER);
}

TEST_CASE_METHOD(Cases, "gathers") {
  const MPI_Datatype null_type = MPI_DATATYPE_NULL;
  const auto both = [&](const void* send, int send_count, MPI_Datatype send_type, void* receive,
                        int receive_count, MPI_Datatype receive_type, int expected,
                        bool in_mpi = true) {
    const int zero = 0;
    CHECK(detour::check_allgather(send, send_count, send_type, receive, receive_count, receive_type,
                                  only) == expected);
    CHECK(detour::check_allgatherv(send, send_count, send_type, receive, &receive_count, &zero,
                                   receive_type, only) == expected);
    if (in_mpi) {
      CHECK(error_class(PMPI_Allgather(send, send_count, send_type, receive, receive_count,
                                       receive_type, MPI_COMM_SELF)) == expected);
    }
  };
  both(a, 2, MPI_INT, b, 2, MPI_INT, MPI_SUCCESS);
  both(a, 2, MPI_INT, b, 1, gaps, MPI_SUCCESS);
  both(MPI_IN_PLACE, -1, null_type, b, 2, MPI_INT, MPI_SUCCESS);
  both(nullptr, 0, MPI_INT, nullptr, 0, MPI_INT, MPI_SUCCESS);
  both(a, -1, MPI_INT, b, 2, MPI_INT, MPI_ERR_COUNT);
  both(a, 2, MPI_INT, b, -1, MPI_INT, MPI_ERR_COUNT);
  both(a, 2, null_type, b, 2, MPI_INT, MPI_ERR_TYPE);
  both(a, 2, MPI_INT, b, 2, null_type, MPI_ERR_TYPE);
  both(a, 2, uncommitted, b, 2, MPI_INT, MPI_ERR_TYPE);
  both(a, 2, MPI_INT, b, 2, uncommitted, MPI_ERR_TYPE, false);
  both(nullptr, 2, MPI_INT, b, 2, MPI_INT, MPI_ERR_BUFFER, false);
  both(a, 2, MPI_INT, nullptr, 2, MPI_INT, MPI_ERR_BUFFER, false);
  both(a, 3, MPI_INT, b, 2, MPI_INT, MPI_ERR_TRUNCATE, false);
  both(a, 1, MPI_INT, b, 2, MPI_INT, MPI_ERR_COUNT, false);

  const int counts[] = {1, 2, 1};
  const int negative[] = {1, 2, -1};
  const int displacements[] = {0, 4, 8};
  const auto gatherv = [&](const int* receive_counts, const int* where) {
    return detour::check_allgatherv(a, 2, MPI_INT, b, receive_counts, where, MPI_INT,
                                    second_of_three);
  };
  CHECK(gatherv(counts, displacements) == MPI_SUCCESS);
  CHECK(gatherv(negative, displacements) == MPI_ERR_COUNT);
  CHECK(gatherv(nullptr, displacements) == MPI_ERR_COUNT);
  CHECK(gatherv(counts, nullptr) == MPI_ERR_BUFFER);
  CHECK(detour::check_reduce_scatter(a, b, negative, MPI_INT, MPI_SUM, second_of_three) ==
        MPI_ERR_COUNT);
  CHECK(detour::check_reduce_scatter(a, b, nullptr, MPI_INT, MPI_SUM, second_of_three) ==
        MPI_ERR_COUNT);
}
