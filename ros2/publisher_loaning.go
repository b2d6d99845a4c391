// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2/inproc"
)

// LoaningPublisher lends messages of type T to be filled and publishes them: by pointer to the loaned subscriptions of
// the same transport ([NewLoanedSubscription]), encoded to all others. Once as many messages exist as are in use at a
// time, neither Borrow nor Publish allocates. It is safe for concurrent use.
type LoaningPublisher[T any] struct {
	pub    *Publisher[T]
	local  *inproc.Publisher[lent[T]] // nil if all messages are encoded
	lender *lender[T]
}

// NewLoaningPublisher is [NewPublisher] for lent messages. They are encoded for all subscriptions if the publisher is
// transient local, or the transport has no [Exchange].
func NewLoaningPublisher[T any, P MessageOf[T]](n *Node, topic string, qos QoS, opts ...PublisherOption) (*LoaningPublisher[T], error) {
	pub, err := NewPublisher[T, P](n, topic, qos, opts...)
	if err != nil {
		return nil, err
	}
	p := &LoaningPublisher[T]{pub: pub, lender: newLender[T](pub.qos)}
	if pub.qos.Durability != TransientLocal {
		if p.local, err = shareMessages[lent[T]](pub); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Borrow lends a message, see [Loan.Message].
func (p *LoaningPublisher[T]) Borrow() Loan[T] { return Loan[T]{p.lender.lend()} }

// Publish publishes the message of a loan, which this ends, also if it fails. The loan may be one of another publisher,
// or a received one, so a message passes through a chain of nodes without a copy. Callbacks of loaned subscriptions of
// the same transport run before Publish returns, unless an executor runs them. The error is [ErrReturned] if the loan
// has ended before, or that of [Publisher.Publish].
func (p *LoaningPublisher[T]) Publish(l *Loan[T]) error {
	s := l.lent
	if s == nil {
		return fmt.Errorf("publish on %s: %w", p.pub.topic, ErrReturned)
	}
	defer l.Return()
	if p.local != nil && p.local.Publish(s) {
		return nil
	}
	return p.pub.Publish(&s.message)
}

// HasSubscribers reports whether a subscription would receive a message now.
func (p *LoaningPublisher[T]) HasSubscribers() bool {
	return p.pub.HasSubscribers() || p.local != nil && p.local.Subscribers() > 0
}

// Topic returns the full name of the topic.
func (p *LoaningPublisher[T]) Topic() string { return p.pub.topic }

// GID returns the publisher's identity in the graph.
func (p *LoaningPublisher[T]) GID() GID { return p.pub.gid }

// Close removes the publisher. Messages that it lent remain valid. Closing twice is harmless.
func (p *LoaningPublisher[T]) Close() error { return p.pub.Close() }
