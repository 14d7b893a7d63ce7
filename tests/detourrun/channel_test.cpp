// What the launcher and the supervisors say to each other.
#include "channel_server.hpp"
#include "launcher_link.hpp"
#include "support/catch.hpp"
#include "support/child_process.hpp"

using namespace detour::run;
using detour::test::ChildProcess;
using detour::test::eventually;

namespace {

Hello hello_with(const std::string& token) {
  return {token, "job", 1, 2, "node"};
}

// Welcomes whoever says hello until `count` events are there.
std::vector<ChannelEvent> take(ChannelServer& server, std::size_t count) {
  std::vector<ChannelEvent> all;
  eventually([&] {
    for (auto& event : server.take_events()) {
      const auto* const message = std::get_if<Message>(&event.what);
      if (message != nullptr && std::holds_alternative<Hello>(*message)) {
        server.send(event.connection, welcome_line);
      }
      all.push_back(std::move(event));
    }
    return all.size() >= count;
  });
  return all;
}

}  // namespace

TEST_CASE("Messages survive the way through text") {
  for (const Message& message :
       {Message(hello_with("t")), Message(Started{7}), Message(Exited{3}), Message(Killed{9}),
        Message(Abort{5, "words  with blanks"}), Message(Awaits{4, "0-3,5", "MPI_Init and so on"}),
        Message(Met{4}), Message(Depends{"words  too"}), Message(Ending{}),
        Message(Bereft{"and  here"})}) {
    const auto line = to_line(message);
    const auto parsed = parse_line(line);
    REQUIRE(parsed);
    CHECK(parsed->index() == message.index());
    CHECK(to_line(*parsed) == line);
  }
}

TEST_CASE("Lines that are none are refused") {
  for (const char* const line :
       {"", "hello", "hello t job 2 2 node", "hello t job -1 2 node", "exited", "exited x",
        "killed ", "abort", "awaits 3", "met", "depends", "depends ", "dance 3"}) {
    CHECK_FALSE(parse_line(line));
  }
}

TEST_CASE("The address of a launcher survives the way through text") {
  const Address address{"token", "network", 4000, {"10.0.0.1", "10.0.0.2"}};
  const auto parsed = parse_address(to_text(address));
  REQUIRE(parsed.ok());
  CHECK(to_text(parsed.value()) == to_text(address));
  CHECK(parse_address("").failed());
  CHECK(parse_address("token network 70000").failed());
}

TEST_CASE("A supervisor finds the launcher from its own network and from another one") {
  auto server = ChannelServer::open();
  REQUIRE(server.ok());
  auto channel = std::move(server).value();
  Address address = channel.address();
  if (GENERATE(false, true)) {
    address.network = "another";
    // The first leads nowhere.
    address.hosts = {"127.255.255.254", "127.0.0.1"};
  }
  ChildProcess supervisor([&] {
    auto link = connect_to_launcher(address, hello_with(address.token));
    if (!link.ok()) return 1;
    return link.value().send(to_line(Exited{3})) ? 0 : 2;
  });
  const auto events = take(channel, 3);
  REQUIRE(events.size() == 3);
  CHECK(std::get<Hello>(std::get<Message>(events[0].what)).rank == 1);
  CHECK(std::get<Exited>(std::get<Message>(events[1].what)).status == 3);
  CHECK(std::holds_alternative<Closed>(events[2].what));
  CHECK(supervisor.wait() == 0);
  CHECK(channel.connection_count() == 0);
}

TEST_CASE("Who does not know the token is not heard") {
  auto server = ChannelServer::open();
  REQUIRE(server.ok());
  auto channel = std::move(server).value();
  const Address address = channel.address();
  ChildProcess supervisors([&] {
    if (connect_to_launcher(address, hello_with("guess")).ok()) return 1;
    return connect_to_launcher(address, hello_with(address.token)).ok() ? 0 : 2;
  });
  const auto events = take(channel, 2);
  REQUIRE(events.size() == 2);
  CHECK(std::get<Hello>(std::get<Message>(events[0].what)).token == address.token);
  CHECK(std::holds_alternative<Closed>(events[1].what));
  CHECK(supervisors.wait() == 0);
}
