// Sums straight from shared memory, and how members go on without the dead: lib/node/call_board.hpp,
// direct_group.hpp, direct_attempt.hpp.
//
//   -DN= members, -DCALL_COUNT=, -DPIECE_COUNT= of large data, -DKINDS= 1 small, 2 large, 3 each call either
//   -DIN_PLACE outputs overwrite inputs, -DKEPT results are kept until the last piece is reduced
//   -DTOLD small results are told by whoever has them first: lib/node/work_ledger.hpp
//
// Slots hold the number of the call or piece that they were written for, so that reading one that was written anew
// shows. Reading and writing take time; but if they can overlap, then one of them can also be first, and it is
// enough to have each of them at one moment, anywhere between the steps before and after it.

#ifndef N
#define N 3
#endif
#ifndef CALL_COUNT
#define CALL_COUNT 2
#endif
#ifndef PIECE_COUNT
#define PIECE_COUNT 1
#endif
#ifndef KINDS
#define KINDS 3
#endif

#define ENTERED 0
#define STAGED 1
#define REDUCED 2
#define COPIED 3
#define COUNTER_COUNT 4
#include "members.pml"

#ifdef MUTANT_ONE_SLOT
#define SLOT(number) 0
#else
#define SLOT(number) ((number) % 2)
#endif
#ifdef KEPT
#define RESULT_SLOT_COUNT PIECE_COUNT
#define RESULT_SLOT(index, number) (index)
#else
#define RESULT_SLOT_COUNT 2
#define RESULT_SLOT(index, number) SLOT(number)
#endif

bool is_large[CALL_COUNT];
byte small_slots[N * 2];
#ifdef TOLD
byte sum_slots[N * 2];  // for which call
byte sum_sets[N * 2];   // and whose data is in it
byte told_calls[2];     // the ledger's two words: a call, and who has its result
byte told_by[2];
#endif
byte staging_slots[N * 2];
byte result_slots[N * RESULT_SLOT_COUNT];  // which piece
byte result_sets[N * RESULT_SLOT_COUNT];   // and whose data is in it

// Data that was overwritten is no data.
#define SOURCE_IS_THERE (has_undo -> undo_is_there : input_is_there)

inline stage(number) {
  staging_slots[me * 2 + SLOT(number)] = (SOURCE_IS_THERE -> number + 1 : 0)
}

inline reduce_own_slice(index, number) {
  reduced_set = 0;
  for (i : 0 .. N - 1) {
    if
    :: HAS(contributors, i) && (i == me -> SOURCE_IS_THERE : staging_slots[i * 2 + SLOT(number)] == number + 1) ->
       reduced_set = reduced_set | BIT(i)
    :: else
    fi
  };
  result_slots[me * RESULT_SLOT_COUNT + RESULT_SLOT(index, number)] = number + 1;
  result_sets[me * RESULT_SLOT_COUNT + RESULT_SLOT(index, number)] = reduced_set;
  i = 0; reduced_set = 0
}

inline copy_slices(index, number) {
  for (i : 0 .. N - 1) {
    if
    :: HAS(contributors, i) &&
       (result_slots[i * RESULT_SLOT_COUNT + RESULT_SLOT(index, number)] != number + 1 ||
        result_sets[i * RESULT_SLOT_COUNT + RESULT_SLOT(index, number)] != contributors) ->
       is_whole = false
    :: else
    fi
  };
#ifdef IN_PLACE
  input_is_there = false;
#endif
  i = 0
}

// Returns from a call.
inline finish_call() {
  data_is_whole = is_whole;
  assert(data_is_whole);
  survivors_agree = (results[call] == 0 || results[call] == contributors);
  assert(survivors_agree);
  own_data_is_in = HAS(contributors, me);
  assert(own_data_is_in);
  results[call] = contributors;
  call++
}

#define MEMBER_COUNT(set) (((set) & 1) + (((set) >> 1) & 1) + (((set) >> 2) & 1) + (((set) >> 3) & 1))

// Members only go: as many as before are the same ones.
inline take_present() {
  for (i : 0 .. N - 1) {
    if
    :: VALUE(i, ENTERED) < call + 1 -> present = present & ~BIT(i)
    :: else
    fi
  };
  if
  :: MEMBER_COUNT(present) != MEMBER_COUNT(contributors) -> contributors = present
  :: else
  fi;
  i = 0
}

