#include "mesh_arguments.hpp"

#include "exit_status.hpp"
#include "support/catch.hpp"

using namespace detour;
using namespace detour::tool;

TEST_CASE("meshes are rows x columns") {
  REQUIRE(parse_mesh("8x4") == Mesh(8, 4));
  REQUIRE(parse_mesh("1x1") == Mesh(1, 1));
  REQUIRE(parse_mesh("128x128") == Mesh(128, 128));
}

TEST_CASE("what is no mesh is bad input") {
  for (const char* text : {"", "8", "x", "8x", "x8", "0x4", "4x0", "-1x4", "4x-1", "axb", "8x8x8",
                           "8 x 8", "8x8 ", "+8x8", "129x128", "99999999999x2", "8X8", "2.5x2"}) {
    INFO(text);
    REQUIRE_THROWS_AS(parse_mesh(text), BadInput);
  }
}

TEST_CASE("failed cells and blocks are rows, then columns") {
  const Mesh mesh(8, 8);
  const FaultSet faults = parse_faults({"2,3", "4-5,4-7", "0-1,0", "2,3"}, mesh);
  REQUIRE(faults.count() == 1 + 8 + 2);
  REQUIRE(faults.failed(mesh.id({2, 3})));
  REQUIRE_FALSE(faults.failed(mesh.id({3, 2})));
  REQUIRE(faults.failed(mesh.id({4, 4})));
  REQUIRE(faults.failed(mesh.id({5, 7})));
  REQUIRE(faults.failed(mesh.id({1, 0})));
  REQUIRE(parse_faults({}, mesh).count() == 0);
}

TEST_CASE("what is no cell of the mesh is bad input") {
  const Mesh mesh(4, 6);
  for (const char* text :
       {"", "1", "1,", ",1", "1,2,3", "a,b", "1;2", "-1,2", "1-,2", "1-2-3,4", "4,0", "0,6",
        "2-4,0", "0,5-6", "2-1,0", "0,3-2", "99999999999,0", "1, 2"}) {
    INFO(text);
    REQUIRE_THROWS_AS(parse_faults({text}, mesh), BadInput);
  }
}

namespace {

std::string problem_of_mesh(const char* text) {
  try {
    parse_mesh(text);
  } catch (const BadInput& error) {
    return error.what();
  }
  return {};
}

std::string problem_of_fault(const char* text, const Mesh& mesh) {
  try {
    parse_faults({text}, mesh);
  } catch (const BadInput& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a mesh of the right form is told what is wrong with its size") {
  REQUIRE(problem_of_mesh("0x5") == "--mesh '0x5' has no cells: rows and columns can't be zero");
  for (const std::string text :
       {"4294967297x1", "99999999999999999999x1", "129x128", "1x99999999999999999999"}) {
    REQUIRE(problem_of_mesh(text.c_str()) ==
            "--mesh '" + text + "' is too large: 16384 cells at most");
  }
  REQUIRE(problem_of_mesh("8by8") == "--mesh '8by8' is no mesh: write ROWSxCOLS, for example 8x8");
}

TEST_CASE("messages about cells say where the mesh ends") {
  REQUIRE(problem_of_fault("2-4,0", Mesh(4, 6)) ==
          "--fail '2-4,0' is outside the mesh: its rows are 0 to 3");
  REQUIRE(problem_of_fault("0,6", Mesh(4, 6)) ==
          "--fail '0,6' is outside the mesh: its columns are 0 to 5");
  REQUIRE(problem_of_fault("4294967296,0", Mesh(1, 6)) ==
          "--fail '4294967296,0' is outside the mesh: its rows are 0 only");
  REQUIRE(problem_of_fault("99999999999999999999,0", Mesh(4, 6)) ==
          "--fail '99999999999999999999,0' is outside the mesh: its rows are 0 to 3");
  REQUIRE(problem_of_fault("2-1,0", Mesh(4, 6)) ==
          "--fail '2-1,0': the range of rows runs backwards");
}
