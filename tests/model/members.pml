// Members of a node, their counters in shared memory, deaths, and sealing: what both models stand on.
//
// A member may die before each of its steps, and any time may go by before that is noticed. Whoever notices
// seals the dead member's counters, one after the other, the last one first (lib/node/call_board.cpp). Who
// does it makes no difference, since sealing twice is like sealing once: one process per member does it for all.
// It may also seal a member that lives. That one goes on until it finds out.
//
// A model includes this with N, CALL_COUNT and COUNTER_COUNT defined. MUTANT_... break one rule each.

#ifndef GONE_MAX
#define GONE_MAX (N - 1)  // deaths and false suspicions: somebody is left
#endif
#ifndef SUSPECT_MAX
#define SUSPECT_MAX 1
#endif

#define BIT(i) (1 << (i))
#define EVERYBODY (BIT(N) - 1)
#define HAS(set, i) (((set) & BIT(i)) != 0)

byte counter_values[N * COUNTER_COUNT];
byte seals[N];  // of each member: a bit for each counter
byte gone_count;
byte gone_limit;  // chosen at the start: somebody who waits for ever must not be let off by dying later
byte suspect_count;
byte dead_members;

#define VALUE(i, counter) counter_values[(i) * COUNTER_COUNT + (counter)]
#define IS_SEALED(i, counter) (HAS(seals[i], counter))
#ifdef MUTANT_RAISE_SEALED
#define MAY_RAISE(counter) true
#else
#define MAY_RAISE(counter) !IS_SEALED(me, counter)
#endif

// A set's members below a value, for as many as there may be.
#define BELOW(set, i, counter, value) (i < N && HAS(set, i) && VALUE((i) % N, counter) < (value))
#define IS_LOST(set, i, counter, value) \
  (BELOW(set, i, counter, value) && IS_SEALED((i) % N, counter))
#define ALL_REACHED(set, counter, value)                                       \
  (!BELOW(set, 0, counter, value) && !BELOW(set, 1, counter, value) &&         \
   !BELOW(set, 2, counter, value) && !BELOW(set, 3, counter, value))
// Everybody is there or will never be.
#define IS_SETTLED_FOR(set, i, counter, value) \
  (!BELOW(set, i, counter, value) || IS_SEALED((i) % N, counter))
#define ALL_SETTLED(set, counter, value)                                                     \
  (IS_SETTLED_FOR(set, 0, counter, value) && IS_SETTLED_FOR(set, 1, counter, value) &&       \
   IS_SETTLED_FOR(set, 2, counter, value) && IS_SETTLED_FOR(set, 3, counter, value))
// Waiting goes from one member to the next: only the first one that is below is looked at.
#define FIRST_IS_LOST(set, counter, value)                                            \
  (BELOW(set, 0, counter, value) -> IS_SEALED(0, counter) :                           \
  (BELOW(set, 1, counter, value) -> IS_SEALED(1 % N, counter) :                       \
  (BELOW(set, 2, counter, value) -> IS_SEALED(2 % N, counter) :                       \
  (BELOW(set, 3, counter, value) -> IS_SEALED(3 % N, counter) : false))))
#define ANY_IS_LOST(set, counter, value)                                              \
  (IS_LOST(set, 0, counter, value) || IS_LOST(set, 1, counter, value) ||              \
   IS_LOST(set, 2, counter, value) || IS_LOST(set, 3, counter, value))

// An option of every step of a member.
#define DIE \
  atomic { gone_count < gone_limit -> gone_count++; dead_members = dead_members | BIT(me); goto out }

#define STEP(action) if :: d_step { action } :: DIE fi
#define WAIT(condition, action) if :: d_step { condition -> action } :: DIE fi

// Whoever can't raise its own counter learns that the others have given it up: it is out, with an error.
#define RAISE(counter, to)                                            \
  if                                                                  \
  :: d_step { MAY_RAISE(counter) -> VALUE(me, counter) = to }         \
  :: !(MAY_RAISE(counter)) -> goto out                                \
  :: DIE                                                              \
  fi

proctype Sealer(byte whom) {
  byte counter;
end_nothing_to_do:
  if
  :: HAS(dead_members, whom)
  :: d_step {
       suspect_count < SUSPECT_MAX && gone_count < gone_limit -> suspect_count++; gone_count++
     }
  fi;
  do
  :: counter < COUNTER_COUNT ->
#ifdef MUTANT_SEAL_FIRST_TO_LAST
     d_step { seals[whom] = seals[whom] | BIT(counter); counter++ }
#else
     d_step { seals[whom] = seals[whom] | BIT(COUNTER_COUNT - 1 - counter); counter++ }
#endif
  :: else -> break
  od
}

inline start_all() {
  do
  :: gone_limit < GONE_MAX -> gone_limit++
  :: break
  od;
  do
  :: at < N -> run Member(at); run Sealer(at); at++
  :: else -> break
  od
}

// Decisions: the first proposal for a number stands, for everybody (lib/membership).
byte winners[N];             // by number: the winner plus one
byte proposals[N * N];       // by number and member

#define PROPOSAL(number, i) proposals[(number) * N + (i)]

inline write_proposal(number, set) { PROPOSAL(number, me) = set }

inline elect(number, result) {
  if
#ifdef MUTANT_LAST_PROPOSAL_WINS
  :: winners[number] = me + 1
#else
  :: winners[number] == 0 -> winners[number] = me + 1
  :: else
#endif
  fi;
#ifdef MUTANT_OWN_PROPOSAL
  result = PROPOSAL(number, me)
#else
  result = PROPOSAL(number, winners[number] - 1)
#endif
}

#ifdef MUTANT_ELECTED_TOO_EARLY
#define DECIDE(number, set, result)                                   \
  STEP(elect(number, result));                                        \
  STEP(write_proposal(number, set))
#else
#define DECIDE(number, set, result)                                   \
  STEP(write_proposal(number, set));                                  \
  STEP(elect(number, result))
#endif

// What is checked.
byte results[CALL_COUNT];     // by call: whose data is in it, for whoever has returned with it
hidden byte survivors_agree;
hidden byte own_data_is_in;
hidden byte data_is_whole;
hidden byte somebody_goes;    // every decision takes a member out: so there are fewer of them than members
