#include "demo/frame.hpp"

#include "demo/sparkline.hpp"
#include "demo_job.hpp"
#include "support/catch.hpp"
#include "support/contains.hpp"
#include "support/text_width.hpp"

using namespace detour::demo;
using detour::test::contains;
using detour::test::DemoJob;

namespace {

const detour::Mesh mesh(4, 4);

// 16 ranks at step 60 of 100, of which some have died.
DemoJob job_with_deaths(int death_count) {
  std::vector<Kill> kills;
  for (int i = 0; i < death_count; ++i) kills.push_back({i, 10 + i});
  DemoJob job(16, 100, kills);
  for (int step = 0; step < 60; ++step) {
    job.seconds = 100 + step;
    job.steps(1, job.progress.alive_count());
    job.progress.take_victims(job.seconds);
  }
  return job;
}

std::string text_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("bars are as high as their values") {
  CHECK(sparkline(std::vector<double>{0, 1, 8, 4, 0.01}, true) == " ▁█▄▁");
  CHECK(sparkline(std::vector<double>{0, 1, 8, 4}, false) == " .#=");
  CHECK(sparkline(std::vector<double>{0, 0}, true) == "  ");
  CHECK(sparkline({}, true).empty());
}

TEST_CASE("a frame has mesh, step, loss, bandwidth and deaths in it") {
  const MeshPicture picture(mesh, "trees");
  const DemoJob job = job_with_deaths(1);
  const std::string text =
      text_of(draw_frame(job.progress, picture, screen_size_min, {.unicode = true}));
  CHECK(contains(text, "60 of 100"));
  CHECK(contains(text, "0.0333"));
  CHECK(contains(text, "0.0 MB/s"));
  CHECK(contains(text, "15 of 16"));
  CHECK(contains(text, "0 ×   "));
  CHECK(contains(text, "109.0 s  step  10  rank 0 killed, cell 0,0; 15 go on"));
}

TEST_CASE("a frame fits the screen") {
  const MeshPicture picture(mesh, "trees");
  for (const int death_count : {0, 3, 8}) {
    const DemoJob job = job_with_deaths(death_count);
    for (const ScreenSize size : {screen_size_min, ScreenSize{50, 200}, ScreenSize{10, 80}}) {
      for (const bool unicode : {false, true}) {
        const auto lines = draw_frame(job.progress, picture, size, {.unicode = unicode});
        CHECK(lines.size() <= static_cast<std::size_t>(size.rows));
        CHECK(detour::test::widest_line(text_of(lines)) <= static_cast<std::size_t>(size.cols));
      }
    }
  }
}

TEST_CASE("where there is no room for all deaths the last ones are shown") {
  const MeshPicture picture(mesh, "trees");
  const DemoJob job = job_with_deaths(8);
  const std::string text = text_of(draw_frame(job.progress, picture, screen_size_min, {}));
  CHECK(contains(text, "rank 7 killed"));
  CHECK_FALSE(contains(text, "rank 0 killed"));
}

TEST_CASE("plain characters are used where nothing else is understood") {
  const MeshPicture picture(mesh, "trees");
  const DemoJob job = job_with_deaths(3);
  const std::string text =
      text_of(draw_frame(job.progress, picture, screen_size_min, {.unicode = false}));
  for (const char letter : text) CHECK(static_cast<unsigned char>(letter) < 128);
}

TEST_CASE("a mesh can be drawn whoever is dead") {
  for (const char* policy : {"direct", "trees", "tree"}) {
    const MeshPicture picture(mesh, policy);
    std::vector<int> dead;
    for (int rank = 0; rank < 16; ++rank) {
      CHECK_FALSE(picture.draw(dead, {}).empty());
      dead.push_back(rank);
    }
    CHECK(picture.draw(dead, {}) == std::vector<std::string>{"nobody is alive"});
  }
}

TEST_CASE("the command for a plan is one that detour understands") {
  const MeshPicture picture(mesh, "trees");
  // Ranks are laid along a snake through the mesh.
  CHECK(picture.plan_command({5, 12}) == std::vector<std::string>{"plan", "--mesh", "4x4", "--fail",
                                                                  "1,2", "--fail", "3,3",
                                                                  "--policy", "trees"});
}
