// Rules of the protocol that a test build can break, one at a time, to see that its tests notice. In any other build
// they are constants, and cost nothing.
#pragma once

#include <string_view>

// Each says what is done wrong.
#define DETOUR_PROTOCOL_SWITCHES_LIST(SWITCH)                                                 \
  SWITCH(return_on_arrival)     /* without waiting for the others to arrive */                \
  SWITCH(reuse_slots_at_once)   /* what was said in one call is written over in the next */   \
  SWITCH(dont_wait_to_join)     /* who had arrived is read while it may still change */       \
  SWITCH(dont_wait_for_reports) /* data moves though somebody may have no memory for it */    \
  SWITCH(accept_old_epochs)     /* messages of broken attempts count */                       \
  SWITCH(overwrite_input)       /* before the result is committed */                          \
  SWITCH(forget_saved_input)    /* begin again with what the broken attempt has left */       \
  SWITCH(own_proposal)          /* everybody goes on with the members that it thinks right */ \
  SWITCH(ignore_disagreement)   /* of what was called */                                      \
  SWITCH(raise_sealed)          /* whoever was given up goes on */                            \
  SWITCH(dont_look_back)        /* whoever was given up returns what it has read */           \
  SWITCH(any_death_breaks)      /* also that of members that had done their part */           \
  SWITCH(tell_nobody)           /* of a death that was found */                               \
  SWITCH(dont_ring)             /* the bells of those who wait */                             \
  SWITCH(withdraw_silently)     /* without waking those who wait */                           \
  SWITCH(believe_any_word)      /* that a result is there, whatever call it is about */       \
  SWITCH(say_done_too_early)    /* of a part that is still to be formed */                    \
  SWITCH(leave_while_read)      /* whoever was given up has its memory back at once */        \
  SWITCH(go_on_at_once)         /* while others still copy what was reduced before a death */ \
  SWITCH(copy_too_early)        /* over an input that others have not reduced */

namespace detour {

struct ProtocolSwitches {
#define DETOUR_SWITCH(name) bool name = false;
  DETOUR_PROTOCOL_SWITCHES_LIST(DETOUR_SWITCH)
#undef DETOUR_SWITCH
};

#ifdef DETOUR_PROTOCOL_SWITCHES
inline constexpr bool has_protocol_switches = true;
inline ProtocolSwitches protocol_switches;

// False if there is no such rule.
inline bool break_rule(std::string_view rule) {
#define DETOUR_SWITCH(name) \
  if (rule == #name) return protocol_switches.name = true;
  DETOUR_PROTOCOL_SWITCHES_LIST(DETOUR_SWITCH)
#undef DETOUR_SWITCH
  return false;
}
#else
inline constexpr bool has_protocol_switches = false;
inline constexpr ProtocolSwitches protocol_switches;
inline bool break_rule(std::string_view) {
  return false;
}
#endif

}  // namespace detour