#ifdef MUTANT_LOOK_AT_THE_VALUE_FIRST
inline look_for_late() {
  for (i : 0 .. N - 1) {
    if
    :: VALUE(i, ENTERED) < call + 1 -> dead = dead | BIT(i)
    :: else
    fi
  };
  i = 0
}

inline leave_out_late() {
  for (i : 0 .. N - 1) {
    if
    :: HAS(dead, i) && IS_SEALED(i, ENTERED) -> present = present & ~BIT(i); contributors = present
    :: else
    fi
  };
  i = 0; dead = 0
}
#endif

inline take_small_data() {
  for (i : 0 .. N - 1) {
    if
    :: HAS(contributors, i) && small_slots[i * 2 + SLOT(call)] != call + 1 -> is_whole = false
    :: else
    fi
  };
  i = 0
}

#ifdef TOLD
#ifdef MUTANT_BELIEVE_ANY_WORD
#define IS_TOLD (told_calls[SLOT(call)] != 0)
#else
#define IS_TOLD (told_calls[SLOT(call)] == call + 1)
#endif

inline write_sum() {
  sum_slots[me * 2 + SLOT(call)] = call + 1;
  sum_sets[me * 2 + SLOT(call)] = (is_whole -> contributors : 0)
}

inline write_word() {
  told_calls[SLOT(call)] = call + 1;
  told_by[SLOT(call)] = me
}

// A member that was given up, but still runs, may write over the word as soon as it was read.
inline take_sum() {
#ifdef MUTANT_READ_THE_WORD_TWICE
  teller = told_by[SLOT(call)];
#endif
  if
  :: sum_slots[teller * 2 + SLOT(call)] != call + 1 ||
     sum_sets[teller * 2 + SLOT(call)] != contributors -> is_whole = false
  :: else
  fi;
  teller = 0
}
#endif

// Who has broken the attempt, as far as this member can see.
inline look_at(i) {
  if
  :: HAS(contributors, i) && seals[i] != 0 ->
     seals[i] = BIT(COUNTER_COUNT) - 1;
     if
     :: VALUE(i, REDUCED) < end_number -> dead = dead | BIT(i)
     :: else
     fi
  :: else
  fi
}

inline give_up() {
  for (i : STAGED .. COPIED) {
    if
    :: MAY_RAISE(i) -> VALUE(me, i) = end_number
    :: else
    fi
  };
  i = 0
}

inline go_on_without(decided) {
  somebody_goes = ((decided & contributors) != 0);
  assert(somebody_goes);
  contributors = contributors & ~decided;
  decided = 0;
  dead = 0;
  epoch++
}

#ifdef MUTANT_ANY_DEATH_BREAKS
#define IS_BROKEN(counter, value)                                             \
  (ANY_IS_LOST(contributors, counter, value) ||                               \
   (HAS(contributors, 0) && seals[0] != 0) || (HAS(contributors, 1) && seals[1] != 0))
#else
#define IS_BROKEN(counter, value) ANY_IS_LOST(contributors, counter, value)
#endif
#define WAIT_UNBROKEN(counter, value)                                  \
  if                                                                   \
  :: ALL_REACHED(contributors, counter, value)                         \
  :: IS_BROKEN(counter, value) -> goto broken                          \
  :: DIE                                                               \
  fi

