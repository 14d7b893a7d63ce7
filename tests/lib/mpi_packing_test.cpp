// Layouts of particular datatypes, and what is kept of datatypes.
#include <mpi.h>
#include <sys/mman.h>

#include <cstddef>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "mpi/packing.hpp"
#include "mpi/type_cache.hpp"
#include "support/catch.hpp"
#include "support/mpi_session.hpp"

namespace {

using detour::ElementType;
using detour::Layout;
using detour::layout_of;
using detour::test::OwnType;

MPI_Datatype vector_type(int count, int length, int stride, MPI_Datatype part = MPI_INT) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  PMPI_Type_vector(count, length, stride, part, &type);
  return type;
}

MPI_Datatype resized_type(MPI_Datatype part, MPI_Aint lower_bound, MPI_Aint extent) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  PMPI_Type_create_resized(part, lower_bound, extent, &type);
  return type;
}

MPI_Datatype struct_type(std::vector<MPI_Aint> offsets, std::vector<MPI_Datatype> parts) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const std::vector<int> lengths(parts.size(), 1);
  PMPI_Type_create_struct(static_cast<int>(parts.size()), lengths.data(), offsets.data(),
                          parts.data(), &type);
  return type;
}

std::vector<int> packed_ints(const Layout& layout, const void* user) {
  std::vector<int> packed(layout.packed_bytes() / sizeof(int));
  layout.pack(user, reinterpret_cast<std::byte*>(packed.data()));
  return packed;
}

// Memory that takes up no space until it is touched.
class Sparse {
 public:
  explicit Sparse(std::size_t bytes)
      : bytes_(bytes),
        memory_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~Sparse() { munmap(memory_, bytes_); }
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;
  std::byte* data() { return static_cast<std::byte*>(memory_); }

 private:
  std::size_t bytes_;
  void* memory_;
};

}  // namespace

TEST_CASE_METHOD(detour::test::MpiSession, "what lies in one piece is used as it is") {
  CHECK(layout_of(MPI_FLOAT, 7).is_contiguous());
  CHECK(layout_of(MPI_WCHAR, 7).is_contiguous());
  CHECK(layout_of(MPI_LONG_DOUBLE, 7).is_contiguous());
  CHECK(layout_of(MPI_INT, 0).is_contiguous());
  CHECK(layout_of(MPI_INT, 0).packed_bytes() == 0);

  const OwnType joined(vector_type(3, 2, 2));
  CHECK(layout_of(joined, 5).is_contiguous());
  CHECK(layout_of(joined, 5).packed_bytes() == 5 * 6 * sizeof(int));

  const OwnType strided(vector_type(3, 2, 3));
  CHECK_FALSE(layout_of(strided, 1).is_contiguous());

  const OwnType spaced(resized_type(MPI_INT, 0, 8));
  CHECK(layout_of(spaced, 1).is_contiguous());
  CHECK_FALSE(layout_of(spaced, 2).is_contiguous());

  // In one piece, but not in this order.
  const OwnType swapped(struct_type({4, 0}, {MPI_INT, MPI_INT}));
  CHECK_FALSE(layout_of(swapped, 1).is_contiguous());
  const int numbers[] = {1, 2};
  CHECK(packed_ints(layout_of(swapped, 1), numbers) == std::vector<int>{2, 1});
}

TEST_CASE_METHOD(detour::test::MpiSession, "a piece may begin elsewhere than the buffer") {
  const OwnType shifted(struct_type({8}, {MPI_INT}));
  int numbers[] = {1, 2, 3, 4};
  const Layout one = layout_of(shifted, 1);
  CHECK(one.is_contiguous());
  CHECK(one.lowest_bytes() == 8);
  CHECK(one.end_bytes() == 12);
  CHECK(one.first_byte(numbers) == reinterpret_cast<std::byte*>(numbers + 2));
  CHECK(packed_ints(one, numbers) == std::vector<int>{3});
  // The lower bound is 8 as well: the next one follows at once.
  CHECK(packed_ints(layout_of(shifted, 2), numbers) == std::vector<int>{3, 4});

  const OwnType before(struct_type({-4}, {MPI_INT}));
  CHECK(packed_ints(layout_of(before, 1), numbers + 2) == std::vector<int>{2});
}

