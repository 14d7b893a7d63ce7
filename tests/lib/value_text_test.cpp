#include "value_text.hpp"

#include <limits>

#include "support/catch.hpp"

using namespace detour;

TEST_CASE("sizes are read with every usual suffix") {
  for (const char* text : {"65536", "65536B", "64K", "64k", "64KB", "64Ki", "64KiB"}) {
    INFO(text);
    REQUIRE(parse_size(text).value() == 65536);
  }
  REQUIRE(parse_size("4M").value() == std::uint64_t{4} << 20);
  REQUIRE(parse_size("1Gi").value() == std::uint64_t{1} << 30);
  REQUIRE(parse_size("2T").value() == std::uint64_t{2} << 40);
}

TEST_CASE("what is no size is told apart from what is too large") {
  for (const char* text : {"", "K", "-1", "+1", "1.5M", "1X", "1Kx", "1 K", "0x10"}) {
    INFO(text);
    REQUIRE(parse_size(text).reason() ==
            "'" + std::string(text) + "' is no size: write a number of bytes, or 64K, 4M, 1G");
  }
  REQUIRE(parse_size("99999999999999999999").reason() == "'99999999999999999999' is too large");
  REQUIRE(parse_size("16777216T").reason() == "'16777216T' is too large");
  REQUIRE(parse_size("0").reason() == "has to be more than zero");
  REQUIRE(parse_size("0K").reason() == "has to be more than zero");
}

TEST_CASE("sizes are written as they are read") {
  REQUIRE(size_text(65536) == "64K");
  REQUIRE(size_text(65537) == "65537");
  REQUIRE(size_text(1) == "1");
  REQUIRE(size_text(std::uint64_t{256} << 20) == "256M");
  for (const std::uint64_t bytes :
       {std::uint64_t{1000}, std::uint64_t{1024}, std::uint64_t{3} << 50,
        std::numeric_limits<std::uint64_t>::max()}) {
    REQUIRE(parse_size(size_text(bytes)).value() == bytes);
  }
}

TEST_CASE("meshes are rows and columns") {
  REQUIRE(parse_mesh_text("4x8").value() == Mesh(4, 8));
  REQUIRE(mesh_text(Mesh(4, 8)) == "4x8");
  for (const char* text : {"", "4", "x", "4x", "x4", "4X8", "-1x4", "4x4x4"}) {
    INFO(text);
    REQUIRE(parse_mesh_text(text).reason() ==
            "'" + std::string(text) + "' is no mesh: write ROWSxCOLS, for example 8x8");
  }
  REQUIRE(parse_mesh_text("0x4").failed());
  REQUIRE(parse_mesh_text("129x128").failed());
  REQUIRE(parse_mesh_text("18446744073709551616x1").failed());
}

TEST_CASE("counts are whole numbers up to a limit") {
  REQUIRE(parse_count("0", 8).value() == 0);
  REQUIRE(parse_count("8", 8).value() == 8);
  REQUIRE(parse_count("9", 8).reason() == "'9' is too large: 8 at most");
  REQUIRE(parse_count("-1", 8).reason() == "has to be a whole number, not '-1'");
  REQUIRE(parse_count("", 8).failed());
  REQUIRE(parse_count("99999999999999999999", 8).failed());
}
