// SPDX-License-Identifier: Apache-2.0

package waitset

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/inproc"
)

// Subscription is a subscription without a callback: its queue holds the messages, as many as the depth of its quality
// of service.
type Subscription[T any] struct {
	*ros2.Subscription[T]
	*Queue[ros2.Received[T]]
}

// Subscribe subscribes to a topic, see [ros2.NewSubscription]. Messages of a [ros2.SharedPublisher] are not copied and
// must not be modified. Close the subscription or its node when done.
func Subscribe[T any, P ros2.MessageOf[T]](n *ros2.Node, topic string, qos ros2.QoS, opts ...ros2.SubscriptionOption) (*Subscription[T], error) {
	s := &Subscription[T]{Queue: NewQueue[ros2.Received[T]](depth(qos))}
	put := func(m *T, info ros2.MessageInfo) { s.Put(ros2.Received[T]{Message: m, Info: info}) }
	var err error
	s.Subscription, err = ros2.NewSubscription[T, P](n, topic, qos, put, append(opts, ros2.InGroup(nil))...)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// depth returns how many messages may wait.
func depth(qos ros2.QoS) int {
	if qos.History == ros2.KeepAll {
		return inproc.MaxWaiting
	}
	return qos.EffectiveDepth()
}

// LoanedSubscription is a subscription without a callback whose messages are lent: its queue holds the loans, as many
// as the depth of its quality of service.
type LoanedSubscription[T any] struct {
	*ros2.LoanedSubscription[T]
	*Queue[ros2.ReceivedLoan[T]]
}

// SubscribeLoaned is [Subscribe] for loans, see [ros2.NewLoanedSubscription]. Return what you take; the queue returns
// what it drops, and what Latest skips. Close the subscription or its node when done.
func SubscribeLoaned[T any, P ros2.MessageOf[T]](n *ros2.Node, topic string, qos ros2.QoS,
	opts ...ros2.SubscriptionOption) (*LoanedSubscription[T], error) {
	s := &LoanedSubscription[T]{Queue: NewQueue[ros2.ReceivedLoan[T]](depth(qos))}
	s.discard = func(r ros2.ReceivedLoan[T]) { r.Loan.Return() }
	put := func(l ros2.Loan[T], info ros2.MessageInfo) { s.Put(ros2.ReceivedLoan[T]{Loan: l, Info: info}) }
	var err error
	s.LoanedSubscription, err = ros2.NewLoanedSubscription[T, P](n, topic, qos, put, append(opts, ros2.InGroup(nil))...)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Ticker is a timer of a node: its queue holds the latest time at which it was due and that was not taken.
type Ticker struct {
	*ros2.Ticker
	*Queue[time.Time]
}

// NewTicker returns a ticker that becomes due once each period, see [ros2.NewTicker]. Close it or its node when done.
func NewTicker(n *ros2.Node, name string, period time.Duration, opts ...ros2.TickerOption) (*Ticker, error) {
	t := &Ticker{Queue: NewQueue[time.Time](1)}
	var err error
	if t.Ticker, err = ros2.NewTicker(n, name, period, t.Put, append(opts, ros2.TickerGroup(nil))...); err != nil {
		return nil, err
	}
	return t, nil
}

// maxRequests is how many requests or replies may wait, as in [ros2.NewService].
const maxRequests = 1000

// Request is a request of a service that waits for its response.
type Request[Req, Res any] struct {
	Message *Req
	// Respond sends the response; it is called once, at any time before the service closes. The error is why the
	// response was not sent.
	Respond func(*Res) error
}

// Service is a service without a handler: its queue holds the requests, at most 1000.
type Service[Req, Res any] struct {
	*ros2.Service[Req, Res]
	*Queue[Request[Req, Res]]
}

// Serve creates a service, see [ros2.NewDeferringService]. Close the service or its node when done.
func Serve[Req, Res any, PReq ros2.MessageOf[Req], PRes ros2.MessageOf[Res]](n *ros2.Node, t ros2.ServiceType[Req, Res],
	name string) (*Service[Req, Res], error) {
	s := &Service[Req, Res]{Queue: NewQueue[Request[Req, Res]](maxRequests)}
	handler := func(_ context.Context, request *Req, respond func(*Res) error) error {
		s.Put(Request[Req, Res]{Message: request, Respond: respond})
		return nil
	}
	var err error
	s.Service, err = ros2.NewDeferringService[Req, Res, PReq, PRes](n, t, name, handler, ros2.ServiceInGroup(nil))
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Reply is the end of a call.
type Reply[Res any] struct {
	// Call is the number that [Client.Send] returned.
	Call int64
	// Response is nil if Err is not.
	Response *Res
	// Err is why there is no response, see [ros2.Client.Then].
	Err error
}

// Client is a client of a service whose replies wait in its queue, at most 1000.
type Client[Req, Res any] struct {
	*ros2.Client[Req, Res]
	*Queue[Reply[Res]]
	calls atomic.Int64
}

// NewClient creates a client, see [ros2.NewClient]. Close the client or its node when done.
func NewClient[Req, Res any, PReq ros2.MessageOf[Req], PRes ros2.MessageOf[Res]](n *ros2.Node, t ros2.ServiceType[Req, Res],
	name string) (*Client[Req, Res], error) {
	c := &Client[Req, Res]{Queue: NewQueue[Reply[Res]](maxRequests)}
	var err error
	c.Client, err = ros2.NewClient[Req, Res, PReq, PRes](n, t, name, ros2.ServiceInGroup(nil))
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Send sends a request and returns the number of the call, which its [Reply] has. The error is that of
// [ros2.Client.Then]: then there will be no reply.
func (c *Client[Req, Res]) Send(request *Req) (call int64, err error) {
	call = c.calls.Add(1)
	err = c.Then(request, func(response *Res, err error) { c.Put(Reply[Res]{Call: call, Response: response, Err: err}) })
	if err != nil {
		return 0, err
	}
	return call, nil
}