proctype Member(byte me) {
  byte call;
  byte present = EVERYBODY;       // those who have not been found dead before entering a call
  byte contributors = EVERYBODY;
  byte expected;                 // who was to take part when the first piece was staged
  byte epoch;
  byte first_number;             // of this attempt's pieces
  byte end_number;
  byte index;
  byte dead;
  byte decided;
  byte reduced_set;
#ifdef TOLD
  byte teller;
#endif
  byte i;
  bool input_is_there = true;
  bool has_undo;
  bool undo_is_there;
  bool is_whole = true;

  do
  :: call == CALL_COUNT -> goto out
  :: call < CALL_COUNT && !is_large[call] ->
     STEP(small_slots[me * 2 + SLOT(call)] = call + 1);
     RAISE(ENTERED, call + 1);
#ifdef TOLD
     expected = contributors;
     if
     :: d_step { ALL_SETTLED(present, ENTERED, call + 1) -> take_present() };
        STEP(take_small_data());
        if
        :: IS_SEALED(me, ENTERED) -> goto out
        :: else
        fi;
        if
#ifndef MUTANT_TELL_WITHOUT_SOME
        :: contributors == expected ->
#else
        :: true ->
#endif
#ifndef MUTANT_TELL_TOO_EARLY
           STEP(write_sum());
           STEP(write_word())
#else
           STEP(write_word());
           STEP(write_sum())
#endif
        :: else
        fi;
        STEP(finish_call())
     :: d_step { IS_TOLD -> teller = told_by[SLOT(call)] };
        STEP(take_sum());
#ifndef MUTANT_NO_LOOK_BACK
        if
        :: d_step { !IS_SEALED(me, ENTERED) -> finish_call() }
        :: IS_SEALED(me, ENTERED) -> goto out
        :: DIE
        fi
#else
        STEP(finish_call())
#endif
     :: DIE
     fi;
     expected = 0
#else
#ifdef MUTANT_LOOK_AT_THE_VALUE_FIRST
     STEP(look_for_late());
     WAIT(ALL_SETTLED(present, ENTERED, call + 1), take_present(); leave_out_late());
#else
     WAIT(ALL_SETTLED(present, ENTERED, call + 1), take_present());
#endif
     STEP(take_small_data());
#ifndef MUTANT_NO_LOOK_BACK
     if
     :: d_step { !IS_SEALED(me, ENTERED) -> finish_call() }
     :: IS_SEALED(me, ENTERED) -> goto out
     :: DIE
     fi
#else
     STEP(finish_call())
#endif
#endif
  :: call < CALL_COUNT && is_large[call] ->
     end_number = first_number + PIECE_COUNT;
     input_is_there = true;
     has_undo = false;
     STEP(stage(first_number); expected = contributors);
     RAISE(ENTERED, call + 1);
     WAIT(ALL_SETTLED(present, ENTERED, call + 1), take_present());
     if
     :: contributors == expected -> expected = 0
     :: else -> expected = 0; goto attempt_anew
     fi;

attempt:
#if defined(IN_PLACE) && !defined(KEPT) && !defined(MUTANT_NO_UNDO)
     // A copy of the input, from which staging and reducing go on.
     if
#ifndef MUTANT_SAVE_AGAIN
     :: has_undo
#endif
     :: else -> has_undo = true; undo_is_there = input_is_there
     fi;
#endif
     RAISE(STAGED, first_number + 1);
     do
     :: index < PIECE_COUNT ->
        if
        :: index + 1 < PIECE_COUNT ->
           STEP(stage(first_number + index + 1));
           RAISE(STAGED, first_number + index + 2)
        :: else
        fi;
        WAIT_UNBROKEN(STAGED, first_number + index + 1);
        STEP(reduce_own_slice(index, first_number + index));
        RAISE(REDUCED, first_number + index + 1);
#ifdef MUTANT_FINISH_EARLY
        WAIT(ALL_SETTLED(contributors, REDUCED, first_number + index + 1), skip);
#else
        WAIT_UNBROKEN(REDUCED, first_number + index + 1);
#endif
#ifndef KEPT
        STEP(copy_slices(index, first_number + index));
        RAISE(COPIED, first_number + index + 1);
#endif
        index++
     :: else -> break
     od;
#ifdef KEPT
     index = 0;
     do
     :: index < PIECE_COUNT ->
        STEP(copy_slices(index, first_number + index));
        RAISE(COPIED, first_number + index + 1);
        index++
     :: else -> break
     od;
#endif
     STEP(finish_call(); index = 0; first_number = end_number);
     goto next_call;

broken:
     STEP(give_up());
     STEP(look_at(0));
     STEP(look_at(1));
#if N > 2
     STEP(look_at(2));
#endif
#if N > 3
     STEP(look_at(3));
#endif
     DECIDE(epoch, dead, decided);
     d_step { go_on_without(decided); first_number = end_number; index = 0; is_whole = true };
     if
     :: !HAS(contributors, me) -> goto out
     :: else
     fi;

attempt_anew:
     end_number = first_number + PIECE_COUNT;
     STEP(stage(first_number));
     goto attempt;

next_call:
     skip
  od;
out:
  // What it knew matters to nobody: fewer states.
  skip;
  d_step {
    call = 0; present = 0; contributors = 0; expected = 0; epoch = 0; first_number = 0; end_number = 0; index = 0;
    dead = 0; decided = 0; i = 0; input_is_there = false; has_undo = false;
    undo_is_there = false; is_whole = false
  }
}

init {
  byte at;
  atomic {
    do
    :: at < CALL_COUNT && (KINDS & 1) != 0 -> at++
    :: at < CALL_COUNT && (KINDS & 2) != 0 -> is_large[at] = true; at++
    :: at == CALL_COUNT -> break
    od;
    at = 0;
    start_all()
  }
}