TEST_CASE_METHOD(detour::test::MpiSession, "absolute addresses need no buffer") {
  int first = 11;
  int second = 22;
  MPI_Aint addresses[2];
  PMPI_Get_address(&first, &addresses[0]);
  PMPI_Get_address(&second, &addresses[1]);
  const OwnType type(struct_type({addresses[0], addresses[1]}, {MPI_INT, MPI_INT}));
  const Layout layout = layout_of(type, 1);
  CHECK(packed_ints(layout, MPI_BOTTOM) == std::vector<int>{11, 22});
  const int news[] = {33, 44};
  layout.unpack(reinterpret_cast<const std::byte*>(news), MPI_BOTTOM);
  CHECK(first == 33);
  CHECK(second == 44);
}

TEST_CASE_METHOD(detour::test::MpiSession, "elements of one kind are recognised") {
  const OwnType floats(vector_type(4, 1, 3, MPI_FLOAT));
  const OwnType nested(vector_type(2, 2, 4, floats));
  CHECK(layout_of(nested, 2).element() == ElementType::float32);
  const OwnType alike(struct_type({0, 8, 24}, {MPI_DOUBLE, floats, floats}));
  CHECK_FALSE(layout_of(alike, 1).element().has_value());
  const OwnType same(struct_type({0, 16}, {MPI_REAL, floats}));
  CHECK(layout_of(same, 1).element() == ElementType::float32);
  const OwnType mixed(struct_type({0, 4, 8}, {MPI_INT, MPI_FLOAT, MPI_INT}));
  CHECK_FALSE(layout_of(mixed, 1).element().has_value());
  // Packed, the padding is gone.
  CHECK(layout_of(MPI_DOUBLE_INT, 2).packed_bytes() == 24);
  CHECK_FALSE(layout_of(MPI_DOUBLE_INT, 2).element().has_value());
  CHECK(layout_of(MPI_2INT, 2).element() == ElementType::int_int);
}

TEST_CASE_METHOD(detour::test::MpiSession,
                 "columns of a huge matrix are described in a few words") {
  const OwnType column(vector_type(1 << 28, 1, 2, MPI_FLOAT));
  const OwnType columns(vector_type(8, 1, 1, column));
  CHECK(layout_of(columns, 3).packed_bytes() == 3 * 8 * (std::size_t{1} << 30));
  CHECK(layout_of(MPI_DOUBLE, MPI_Count{1} << 40).packed_bytes() == std::size_t{1} << 43);
}

TEST_CASE_METHOD(detour::test::MpiSession, "offsets and sizes go beyond 2^31") {
  const MPI_Aint far = (MPI_Aint{3} << 30) + 4;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const int lengths[] = {1, 2};
  const MPI_Aint offsets[] = {0, far};
  PMPI_Type_create_hindexed(2, lengths, offsets, MPI_INT, &type);
  const OwnType distant(type);
  Sparse memory(2 * (static_cast<std::size_t>(far) + 64));
  const Layout layout = layout_of(distant, 2);
  const std::vector<int> numbers{1, 2, 3, 4, 5, 6};
  layout.unpack(reinterpret_cast<const std::byte*>(numbers.data()), memory.data());
  CHECK(*reinterpret_cast<int*>(memory.data() + far + 4) == 3);
  CHECK(*reinterpret_cast<int*>(memory.data() + 2 * far + 12) == 6);
  CHECK(packed_ints(layout, memory.data()) == numbers);
}

