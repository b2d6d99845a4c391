// SPDX-License-Identifier: Apache-2.0
// The protocol of dispatcher.go: goroutines publish to one topic at the same time, a callback publishes to it, too, and
// one goroutine waits for the end of the callback that runs, as Close does. The queue is bounded.
//
// Faults that a search must find: with -DLOST the owner leaves without a look at the queue, with -DTWICE entering is
// not atomic, with -DASLEEP a goroutine that waits does not ask the owner for a wake-up.

#define GOROUTINES 2
#define MESSAGES 2 // of each goroutine
#define NESTED 1   // messages published by callbacks
#define LIMIT 1    // messages that wait at most

mtype = { idle, busy, more };

mtype state = idle;
bool locked = false;  // dispatcher.mu
byte waiting = 0;     // messages in the publisher's queue
bool queued = false;  // the queue is one of dispatcher.queues
byte rounds = 0;      // how often the owner was outside of all callbacks
byte callbacks = 0;   // that run
byte nested = 0;      // messages that callbacks have published
byte handled = 0;
byte dropped = 0;
byte ended = 0;       // goroutines

#define lock() atomic { !locked -> locked = true }
#define unlock() locked = false

// wait queues a message; the dispatcher may have become idle meanwhile. A full queue drops its oldest message.
inline wait(claimed) {
	lock();
	claimed = false;
	if
	:: waiting >= LIMIT -> waiting--; dropped++
	:: else -> skip
	fi;
	waiting++;
	assert(waiting <= LIMIT);
	if
	:: !queued ->
	   queued = true;
	   atomic { claimed = (state == idle); state = more }
	:: else -> skip
	fi;
	unlock()
}

inline callback() {
	callbacks++;
	assert(callbacks == 1);
	handled++;
	if
	:: nested < NESTED -> nested++; wait(claimed); assert(!claimed) // for the dispatcher has an owner
	:: true -> skip
	fi;
	callbacks--
}

inline drain() {
	do
	:: lock();
	   rounds++; // and a broadcast
	   if
	   :: !queued -> state = idle; unlock(); break
	   :: else ->
	      waiting--;
	      queued = waiting > 0;
	      unlock();
	      callback()
	   fi
	od
}

inline leave() {
#ifdef LOST
	state = idle
#else
	atomic { left = (state == busy); if :: left -> state = idle :: else -> skip fi };
	if
	:: !left -> drain()
	:: else -> skip
	fi
#endif
}

active [GOROUTINES] proctype publish() {
	byte n = 0;
	bool owner, left, claimed;
	do
	:: n == MESSAGES -> break
	:: else ->
	   n++;
#ifdef TWICE
	   owner = (state == idle);
	   if
	   :: owner -> state = busy
	   :: else -> skip
	   fi;
#else
	   atomic { owner = (state == idle); if :: owner -> state = busy :: else -> skip fi };
#endif
	   if
	   :: owner -> callback(); leave()
	   :: else ->
	      wait(claimed);
	      if
	      :: claimed -> drain()
	      :: else -> skip
	      fi
	   fi
	od;
	ended++
}

// close waits until the owner is outside of all callbacks.
active proctype close() {
	byte round;
	mtype seen;
	lock();
	round = rounds;
	do
	:: rounds != round -> break
	:: else ->
	   seen = state;
	   if
	   :: seen == idle -> break
#ifdef ASLEEP
	   :: seen == busy -> unlock(); rounds != round; lock()
#else
	   :: seen == busy -> atomic { if :: state == busy -> state = more :: else -> skip fi }
#endif
	   :: seen == more ->
	      unlock(); // until the owner's broadcast
	      rounds != round;
	      lock()
	   fi
	od;
	unlock();
	ended++
}

// In the end every message was handled or dropped, and none waits. A goroutine that waits without end is an invalid end
// state.
active proctype end() {
	ended == GOROUTINES + 1;
	assert(handled + dropped == GOROUTINES * MESSAGES + nested && waiting == 0 && !queued && state == idle)
}
