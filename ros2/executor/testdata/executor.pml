// SPDX-License-Identifier: Apache-2.0
// The protocol of post.go, parking.go and worker.go: goroutines post callbacks, others run them, and one stops the
// executor when all have run.
//
// With -DSINGLE two goroutines post to an inbox of one cell, so that it is full, also while the one that has reserved
// the cell has not filled it; one goroutine runs callbacks, which wait until all are posted: posting waits for none.
// Else one posts and two run them. With -DMEETING the group is reentrant, and each callback waits for the other one;
// without, callbacks exclude each other.
//
// Faults that a search must find: with -DLOST (and -DWORKERS=1) an idle goroutine does not look at the inbox again,
// with -DUNWANTED it does not say that it needs the turn, with -DHELD it waits for its token while it has the turn, with
// -DFULL (and SINGLE) a goroutine that fills a cell does not look for those that wait for space, with -DALONE (and
// MEETING) one that finds several callbacks wakes no other, and with -DTWICE the end of a callback is counted twice.

#ifdef SINGLE
#define WORKERS 1
#define POSTERS 2
#define TOTAL 3 // callbacks; the second goroutine posts one
#define CELLS 1
#else
#ifndef WORKERS
#define WORKERS 2
#endif
#define POSTERS 1
#define TOTAL 2
#define CELLS 2
#endif
#ifdef MEETING
#define REENTRANT true
#else
#define REENTRANT false
#endif

bool turn = false;         // a goroutine has it
bool wanted = false;
byte idle = 0;             // parts of the parking's state
bool searching = false;
byte blocked = 0;
byte tokens = 0;

byte tail = 0;             // the inbox
byte head = 0;
bool filled[TOTAL + 1];    // by position

byte queue = 0;            // callbacks in the source's queue
byte busy = 0;             // callbacks that are counted as running
bool asleep[POSTERS];      // goroutines that wait for space
bool ended[WORKERS];       // callbacks whose end is not counted yet
bool stopping = false;

byte running = 0;
byte begun = 0;
byte ran = 0;
byte left = 0;             // goroutines that have ended

#define lock() atomic { !turn -> turn = true }

inline notify() {
	atomic {
		claimed = (!searching && idle > 0);
		if
		:: claimed -> idle--; searching = true
		:: else -> skip
		fi
	};
	if
	:: claimed -> claimed = false; assert(tokens == 0); tokens++
	:: else -> skip
	fi
}

inline unlock() {
	turn = false;
	atomic {
		asked = wanted;
		wanted = false
	};
	if
	:: asked -> asked = false; notify()
	:: else -> skip
	fi
}

// settle counts ends and empties the inbox.
inline settle() {
	d_step {
		i = 0;
		do
		:: i < WORKERS ->
		   if
		   :: ended[i] -> ended[i] = false; busy--
		   :: else -> skip
		   fi;
		   i++
		:: else -> break
		od;
		do
		:: filled[head] -> filled[head] = false; head++; queue++
		:: else -> break
		od;
		if
		:: blocked > 0 -> asleep[0] = false; asleep[POSTERS - 1] = false
		:: else -> skip
		fi;
		i = 0
	}
}

inline push() {
	atomic {
		pushed = (tail - head < CELLS);
		if
		:: pushed -> at = tail; tail++
		:: else -> skip
		fi
	};
	if
	:: pushed -> filled[at] = true; at = 0
	:: else -> skip
	fi
}

active [POSTERS] proctype post() {
	byte n = 0, at, i;
	bool pushed, claimed, asked;
	do
	:: n == (POSTERS == 1 -> TOTAL : (_pid == 0 -> TOTAL - 1 : 1)) -> break
	:: else ->
	   n++;
	   push();
#ifdef SINGLE
	   if
	   :: pushed -> skip
	   :: else ->
	      lock();
	      settle();
	      do
	      :: push();
	         if
	         :: pushed -> break
	         :: else -> skip
	         fi;
	         blocked++;
	         if
	         :: !filled[head] ->
	            asleep[_pid] = true;
	            unlock();
	            !asleep[_pid];
	            lock()
	         :: else -> skip
	         fi;
	         blocked--;
	         settle()
	      od;
	      unlock()
	   fi;
#ifndef FULL
	   if
	   :: blocked > 0 -> lock(); settle(); unlock()
	   :: else -> skip
	   fi;
#endif
#else
	   assert(pushed);
#endif
	   notify()
	od;
	left++
}

// try gets the turn if no goroutine has it.
inline try() {
	atomic {
		got = !turn;
		turn = true
	}
}

inline cancel() {
#ifdef HELD
	atomic { canceled = (idle > 0); if :: canceled -> idle-- :: else -> skip fi };
	if
	:: canceled -> skip
	:: else -> atomic { tokens > 0 -> tokens-- }; own = true; canceled = true
	fi
#else
	atomic { canceled = (idle > 0); if :: canceled -> idle-- :: else -> skip fi }
#endif
}

inline endSearch() {
	if
	:: own -> own = false; searching = false
	:: else -> skip
	fi
}

inline park() { atomic { tokens > 0 -> tokens-- }; own = true }

inline lockIdle() {
	do
	:: try();
	   if
	   :: got -> break
	   :: else -> skip
	   fi;
	   endSearch();
	   idle++;
#ifndef UNWANTED
	   wanted = true;
#endif
	   try();
	   if
	   :: got ->
	      cancel();
	      if
	      :: canceled -> break
	      :: else -> unlock()
	      fi
	   :: else -> skip
	   fi;
	   park()
	od
}

active [WORKERS] proctype work() {
	byte me = _pid - POSTERS, i;
	bool claimed, asked, got, canceled, again, own = false;
	lock();
	do
	:: endSearch();
	   settle();
	   if
	   :: stopping -> break
	   :: !stopping && queue > 0 && busy < WORKERS && (REENTRANT || busy == 0) ->
	      queue--;
	      busy++;
#ifndef ALONE
	      again = (idle > 0 && busy < WORKERS && queue > 0 && REENTRANT);
#endif
	      unlock();
	      if
	      :: again -> again = false; notify()
	      :: else -> skip
	      fi;
	      running++;
	      assert(REENTRANT || running == 1);
#ifdef MEETING
	      begun++;
	      begun == TOTAL;
#endif
#ifdef SINGLE
	      left == POSTERS;
#endif
	      running--;
	      ran++;
	      try();
	      if
	      :: got -> busy--
	      :: else ->
	         ended[me] = true;
	         lockIdle();
#ifdef TWICE
	         busy--
#endif
	      fi
	   :: else ->
	      idle++;
	      canceled = false;
#ifndef LOST
	      if
	      :: filled[head] -> cancel()
	      :: else -> skip
	      fi;
#endif
	      if
	      :: canceled -> skip
	      :: else -> unlock(); park(); lockIdle()
	      fi
	   fi
	od;
	notify();
	unlock();
	left++
}

active proctype stop() {
	bool claimed, asked;
	ran == TOTAL;
	lock();
	stopping = true;
	notify();
	unlock();
	left++
}

// In the end all goroutines have ended, every callback has run and none is counted as idle. A goroutine that waits
// without end is an invalid end state.
active proctype end() {
	left == POSTERS + WORKERS + 1;
	assert(ran == TOTAL && busy == 0 && queue == 0 && head == tail && idle == 0 && tokens == 0 && !searching && !turn)
}
