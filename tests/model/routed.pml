// Routed operations, their attempts, and how members begin again: lib/operations/routed_operation.hpp, view.hpp.
//
//   -DN= members, -DCALL_COUNT=, -DKINDS= 1 sums, 2 broadcasts from member 0, 3 each call either
//   -DFAILURE_MAX= members that may have no memory for a new route
//
// How messages travel is left out. Data can come once all whose data it is have begun the attempt; if a member is gone
// that has not arrived, it may also never come.

#ifndef N
#define N 3
#endif
#ifndef CALL_COUNT
#define CALL_COUNT 1
#endif
#ifndef KINDS
#define KINDS 3
#endif
#ifndef FAILURE_MAX
#define FAILURE_MAX 0
#endif

#define ENTERED 0
#define ARRIVED 1
#define JOINED 2
#define COUNTER_COUNT 3
#include "members.pml"

#define ROOT 0
#define NOBODY N
#define NO_ROOT 64    // a call's result, if it ended with an error
#define NO_MEMORY 128

#define ATTEMPT (call + epoch)
#define ARRIVAL_VALUE (ATTEMPT + 1)
#define JOIN_VALUE (2 * ATTEMPT + 1)
#define REPORT_VALUE (2 * ATTEMPT + 2)

bool is_broadcast[CALL_COUNT];
byte begun[N];          // the number after that of the last attempt that a member has sent its data in
bool reports[N * 2];    // there was no memory
byte failure_count;

// For checks: by attempt, whom its data comes from; by call, who has arrived in any attempt.
byte sources[CALL_COUNT + N];
byte holders[CALL_COUNT];
hidden byte sources_agree;
hidden byte nobody_had_it;

#define HAS_BEGUN(i) (i >= N || !HAS(view, i) || begun[(i) % N] >= ARRIVAL_VALUE)
#define DATA_CAN_COME                                                       \
  (source != NOBODY -> begun[source % N] >= ARRIVAL_VALUE :                 \
   HAS_BEGUN(0) && HAS_BEGUN(1) && HAS_BEGUN(2) && HAS_BEGUN(3))
#define IS_GONE(i) \
  (i < N && HAS(view, i) && VALUE((i) % N, ARRIVED) < ARRIVAL_VALUE && HAS(dead_members, i))
#define SOMEBODY_IS_GONE (IS_GONE(0) || IS_GONE(1) || IS_GONE(2) || IS_GONE(3))

#if defined(MUTANT_ANY_DEATH_BREAKS)
#define IS_BROKEN(counter, value) \
  (ANY_IS_LOST(view, counter, value) || (HAS(view, 0) && seals[0] != 0) || (HAS(view, 1) && seals[1] != 0))
#elif defined(MUTANT_WAIT_IN_ORDER)
#define IS_BROKEN(counter, value) FIRST_IS_LOST(view, counter, value)
#else
#define IS_BROKEN(counter, value) ANY_IS_LOST(view, counter, value)
#endif

#define REGROUP(counter, value) lost_counter = counter; lost_value = value; goto regroup
#define STAGE(counter, value)                                            \
  if                                                                     \
  :: ALL_REACHED(view, counter, value)                                   \
  :: IS_BROKEN(counter, value) -> REGROUP(counter, value)                \
  :: DIE                                                                 \
  fi

inline finish_call(result) {
  survivors_agree = (results[call] == 0 || results[call] == (result));
  assert(survivors_agree);
  own_data_is_in = HAS(view, me);
  assert(own_data_is_in);
  results[call] = (result);
  call++
}

// When the root is gone nobody may be left who had got everything.
inline finish_without_root() {
  nobody_had_it = ((holders[call] & view & ~dead_members) == 0);
  assert(nobody_had_it);
  finish_call(NO_ROOT)
}

inline take_present() {
  is_missing = false;
  for (i : 0 .. N - 1) {
    if
    :: HAS(view, i) && VALUE(i, ENTERED) < call + 1 -> view = view & ~BIT(i); is_missing = true
    :: else
    fi
  };
  i = 0
}

inline find_source() {
  if
  :: source != NOBODY && !HAS(view, source) ->
     source = NOBODY;
     for (i : 0 .. N - 1) {
       if
#ifdef MUTANT_LAST_ATTEMPT_ONLY
       :: source == NOBODY && HAS(view, i) && VALUE(i, ARRIVED) == ATTEMPT && ATTEMPT > first_attempt -> source = i
#else
       :: source == NOBODY && HAS(view, i) && VALUE(i, ARRIVED) > first_attempt -> source = i
#endif
       :: else
       fi
     };
     is_lost = (source == NOBODY);
     i = 0
  :: else
  fi
}

inline begin_to_move() {
  begun[me] = ARRIVAL_VALUE;
  sources_agree = (sources[ATTEMPT] == 0 || sources[ATTEMPT] == source + 1);
  assert(sources_agree);
  sources[ATTEMPT] = source + 1
}

