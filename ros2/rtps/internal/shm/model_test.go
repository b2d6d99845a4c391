// SPDX-License-Identifier: Apache-2.0

package shm_test

import (
	"fmt"
	"testing"
)

// state is that of a receiver that borrows a block once and of an owner that overwrites it once, between two steps of
// their programs, as they are in View.Lend and Loan.Release, Block.invalidate and Area.reserve.
type state struct {
	receiver, owner int  // next steps
	valid, pinned   bool // in shared memory
	overwritten     bool
	kept            bool // the owner uses other memory
}

// steps returns the states that can follow.
func (s state) steps() (next []state) {
	r, o := s, s
	switch s.receiver {
	case 0:
		r.pinned, r.receiver = true, 1
	case 1:
		if r.receiver = 2; !s.valid {
			r.receiver = 3
		}
	case 2: // it reads the payload
		r.receiver = 3
	case 3:
		r.pinned, r.receiver = false, 4
	}
	switch s.owner {
	case 0:
		if o.owner = 1; s.pinned {
			o.kept, o.owner = true, 5
		}
	case 1:
		o.valid, o.owner = false, 2
	case 2:
		if o.owner = 3; s.pinned {
			o.owner = 4
		}
	case 3:
		o.overwritten, o.owner = true, 5
	case 4:
		o.valid, o.kept, o.owner = true, true, 5
	}
	for _, n := range []state{r, o} {
		if n != s {
			next = append(next, n)
		}
	}
	return next
}

// In every order of the steps of both, no payload is overwritten while it is on loan, and both come to an end.
func TestEveryOrderOfPinsAndWrites(t *testing.T) {
	seen := map[state]bool{}
	outcomes := map[string]bool{}
	var visit func(s state)
	visit = func(s state) {
		if seen[s] {
			return
		}
		seen[s] = true
		if s.receiver == 2 && s.overwritten {
			t.Fatalf("overwritten while it is read: %+v", s)
		}
		next := s.steps()
		if len(next) == 0 {
			if s.receiver != 4 || s.owner != 5 || s.kept == s.overwritten || s.valid == s.overwritten {
				t.Fatalf("it ends with %+v", s)
			}
			outcomes[fmt.Sprint(s.overwritten)] = true
		}
		for _, n := range next {
			visit(n)
		}
	}
	visit(state{valid: true})
	if len(outcomes) != 2 || len(seen) < 20 {
		t.Errorf("%d states, outcomes %v", len(seen), outcomes)
	}
}
