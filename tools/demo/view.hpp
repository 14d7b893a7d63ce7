// Who shows a job as it goes on.
#pragma once

#include <memory>
#include <optional>

#include "demo/frame.hpp"
#include "demo/mesh_picture.hpp"
#include "demo/progress.hpp"

namespace detour::demo {

class View {
 public:
  virtual ~View() = default;
  // Called whenever something may be new.
  virtual void show(const Progress& progress) = 0;
  // After the last call of show().
  virtual void finish(const Progress& progress) = 0;
};

// Of the terminal that standard output is; nothing if it is none, or one that can't move its
// cursor.
std::optional<ScreenSize> screen_size();

// Pictures in place of each other on a terminal; the last one stays.
std::unique_ptr<View> make_screen_view(const MeshPicture& picture, TextStyle style);

// Lines, now and then one on how it goes, and a picture for every death.
std::unique_ptr<View> make_plain_view(const MeshPicture& picture, TextStyle style);

}  // namespace detour::demo