TEST_CASE_METHOD(detour::test::MpiSession, "more than 2^31 bytes are packed", "[exhaustive]") {
  // The same megabyte over and over, but for its last time.
  constexpr std::size_t block_bytes = 1 << 20;
  constexpr int block_count = 2100;
  std::vector<std::byte> block(2 * block_bytes, std::byte{7});
  block.back() = std::byte{9};
  MPI_Datatype blocks = MPI_DATATYPE_NULL;
  PMPI_Type_create_hvector(block_count, block_bytes, 0, MPI_BYTE, &blocks);
  const OwnType repeated(blocks);
  MPI_Datatype bytes = MPI_DATATYPE_NULL;
  PMPI_Type_contiguous(block_bytes, MPI_BYTE, &bytes);
  const OwnType last(bytes);
  const OwnType type(struct_type({0, block_bytes}, {repeated, last}));

  const Layout layout = layout_of(type, 1);
  const std::size_t total = (block_count + 1) * block_bytes;
  REQUIRE(layout.packed_bytes() == total);
  REQUIRE(total > std::size_t{1} << 31);
  Sparse packed(total + 1);
  layout.pack(block.data(), packed.data());
  CHECK(packed.data()[total - 1] == std::byte{9});
  CHECK(packed.data()[total - 2] == std::byte{7});
  CHECK(packed.data()[total] == std::byte{0});
}

TEST_CASE_METHOD(detour::test::MpiSession, "a freed datatype leaves nothing behind") {
  int reused = 0;
  MPI_Datatype before = MPI_DATATYPE_NULL;
  for (int i = 0; i < 1000; ++i) {
    MPI_Datatype type = vector_type(2, 1, 2 + i);
    PMPI_Type_commit(&type);
    reused += type == before ? 1 : 0;
    before = type;
    const Layout layout = layout_of(type, 1);
    REQUIRE(layout.end_bytes() == 4 * (2 + i) + 4);
    const std::weak_ptr<const detour::TypeDescription> kept = detour::type_description(type);
    REQUIRE_FALSE(kept.expired());
    PMPI_Type_free(&type);
    REQUIRE(kept.expired());
    // An operation under way still needs it.
    std::vector<int> numbers(static_cast<std::size_t>(3 + i));
    numbers.back() = 5;
    REQUIRE(packed_ints(layout, numbers.data()) == std::vector<int>{0, 5});
  }
#ifndef __SANITIZE_ADDRESS__  // which gives no address out again
  CHECK(reused > 0);
#endif
}

TEST_CASE_METHOD(detour::test::MpiSession, "taking a datatype apart leaves its parts alone") {
  MPI_Datatype inner = vector_type(2, 1, 2);
  PMPI_Type_commit(&inner);
  const std::weak_ptr<const detour::TypeDescription> kept = detour::type_description(inner);
  const OwnType outer(vector_type(2, 1, 2, inner));
  layout_of(outer, 1);
  CHECK_FALSE(kept.expired());
  int bytes = 0;
  CHECK(PMPI_Type_size(inner, &bytes) == MPI_SUCCESS);
  PMPI_Type_free(&inner);
  CHECK(layout_of(outer, 1).packed_bytes() == 16);
}

TEST_CASE_METHOD(detour::test::MpiSession, "committed datatypes are told from others") {
  MPI_Datatype type = vector_type(2, 1, 2);
  CHECK_FALSE(detour::is_committed(type));
  PMPI_Type_commit(&type);
  CHECK(detour::is_committed(type));
  CHECK(detour::is_committed(MPI_INT));
  PMPI_Type_free(&type);
}

TEST_CASE_METHOD(detour::test::MpiSession, "threads may ask for the same datatype at once") {
  int level = 0;
  PMPI_Query_thread(&level);
  REQUIRE(level == MPI_THREAD_MULTIPLE);
  for (int i = 0; i < 200; ++i) {
    const OwnType type(vector_type(2, 1, 2 + i));
    std::vector<detour::DescriptionRef> seen(4);
    std::vector<std::thread> threads;
    for (detour::DescriptionRef& one : seen) {
      threads.emplace_back([&] { one = detour::type_description(type); });
    }
    for (std::thread& thread : threads) thread.join();
    for (const detour::DescriptionRef& one : seen) REQUIRE(one == seen.front());
  }
}
