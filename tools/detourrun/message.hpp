// What a rank's supervisor and the launcher tell each other: lines of text, over TCP.
//
//   supervisor                                    launcher
//   hello TOKEN JOB RANK SIZE HOST  ----------->
//                                       <-------  welcome
//   started PID                         ------->            the program
//   abort STATUS WORDS                  ------->            the rank wants all to end
//   bereft WORDS                        ------->            it gives up because others have died
//   awaits ID RANKS WORDS               ------->            it can't go on without those: 0-3,5 say
//   met ID                              ------->            it goes on
//   depends WORDS                       ------->            it can't go on if another one is lost
//   ending                              ------->            mpirun has begun to end it
//                                       <-------  end       end your program
//   exited STATUS | killed SIGNAL       ------->            the last; then the connection closes
//
// A connection that closes without a last word says that the supervisor itself is gone, and with it
// the rank. The same the other way round: the rank ends when the launcher is gone.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace detour::run {

inline constexpr std::string_view welcome_line = "welcome";
inline constexpr std::string_view end_line = "end";
// Of a line. Whoever sends more does not speak this language.
inline constexpr std::size_t line_bytes_max = 2048;

struct Hello {
  std::string token;
  std::string job;  // a job may start others (MPI_Comm_spawn), which have ranks of the same numbers
  int rank = 0;
  int size = 0;
  std::string host;
};
struct Started {
  int pid = 0;
};
struct Exited {
  int status = 0;
};
struct Killed {
  int signal = 0;
};
struct Abort {
  int status = 0;
  std::string words;
};
struct Bereft {
  std::string words;
};
struct Awaits {
  int id = 0;
  std::string ranks;
  std::string words;
};
struct Met {
  int id = 0;
};
struct Depends {
  std::string words;
};
struct Ending {};
using Message =
    std::variant<Hello, Started, Exited, Killed, Abort, Bereft, Awaits, Met, Depends, Ending>;

// Without the end of the line. Words in a hello must have no blanks.
std::string to_line(const Message& message);
std::optional<Message> parse_line(std::string_view line);

// Whether a list like 0-3,5 has the rank in it.
bool has_rank(std::string_view list, int rank);

}  // namespace detour::run
