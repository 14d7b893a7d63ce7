/* A program that loads the library while it runs, as an interpreter does, when others that are written in C++ are at work
   already: variables of each thread's that belong to those have their places by then. */
#include <dlfcn.h>
#include <stdio.h>

static void* load(const char* library) {
  void* const handle = dlopen(library, RTLD_NOW | RTLD_GLOBAL);
  if (handle == NULL) fprintf(stderr, "%s\n", dlerror());
  return handle;
}

int main(int argument_count, char** arguments) {
  void* const others = load("libstdc++.so.6");
  void* (*touch)(void) = NULL;
  if (argument_count != 2 || others == NULL) return 2;
  *(void**)&touch = dlsym(others, "__cxa_get_globals");
  if (touch == NULL || touch() == NULL) return 2;
  return load(arguments[1]) != NULL ? 0 : 1;
}
