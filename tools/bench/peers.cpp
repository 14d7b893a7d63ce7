#include "bench/peers.hpp"

#include "exit_status.hpp"

namespace detour::tool {

void do_on_first_rank(Peers& peers, const std::function<void()>& what) {
  std::string own;
  try {
    if (peers.rank() == 0) what();
  } catch (const BadInput& error) {
    own = error.what();
  }
  const std::string complaint = peers.first_complaint(own);
  if (!complaint.empty()) throw BadInput(complaint);
}

}  // namespace detour::tool
