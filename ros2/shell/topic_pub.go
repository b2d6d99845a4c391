// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
	"github.com/epuck-ros2/epuck-driver/ros2/waiting"
)

// publication is the state of "topic pub".
type publication struct {
	s       *session
	message *dynamic.Message
	stamps  []*dynamic.Message // times to set at each publishing
	peer    waiting.Peer
	writer  ros2.Writer
	matched atomic.Int32
	count   int
	encoder cdr.Encoder
	payload []byte
}

func topicPub(ctx context.Context, s *session) (err error) {
	p := publication{s: s}
	typ, err := s.passedType(ctx, s.args.value("message_type", ""), "msg")
	if err != nil {
		return err
	}
	topic, err := s.fullName(s.args.value("topic_name", ""))
	if err != nil {
		return err
	}
	p.message = dynamic.New(typ)
	p.stamps, err = p.message.Fill(s.args.value("values", "{}"))
	if errors.Is(err, dynamic.ErrNotMapping) {
		return failure("The passed value needs to be a dictionary in YAML format")
	}
	if err != nil {
		return failf("Failed to populate field: %v", err)
	}
	if err := s.join(s.args.value("--node-name", s.env.Node)); err != nil {
		return err
	}
	p.peer = waiting.Peer{
		Kind: ros2.SubscriptionEndpoint, Name: topic, Type: typ.Name, TypeHash: typ.Hash(), QoS: s.args.qos(ros2.LatchedQoS()),
		Own: s.node,
	}
	p.writer, err = s.transport.NewWriter(ros2.WriterConfig{EndpointConfig: ros2.EndpointConfig{
		Node: s.node, Topic: topic, Type: typ.Name, TypeHash: typ.Hash(),
		QoS:     p.peer.QoS,
		OnMatch: func(n int) { p.matched.Store(int32(n)) },
	}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.writer.Close()) }()
	return p.run(ctx)
}

// run waits for subscribers, publishes, and waits until all messages are sent.
func (p *publication) run(ctx context.Context) error {
	args := p.s.args
	times := args.integer("--times", 0)
	if args.flag("--once") {
		times = 1
	}
	if err := p.await(ctx, args.integer("--wait-matching-subscriptions", min(times, 1))); err != nil {
		return err
	}
	stop := waiting.Notice(p.s.transport, p.warn, p.peer)
	defer stop()
	p.s.printf("publisher: beginning loop\n")
	tick := time.NewTicker(max(time.Duration(float64(time.Second)/args.number("--rate", 1)), 1))
	defer tick.Stop()
	for {
		if err := p.publish(); err != nil {
			return err
		}
		if p.count == times {
			return p.s.sleep(ctx, time.Duration(args.number("--keep-alive", 0.1)*float64(time.Second)))
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		case <-p.s.transport.Done():
			return p.s.transport.Err()
		}
	}
}

// await waits for subscribers and prints a message once per second.
func (p *publication) await(ctx context.Context, subscribers int) error {
	stop := p.s.notice(p.peer)
	defer stop()
	for polls := 0; int(p.matched.Load()) < subscribers; polls++ {
		if polls%10 == 0 {
			p.s.printf("Waiting for at least %d matching subscription(s)...\n", subscribers)
		}
		if err := p.s.sleep(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

// warn prints why no subscription of the topic receives the messages, if it has any.
func (p *publication) warn(string) {
	g := p.s.transport.Graph()
	if reason := p.peer.Missing(g); p.matched.Load() == 0 && reason != "" && p.peer.Present(g) {
		fmt.Fprintf(p.s.env.Err, "No subscription of %s receives the messages: %s\n", p.peer.Name, reason)
	}
}

// publish sends the message, with the current time where requested.
func (p *publication) publish() error {
	sec, nanosec := ros2.Stamp(time.Now())
	for _, t := range p.stamps {
		if err := dynamic.SetTime(t, sec, nanosec); err != nil {
			return err
		}
	}
	p.count++
	if nth := p.s.args.integer("--print", 1); nth != 0 && p.count%nth == 0 {
		p.s.printf("publishing #%d: %s\n\n", p.count, p.message.Python())
	}
	var err error
	if p.payload, err = p.encoder.Marshal(p.payload[:0], p.message); err != nil {
		return err
	}
	return p.writer.Write(p.payload)
}
