#include "failure/peer_ring.hpp"

#include "support/catch.hpp"

using namespace detour;

namespace {

PeerRing ring_of(PeerId own, PeerId size) {
  PeerRing ring(own);
  for (PeerId peer = 0; peer < size; ++peer) ring.add(peer);
  return ring;
}

}  // namespace

TEST_CASE("everybody watches the nearest successor that is not gone") {
  PeerRing ring = ring_of(2, 5);
  REQUIRE(ring.watched() == PeerId{3});
  ring.lock_says(3, Life::dead);
  REQUIRE(ring.watched() == PeerId{4});
  ring.lock_says(4, Life::departed);
  REQUIRE(ring.watched() == PeerId{0});
  ring.suspect(0);
  REQUIRE(ring.watched() == PeerId{0});
  ring.lock_says(0, Life::dead);
  ring.lock_says(1, Life::dead);
  REQUIRE_FALSE(ring.watched().has_value());
  REQUIRE(ring.not_gone().empty());
}

TEST_CASE("a nearer peer that is added is watched instead") {
  PeerRing ring(2);
  REQUIRE_FALSE(ring.watched().has_value());
  REQUIRE_FALSE(ring.add(2));
  REQUIRE(ring.add(9));
  REQUIRE(ring.watched() == PeerId{9});
  REQUIRE(ring.add(4));
  REQUIRE_FALSE(ring.add(4));
  REQUIRE(ring.watched() == PeerId{4});
  REQUIRE(ring.peers() == std::vector<PeerId>{4, 9});
}

TEST_CASE("states follow each other in one direction") {
  PeerRing ring = ring_of(0, 3);
  REQUIRE_FALSE(ring.lock_says(1, Life::alive));
  REQUIRE(ring.suspect(1));
  REQUIRE_FALSE(ring.suspect(1));
  REQUIRE(ring.lock_says(1, Life::dead));
  REQUIRE_FALSE(ring.lock_says(1, Life::departed));
  REQUIRE_FALSE(ring.suspect(1));
  REQUIRE(ring.has_ended(1));
  REQUIRE_FALSE(ring.has_ended(1));
  REQUIRE_FALSE(ring.lock_says(1, Life::dead));
  REQUIRE(ring.state(1) == PeerState::confirmed);
}

TEST_CASE("the end of a departed process is nothing new") {
  PeerRing ring = ring_of(0, 2);
  REQUIRE(ring.lock_says(1, Life::departed));
  REQUIRE_FALSE(ring.has_ended(1));
  REQUIRE_FALSE(ring.lock_says(1, Life::dead));
  REQUIRE(ring.state(1) == PeerState::departed);
}

TEST_CASE("who is moved on by a death tells the others") {
  PeerRing ring = ring_of(0, 4);
  ring.begin_look();
  ring.lock_says(1, Life::dead);
  REQUIRE(ring.end_look());
  ring.begin_look();
  ring.lock_says(3, Life::dead);  // watched by 2
  REQUIRE_FALSE(ring.end_look());
  ring.begin_look();
  ring.lock_says(2, Life::departed);
  REQUIRE_FALSE(ring.end_look());
}
