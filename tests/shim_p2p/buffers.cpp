// Messages that are copied before they are sent: ones that have no room, and ones of more bytes than an int can count.
#include <algorithm>

#include "job.hpp"

namespace {

constexpr int receiver = 1;
constexpr int small_count = 100;
constexpr int too_many_doubles = 300'000'000;

// With room for one such message.
class LentBuffer {
 public:
  LentBuffer() { MPI_Buffer_attach(bytes_.data(), static_cast<int>(bytes_.size())); }
  ~LentBuffer() {
    void* buffer = nullptr;
    int size = 0;
    MPI_Buffer_detach(&buffer, &size);
  }
  LentBuffer(const LentBuffer&) = delete;
  LentBuffer& operator=(const LentBuffer&) = delete;

 private:
  std::vector<char> bytes_ =
      std::vector<char>(small_count * sizeof(int) + MPI_BSEND_OVERHEAD + sizeof(int));
};

// Who starts several is told which of them are under way.
void start_what_has_room() {
  const LentBuffer buffer;
  const std::vector<int> numbers(2 * small_count, 3);
  MPI_Request requests[2];
  for (int at = 0; at < 2; ++at) {
    MPI_Bsend_init(numbers.data(), (at + 1) * small_count, MPI_INT, receiver, job::tag, job::comm,
                   &requests[at]);
  }
  job::expect(MPI_Startall(2, requests) == MPI_ERR_BUFFER, "no room for both");
  int index = MPI_UNDEFINED;
  job::expect_success(MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE));
  job::expect(index == 0, "the first was started");
  job::expect_success(MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE));
  job::expect(index == MPI_UNDEFINED, "the second was not");
  for (MPI_Request& request : requests) MPI_Request_free(&request);
}

void send_more_than_fits() {
  const LentBuffer buffer;
  std::vector<double> first_number(1);
  job::expect(MPI_Bsend(first_number.data(), too_many_doubles, MPI_DOUBLE, receiver, job::tag,
                        job::comm) == MPI_ERR_BUFFER,
              "no room");
}

// The same bytes over and over make a large message of little memory.
void replace_a_large_message() {
  constexpr int block_length = 1 << 20;
  constexpr int block_count = 550;  // of 4 MiB
  std::vector<int> numbers(block_length, 5);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_hvector(block_count, block_length, 0, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Status status;
  job::expect_success(MPI_Sendrecv_replace(numbers.data(), 1, type, job::rank, job::tag, job::rank,
                                           job::tag, job::comm, &status));
  MPI_Count count = 0;
  MPI_Get_elements_x(&status, type, &count);
  job::expect(count == MPI_Count{block_count} * block_length, "all of it has come");
  job::expect(std::count(numbers.begin(), numbers.end(), 5) == block_length, "as it was");
  MPI_Type_free(&type);
}

void refuse_what_makes_no_sense() {
  int number = 0;
  const auto replace = [](void* buffer, int count, MPI_Datatype type) {
    return MPI_Sendrecv_replace(buffer, count, type, job::rank, job::tag, job::rank, job::tag,
                                job::comm, MPI_STATUS_IGNORE);
  };
  const auto expect_class = [](int error, int expected) {
    int error_class = MPI_SUCCESS;
    MPI_Error_class(error, &error_class);
    job::expect(error_class == expected, job::text_of(error));
  };
  expect_class(replace(&number, -1, MPI_INT), MPI_ERR_COUNT);
  expect_class(replace(&number, 1, MPI_DATATYPE_NULL), MPI_ERR_TYPE);
  expect_class(replace(nullptr, 1, MPI_INT), MPI_ERR_BUFFER);
}

}  // namespace

int main(int argc, char** argv) {
  job::begin(&argc, &argv);
  if (job::rank == receiver) {
    std::vector<int> numbers(small_count);
    MPI_Recv(numbers.data(), small_count, MPI_INT, 0, job::tag, job::comm, MPI_STATUS_IGNORE);
    job::expect(numbers == std::vector<int>(small_count, 3), "the message that had room");
  } else {
    job::run("MPI_Startall", start_what_has_room);
    job::run("MPI_Bsend", send_more_than_fits);
    job::run("MPI_Sendrecv_replace", replace_a_large_message);
    job::run("wrong arguments", refuse_what_makes_no_sense);
  }
  MPI_Finalize();
  return 0;
}
