// Sums of data that lies where all can read it, in place, and how members go on where they are when somebody dies:
// lib/operations/mapped_reduction.hpp, and what direct_operation.cpp does around it.
//
//   -DN= members, -DCALL_COUNT=, -DPIECE_COUNT= of each call; eight pieces in all calls at most
//
// Whoever has entered a call is in its result, dead or not: contributors. Those who are left to do it are workers. A
// reduction that is broken has committed some pieces; the next one is of the rest, and its pieces are numbered on from
// where the broken one would have ended. How large they are is left out: a rest is cut as it was before.
//
// Slots hold the number of the piece that they were written for, and inputs which pieces are still as the program wrote
// them, so that reading what was overwritten shows. When a call has ended its input is the program's again, and slots
// are used for something else: that happens at once, so that whoever still reads them shows, too. As in direct.pml it
// is enough to have reading and writing each at one moment.

#ifndef N
#define N 3
#endif
#ifndef CALL_COUNT
#define CALL_COUNT 1
#endif
#ifndef PIECE_COUNT
#define PIECE_COUNT 2
#endif

#define ENTERED 0
#define REDUCED 1
#define COPIED 2
#define LEFT 3
#define COUNTER_COUNT 4
#include "members.pml"

#define SLOT(number) ((number) % 2)
#define PIECE_BIT(index) BIT(call * PIECE_COUNT + (index))
#define WHOLE_INPUT ((BIT(PIECE_COUNT) - 1) << (call * PIECE_COUNT))
// Pieces that members take for the same one, by its number, may not be.
#define CONTENT(set, index) ((set) | ((index) << N))

byte inputs[N];            // a bit for each piece of each call that is there
byte result_slots[N * 2];  // which piece, by number
byte result_sets[N * 2];   // whose data is in it, and of which piece of the call

// Of the reduction that is under way.
#define COUNT (PIECE_COUNT - committed)
#define END_NUMBER (first_number + COUNT)
#define NEXT_TO_COPY (first_number + copied)

inline reduce_own_slice() {
  reduced_set = 0;
  for (i : 0 .. N - 1) {
    if
    :: HAS(contributors, i) && (inputs[i] & PIECE_BIT(committed + reduced)) != 0 ->
       reduced_set = reduced_set | BIT(i)
    :: else
    fi
  };
  result_slots[me * 2 + SLOT(first_number + reduced)] = first_number + reduced + 1;
  result_sets[me * 2 + SLOT(first_number + reduced)] = CONTENT(reduced_set, committed + reduced);
  reduced++;
  i = 0; reduced_set = 0
}

inline copy_slices() {
  for (i : 0 .. N - 1) {
    if
    :: HAS(workers, i) &&
       (result_slots[i * 2 + SLOT(NEXT_TO_COPY)] != NEXT_TO_COPY + 1 ||
        result_sets[i * 2 + SLOT(NEXT_TO_COPY)] != CONTENT(contributors, committed + copied)) ->
       is_whole = false
    :: else
    fi
  };
  inputs[me] = inputs[me] & ~PIECE_BIT(committed + copied);
  copied++;
  i = 0
}

// Only when the next piece to copy will never be there: so all break off at the same one.
#ifdef MUTANT_BREAK_AT_ONCE
#define IS_BROKEN (copied < COUNT && ANY_IS_LOST(workers, REDUCED, END_NUMBER))
#else
#define IS_BROKEN (copied < COUNT && ANY_IS_LOST(workers, REDUCED, NEXT_TO_COPY + 1))
#endif

#ifdef MUTANT_COPY_TOO_EARLY
#define MAY_COPY (copied < reduced)
#else
#define MAY_COPY (copied < COUNT && ALL_REACHED(workers, REDUCED, NEXT_TO_COPY + 1))
#endif

// What everybody has to have copied: for the first pieces all that came before.
#ifdef MUTANT_GO_ON_AT_ONCE
#define COPIED_BEFORE_FIRST 0
#else
#define COPIED_BEFORE_FIRST first_number
#endif
#ifdef MUTANT_REUSE_SLOT
#define COPIED_TO_REDUCE COPIED_BEFORE_FIRST
#else
#define COPIED_TO_REDUCE (reduced < 2 -> COPIED_BEFORE_FIRST : first_number + reduced - 1)
#endif
#define MAY_REDUCE (reduced < COUNT && ALL_REACHED(workers, COPIED, COPIED_TO_REDUCE))

#ifdef MUTANT_RETURN_AT_ONCE
#define MAY_RETURN (copied == COUNT)
#else
#define MAY_RETURN (copied == COUNT && ALL_SETTLED(workers, COPIED, END_NUMBER))
#endif

// A member that was given up may have its memory back when nobody is left in the call who could need it: not before those
// whose sealing it has seen begin are sealed altogether, for until then they may still finish the call.
inline finish_sealing() {
#ifndef MUTANT_HALF_SEALED
  for (i : 0 .. N - 1) {
    if
    :: VALUE(i, LEFT) < entered_attempt + 1 && seals[i] != 0 -> seals[i] = BIT(COUNTER_COUNT) - 1
    :: else
    fi
  };
  i = 0
#else
  skip
#endif
}
#ifdef MUTANT_LEAVE_WHILE_READ
#define MAY_LEAVE true
#else
#define MAY_LEAVE ALL_SETTLED(EVERYBODY, LEFT, entered_attempt + 1)
#endif

