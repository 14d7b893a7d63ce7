// Gloo's allreduce over TCP on the loopback interface: `gloo RANKS in|out ...`, of which RANKS processes are made.
#include <gloo/allreduce.h>
#include <gloo/barrier.h>
#include <gloo/config.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/tcp/device.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "outsider.hpp"

namespace {

using Context = std::shared_ptr<gloo::rendezvous::Context>;

Context connect(int rank, int rank_count, const std::string& folder) {
  gloo::transport::tcp::attr where;
  where.iface = "lo";
  auto device = gloo::transport::tcp::CreateDevice(where);
  gloo::rendezvous::FileStore store(folder);
  auto context = std::make_shared<gloo::rendezvous::Context>(rank, rank_count);
  context->connectFullMesh(store, device);
  return context;
}

template <class Number>
void reduce(const Context& context, const Number* send, Number* receive, std::size_t count,
            void (*function)(void*, const void*, const void*, std::size_t)) {
  gloo::AllreduceOptions options(context);
  if (send != nullptr) options.setInput(const_cast<Number*>(send), count);
  options.setOutput(receive, count);
  options.setReduceFunction(function);
  gloo::allreduce(options);
}

int run_rank(int rank, int rank_count, const std::string& folder,
             const outsider::Options& options) {
  const Context context = connect(rank, rank_count, folder);
  outsider::Library library;
  library.name = "Gloo";
  library.version =
      "Gloo " + std::to_string(GLOO_VERSION_MAJOR) + "." + std::to_string(GLOO_VERSION_MINOR);
  library.rank = rank;
  library.rank_count = rank_count;
  library.allreduce = [&](const float* send, float* receive, std::size_t count) {
    reduce(context, send, receive, count, &gloo::sum<float>);
  };
  library.barrier = [&] {
    gloo::BarrierOptions barrier(context);
    gloo::barrier(barrier);
  };
  library.take_maxima = [&](std::vector<double>& values) {
    reduce<double>(context, nullptr, values.data(), values.size(), &gloo::max<double>);
  };
  outsider::measure(library, options);
  std::fflush(stdout);
  library.barrier();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const int rank_count = argc > 1 ? std::atoi(argv[1]) : 0;
  const outsider::Options options = outsider::read_options(argc - 1, argv + 1);
  char folder[] = "/tmp/detour-compare-XXXXXX";
  if (rank_count < 1 || ::mkdtemp(folder) == nullptr) return 2;
  for (int rank = 0; rank < rank_count; ++rank) {
    if (::fork() != 0) continue;
    int status = 1;
    try {
      status = run_rank(rank, rank_count, folder, options);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "Gloo: rank %d: %s\n", rank, error.what());
    }
    // Not exit(): threads of the library may still be there.
    ::_exit(status);
  }
  bool all_well = true;
  for (int status = 0; ::wait(&status) > 0;) all_well = all_well && status == 0;
  std::filesystem::remove_all(folder);
  return all_well ? 0 : 1;
}
