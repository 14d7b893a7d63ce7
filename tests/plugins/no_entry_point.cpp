// A shared object that has nothing to do with policies.
extern "C" int answer() {
  return 42;
}
