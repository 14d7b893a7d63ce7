// Marks what libdetour_routing.so exports; everything else in it is hidden.
#pragma once

#define DETOUR_API __attribute__((visibility("default")))
