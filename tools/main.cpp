#include "run.hpp"

int main(int argc, char** argv) {
  return detour::tool::run(argc, argv);
}
