// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"sync"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2/inproc"
	"github.com/epuck-ros2/epuck-driver/ros2/internal/fifo"
)

// LoanedSubscription receives messages of type T as loans.
type LoanedSubscription[T any] struct{ *Subscription[lent[T]] }

// lentMessages are messages in memory of a lender. Those with a loan of their payload have another lender: their
// sequences of numbers were in such payloads, and are never written.
type lentMessages[T any, P MessageOf[T]] struct{ pool, inPlace *lender[T] }

func (l lentMessages[T, P]) memory(s Sample) *lent[T] {
	if s.Loan != nil {
		return l.inPlace.lend()
	}
	return l.pool.lend()
}

func (lentMessages[T, P]) decode(d *cdr.Decoder, s Sample, m *lent[T]) error {
	if s.Loan == nil {
		return d.Unmarshal(s.Payload, P(&m.message))
	}
	refers, err := d.UnmarshalInPlace(s.Payload, P(&m.message))
	if refers && err == nil {
		s.Loan.Retain()
		m.payload = s.Loan
	}
	return err
}

func (lentMessages[T, P]) done(m *lent[T]) { m.release() }

// NewLoanedSubscription subscribes to a topic as [NewSubscription] does. callback owns the loan that it gets, and
// returns it when it needs the message no more, then or later: the memory is used again for another message. Messages
// of a [LoaningPublisher] of the same transport are passed by pointer, those of others are decoded into memory of
// returned ones. Sequences of numbers of a message in shared memory (RTPS_SHARED_MEMORY) are not copied: they are where
// another process has written them, and writing them faults. If too many loans are not returned, they are copied.
// Without a callback group, callbacks may run at the same time, on each goroutine that publishes and on that of the
// transport, as with [Concurrent]: so none of these waits for another.
func NewLoanedSubscription[T any, P MessageOf[T]](n *Node, topic string, qos QoS, callback func(l Loan[T], info MessageInfo),
	opts ...SubscriptionOption) (*LoanedSubscription[T], error) {
	in := kind[lent[T]]{
		incoming:  lentMessages[T, P]{newLender[T](qos), newLender[T](qos)},
		prototype: P(new(T)), loans: true,
		post: func(callbacks CallbackQueue, limit int) func(*lent[T], MessageInfo) {
			w := &waitingLoans[T]{limit: limit, callback: callback}
			run := w.run // one function value for all messages
			return func(m *lent[T], info MessageInfo) {
				w.put(ReceivedLoan[T]{m.again(), info})
				callbacks.Post(run)
			}
		},
	}
	s, err := newSubscription(n, topic, qos, in, inproc.SubscriberConfig[lent[T]]{
		// The callback runs before Publish returns, and so while the publisher has its loan.
		Concurrent: true,
		Callback:   func(m *lent[T], info MessageInfo) { callback(m.again(), info) },
	}, opts)
	if err != nil {
		return nil, err
	}
	return &LoanedSubscription[T]{s}, nil
}

// waitingLoans are the loans that wait for an executor. For each of them the executor's queue, which has the same
// limit, holds a call of run; so it allocates nothing for a message.
type waitingLoans[T any] struct {
	limit    int
	callback func(Loan[T], MessageInfo)

	mu    sync.Mutex
	loans fifo.Queue[ReceivedLoan[T]]
}

// put appends a loan; if too many wait it returns the oldest.
func (w *waitingLoans[T]) put(r ReceivedLoan[T]) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.limit > 0 && w.loans.Len() >= w.limit {
		oldest := w.loans.Pop()
		oldest.Loan.Return()
	}
	w.loans.Push(r)
}

// run calls the callback with the oldest loan. There is none if it was dropped after its call had begun.
func (w *waitingLoans[T]) run() {
	w.mu.Lock()
	if w.loans.Len() == 0 {
		w.mu.Unlock()
		return
	}
	r := w.loans.Pop()
	w.mu.Unlock()
	w.callback(r.Loan, r.Info)
}