inline look_at(member) {
  if
  :: HAS(view, member) && seals[member] != 0 ->
     seals[member] = BIT(COUNTER_COUNT) - 1;
     if
     :: VALUE(member, lost_counter) < lost_value -> dead = dead | BIT(member)
     :: else
     fi
  :: else
  fi
}

inline go_on_without(decided) {
  somebody_goes = ((decided & view) != 0);
  assert(somebody_goes);
  view = view & ~decided;
  decided = 0; dead = 0; lost_counter = 0; lost_value = 0;
  epoch++
}

// The lowest member's error is everybody's: which one it was does not matter here.
inline check_reports() {
  for (i : 0 .. N - 1) {
    if
    :: HAS(view, i) && reports[i * 2 + ATTEMPT % 2] -> has_failed = true
    :: else
    fi
  };
  i = 0
}

proctype Member(byte me) {
  byte call;
  byte view = EVERYBODY;
  byte epoch;
  byte first_attempt;
  byte source = NOBODY;
  byte lost_counter;
  byte lost_value;
  byte dead;
  byte decided;
  byte i;
  bool is_missing;
  bool is_lost;
  bool has_failed;

  do
  :: call == CALL_COUNT -> goto out
  :: else ->
     first_attempt = ATTEMPT;
     source = (is_broadcast[call] -> ROOT : NOBODY);
     RAISE(ENTERED, call + 1);
     WAIT(ALL_SETTLED(view, ENTERED, call + 1), take_present(); find_source());
     if
     :: is_lost -> goto without_root
     :: !is_lost && is_missing -> is_missing = false; goto begin_anew
     :: else
     fi;

moving:
     STEP(begin_to_move());
     if
     :: DATA_CAN_COME
     :: IS_BROKEN(ARRIVED, ARRIVAL_VALUE) -> REGROUP(ARRIVED, ARRIVAL_VALUE)
     :: SOMEBODY_IS_GONE -> IS_BROKEN(ARRIVED, ARRIVAL_VALUE) -> REGROUP(ARRIVED, ARRIVAL_VALUE)
     :: DIE
     fi;
     if
     :: d_step {
          MAY_RAISE(ARRIVED) -> VALUE(me, ARRIVED) = ARRIVAL_VALUE; holders[call] = holders[call] | BIT(me)
        }
     :: !(MAY_RAISE(ARRIVED)) -> goto out
     :: DIE
     fi;
#ifndef MUTANT_RETURN_ON_ARRIVAL
     STAGE(ARRIVED, ARRIVAL_VALUE);
#endif
     STEP(finish_call(view));
     goto next_call;

regroup:
     STEP(look_at(0));
     STEP(look_at(1));
#if N > 2
     STEP(look_at(2));
#endif
#if N > 3
     STEP(look_at(3));
#endif
#ifdef MUTANT_ARRIVE_AFTER_JOINING
     is_missing = (lost_counter == ARRIVED && DATA_CAN_COME);
#endif
     DECIDE(epoch, dead, decided);
     d_step { go_on_without(decided) };
     if
     :: !HAS(view, me) -> goto out
     :: else
     fi;

begin_anew:
     RAISE(JOINED, JOIN_VALUE);
#ifdef MUTANT_ARRIVE_AFTER_JOINING
     if
     :: d_step {
          is_missing && MAY_RAISE(ARRIVED) ->
          VALUE(me, ARRIVED) = ATTEMPT; holders[call] = holders[call] | BIT(me)
        }
     :: true
     fi;
     is_missing = false;
#endif
#ifndef MUTANT_DONT_WAIT_TO_JOIN
     STAGE(JOINED, JOIN_VALUE);
#endif
     STEP(find_source());
     if
     :: is_lost -> goto without_root
     :: else
     fi;
#ifndef MUTANT_NO_REPORTS
     if
     :: d_step { reports[me * 2 + ATTEMPT % 2] = false }
     :: d_step { failure_count < FAILURE_MAX -> failure_count++; reports[me * 2 + ATTEMPT % 2] = true }
     :: DIE
     fi;
     RAISE(JOINED, REPORT_VALUE);
     STAGE(JOINED, REPORT_VALUE);
     STEP(check_reports());
     if
     :: has_failed -> has_failed = false; goto without_memory
     :: else
     fi;
#endif
     goto moving;

without_memory:
     STEP(finish_call(NO_MEMORY));
     goto next_call;

without_root:
     is_missing = false; is_lost = false;
     STEP(finish_without_root());

next_call:
     skip
  od;
out:
  // What it knew matters to nobody: fewer states.
  skip;
  d_step {
    call = 0; view = 0; epoch = 0; first_attempt = 0; source = 0; lost_counter = 0; lost_value = 0;
    dead = 0; decided = 0; i = 0; is_missing = false; is_lost = false; has_failed = false
  }
}

init {
  byte at;
  atomic {
    do
    :: at < CALL_COUNT && (KINDS & 1) != 0 -> at++
    :: at < CALL_COUNT && (KINDS & 2) != 0 -> is_broadcast[at] = true; at++
    :: at == CALL_COUNT -> break
    od;
    at = 0;
    start_all()
  }
}
