// SPDX-License-Identifier: Apache-2.0
// The protocol of usage.go and of Publisher.count: goroutines publish while a subscriber with a concurrent callback is
// linked, unlinked and closed. Set 0 of the recipients is that before, set 1 includes the subscriber, set 2 is that
// afterwards.
//
// Faults that a search must find: with -DADMITTED a retired set still admits goroutines, with -DSPLIT a goroutine reads
// the flag of its stripe before it counts itself out, and with -DEARLY Close does not wait.

#define GOROUTINES 2
#define MESSAGES 1 // of each goroutine: 1,188,198 states, with 2 more than ten million
#define STRIPES 2
#define SETS 3

byte entered[6]; // of the stripes of all sets: SETS * STRIPES
bool retired[6]; // the flag in entered
byte left[6];
bool awaited[6]; // the flag in left
byte finals[6];
bool woken = false; // usage.ended is closed
bool locked = false; // Publisher.mu
byte current = 0;   // set of recipients
byte called = 0;    // callbacks of the subscriber
byte inside = 0;    // those that run
byte counted = 0;   // the messages that the subscriber counts when it was unlinked
bool closed = false;
byte ended = 0;

#define lock() atomic { !locked -> locked = true }
#define unlock() locked = false

inline callback() {
	d_step { assert(!closed); inside++; called++ };
	d_step { assert(!closed); inside-- }
}

// enter chooses any stripe. Its first attempt fails if another goroutine writes the stripe meanwhile.
inline enter() {
	if
	:: s = set * STRIPES
	:: s = set * STRIPES + 1
	fi;
	d_step { before = entered[s]; refused = retired[s] };
	d_step {
		admitted = (!refused && !retired[s] && entered[s] == before);
		if
		:: admitted -> entered[s] = before + 1
		:: else -> skip
		fi;
		before = 0; refused = false
	};
	if
	:: !admitted ->
#ifdef ADMITTED
	   d_step { entered[s] = entered[s] + 1; admitted = true }
#else
	   d_step { entered[s] = entered[s] + 1; admitted = !retired[s] }
#endif
	:: else -> skip
	fi
}

// idle compares the stripes of a retired set, one at a time.
inline idle(first) {
	quiet = (left[first] == finals[first]);
	if
	:: quiet -> quiet = (left[first + 1] == finals[first + 1])
	:: else -> skip
	fi
}

inline leave() {
#ifdef SPLIT
	wake = awaited[s];
	left[s] = left[s] + 1;
#else
	d_step { left[s] = left[s] + 1; wake = awaited[s] };
#endif
	if
	:: wake ->
	   idle(set * STRIPES);
	   if
	   :: quiet -> woken = true
	   :: else -> skip
	   fi
	:: else -> skip
	fi;
	d_step { s = 0; set = 0; wake = false; quiet = false; admitted = false }
}

active [GOROUTINES] proctype publish() {
	byte n = 0, set, s, before;
	bool admitted, refused, wake, quiet;
	do
	:: n == MESSAGES -> break
	:: else ->
	   set = current;
	   enter();
	   if
	   :: admitted ->
	      if
	      :: set == 1 -> callback()
	      :: else -> skip
	      fi;
	      leave();
	      n++
	   :: else -> // until the recipients are replaced
	      do
	      :: current != set -> break
	      :: else -> lock(); unlock()
	      od
	   fi
	od;
	ended++
}

inline replace(next) {
	lock();
	i = 0;
	do
	:: i == STRIPES -> break
	:: else ->
	   d_step { s = current * STRIPES + i; finals[s] = entered[s]; retired[s] = true; i++ }
	od;
	current = next;
	unlock()
}

active proctype subscribe() {
	byte i, s;
	bool quiet;
	replace(1);
	replace(2);
	counted = finals[STRIPES] + finals[STRIPES + 1];
#ifndef EARLY
	awaited[STRIPES] = true;
	awaited[STRIPES + 1] = true;
	idle(STRIPES);
	if
	:: quiet -> skip
	:: else -> woken
	fi;
	assert(inside == 0);
#endif
	closed = true;
	ended++
}

// In the end each message was counted by one set, and the subscriber counted its callbacks exactly. A goroutine that
// waits without end is an invalid end state.
active proctype end() {
	ended == GOROUTINES + 1;
	assert(called == counted);
	assert(finals[0] + finals[1] + counted + entered[4] + entered[5] == GOROUTINES * MESSAGES)
}
