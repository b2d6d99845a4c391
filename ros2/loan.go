// SPDX-License-Identifier: Apache-2.0

package ros2

import "sync/atomic"

// Loan is the right to use a message whose memory is used again for later ones, after its last loan was returned
// (TestLoansConcurrently). A loan has one owner, who borrowed or received it, publishes or returns it once, and copies
// it only to pass it on. A loan that the owner forgets costs the memory of a new message. The zero value is a returned
// loan.
type Loan[T any] struct{ lent *lent[T] }

// Message returns the message, nil after the loan was returned. One from [LoaningPublisher.Borrow] has the values of
// its last use: set every field, and fill slices from [:0], so that they keep their memory. A received one is shared
// and must not be modified. The pointer must not be used after the loan was returned or published.
func (l *Loan[T]) Message() *T {
	if l.lent == nil {
		return nil
	}
	return &l.lent.message
}

// Return ends the loan. Returning it twice is harmless.
func (l *Loan[T]) Return() {
	if s := l.lent; s != nil {
		l.lent = nil
		s.release()
	}
}

// ReceivedLoan is a loan with the metadata of its message.
type ReceivedLoan[T any] struct {
	Loan Loan[T]
	Info MessageInfo
}

// lent is a message with the number of its loans.
type lent[T any] struct {
	message T
	loans   atomic.Int32
	lender  *lender[T]
	payload PayloadLoan // of memory that the message refers to; nil if there is none
}

// again returns one more loan of the message. The caller has one.
func (s *lent[T]) again() Loan[T] {
	s.loans.Add(1)
	return Loan[T]{s}
}

// release ends a loan; the last one gives the message back.
func (s *lent[T]) release() {
	if s.loans.Add(-1) == 0 {
		if s.payload != nil {
			s.payload.Release()
			s.payload = nil
		}
		s.lender.keep(s)
	}
}

// lender keeps messages without a loan. It is safe for concurrent use and has no lock: each place is taken and filled
// by one atomic operation.
type lender[T any] struct{ free []atomic.Pointer[lent[T]] }

// Numbers of unused messages that a lender keeps: enough for the waiting ones of two subscriptions, within bounds.
const (
	fewestFree = 4
	mostFree   = 64
)

func newLender[T any](qos QoS) *lender[T] {
	return &lender[T]{free: make([]atomic.Pointer[lent[T]], min(max(fewestFree, 2*waitingLimit(qos)), mostFree))}
}

// lend returns a message with one loan: an unused one, or a new one if there is none.
func (p *lender[T]) lend() *lent[T] {
	for i := range p.free {
		if p.free[i].Load() == nil {
			continue
		}
		if s := p.free[i].Swap(nil); s != nil {
			s.loans.Store(1)
			return s
		}
	}
	s := &lent[T]{lender: p}
	s.loans.Store(1)
	return s
}

// keep keeps an unused message if there is a place for it.
func (p *lender[T]) keep(s *lent[T]) {
	for i := range p.free {
		if p.free[i].Load() == nil && p.free[i].CompareAndSwap(nil, s) {
			return
		}
	}
}