// Committed or not, all its pieces have had their numbers.
inline end_reduction() {
  first_number = END_NUMBER;
  committed = committed + copied;
  reduced = 0;
  copied = 0
}

inline end_call() {
  if
  :: MAY_RAISE(LEFT) -> VALUE(me, LEFT) = call + epoch + 1
  :: else
  fi;
  inputs[me] = 0;
  for (i : 0 .. 1) {
    result_slots[me * 2 + i] = 0;
    result_sets[me * 2 + i] = 0
  };
  end_reduction();
  committed = 0;
  entered_attempt = 0;
  is_whole = true;
  i = 0;
  call++
}

// Returns from a call.
inline finish_call() {
  data_is_whole = is_whole;
  assert(data_is_whole);
  survivors_agree = (results[call] == 0 || results[call] == contributors);
  assert(survivors_agree);
  // Everybody's, of those who have entered.
  own_data_is_in = HAS(contributors, me);
  for (i : 0 .. N - 1) {
    own_data_is_in = (own_data_is_in && HAS(contributors, i) == (VALUE(i, ENTERED) > call))
  };
  assert(own_data_is_in);
  results[call] = contributors;
  end_call()
}

#define MEMBER_COUNT(set) (((set) & 1) + (((set) >> 1) & 1) + (((set) >> 2) & 1) + (((set) >> 3) & 1))

// Members only go: as many as before are the same ones. Who is no worker any more can't have come.
inline take_present() {
  for (i : 0 .. N - 1) {
    if
    :: VALUE(i, ENTERED) < call + 1 -> present = present & ~BIT(i)
    :: else
    fi
  };
  if
  :: MEMBER_COUNT(present) != MEMBER_COUNT(contributors) -> contributors = present; workers = present
  :: else
  fi;
  i = 0
}

// Who has broken the reduction, as far as this member can see.
inline look_at(i) {
  if
  :: HAS(workers, i) && seals[i] != 0 ->
     seals[i] = BIT(COUNTER_COUNT) - 1;
     if
     :: VALUE(i, REDUCED) < END_NUMBER -> dead = dead | BIT(i)
     :: else
     fi
  :: else
  fi
}

// Whoever has not noticed yet does not wait for this member. If a counter is sealed it will find out later.
inline give_up(counter) {
  if
  :: MAY_RAISE(counter) -> VALUE(me, counter) = END_NUMBER
  :: else
  fi
}

// What is committed stands, and the dead stay in the result.
inline go_on_without(decided) {
  somebody_goes = ((decided & workers) != 0);
  assert(somebody_goes);
  workers = workers & ~decided;
  end_reduction();
  decided = 0;
  dead = 0;
  epoch++
}

#define RAISE_OR_LEAVE(counter, to)                                   \
  if                                                                  \
  :: d_step { MAY_RAISE(counter) -> VALUE(me, counter) = to }         \
  :: !(MAY_RAISE(counter)) -> goto leave                              \
  :: DIE                                                              \
  fi

proctype Member(byte me) {
  byte call;
  byte present = EVERYBODY;       // those who have not been found dead before entering a call
  byte contributors = EVERYBODY;
  byte workers = EVERYBODY;
  byte epoch;
  byte entered_attempt;
  byte first_number;              // of this reduction's pieces
  byte committed;                 // pieces of the call, by reductions before this one
  byte reduced;                   // pieces of this one
  byte copied;
  byte dead;
  byte decided;
  byte reduced_set;
  byte i;
  bool is_whole = true;

next_call:
  if
  :: call == CALL_COUNT -> goto out
  :: else
  fi;
  // Nobody reads the input for this call before.
  if
  :: d_step {
       MAY_RAISE(ENTERED) ->
       inputs[me] = WHOLE_INPUT;
       entered_attempt = call + epoch;
       VALUE(me, ENTERED) = call + 1
     }
  :: !(MAY_RAISE(ENTERED)) -> goto out
  :: DIE
  fi;
  WAIT(ALL_SETTLED(present, ENTERED, call + 1), take_present());

go_through:
  if
  :: IS_SEALED(me, ENTERED) -> goto leave
  :: else
  fi;
  do
  :: d_step { MAY_COPY -> copy_slices() };
     RAISE_OR_LEAVE(COPIED, first_number + copied)
  :: d_step { MAY_REDUCE -> reduce_own_slice() };
     RAISE_OR_LEAVE(REDUCED, first_number + reduced)
  :: IS_BROKEN -> break
  :: d_step { MAY_RETURN -> finish_call() };
     goto next_call
  :: DIE
  od;

  // Broken.
  STEP(give_up(REDUCED));
  STEP(give_up(COPIED));
  STEP(look_at(0));
  STEP(look_at(1));
#if N > 2
  STEP(look_at(2));
#endif
#if N > 3
  STEP(look_at(3));
#endif
  DECIDE(epoch, dead, decided);
  d_step { go_on_without(decided) };
  if
  :: HAS(workers, me) -> goto go_through
  :: else
  fi;

leave:
  // It has been given up, but as long as not all of its counters are sealed it may come again.
  WAIT(MAY_LEAVE, finish_sealing(); end_call());
  goto next_call;

out:
  // What it knew matters to nobody: fewer states.
  skip;
  d_step {
    call = 0; present = 0; contributors = 0; workers = 0; epoch = 0; entered_attempt = 0; first_number = 0;
    committed = 0; reduced = 0; copied = 0; dead = 0; decided = 0; i = 0; is_whole = false
  }
}

init {
  byte at;
  atomic { start_all() }
}
