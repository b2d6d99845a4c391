// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// replyTimeout is how long a reply waits for the discovery of the client's reader: a request may arrive before that.
const replyTimeout = 100 * time.Millisecond

// server implements ros2.Server: a reader of requests and a writer of replies.
type server struct {
	ddsEndpoint
	onRequest      func(ros2.Request)
	requests       *rtps.Reader
	replies        *rtps.Writer
	requestWriters peers // writers of requests
	clients        peers // readers of replies

	mu      sync.Mutex
	waiting []*waitingReply
	ended   bool
}

// waitingReply is a reply whose client is not discovered yet.
type waitingReply struct {
	to      identity
	payload []byte
	timer   *time.Timer
}

// serviceEndpoint returns the common part of a server or client.
func (t *Transport) serviceEndpoint(kind ros2.EndpointKind, cfg ros2.ServiceConfig) ddsEndpoint {
	return ddsEndpoint{t: t, info: ros2.EndpointInfo{
		Kind: kind, Node: cfg.Node, Topic: cfg.Name, Type: cfg.Type, TypeHash: cfg.RequestHash, QoS: cfg.QoS,
	}}
}

// serviceDepth is the minimum history depth for requests and replies. All clients share it: with the profile's depth of
// ten, twenty concurrent calls would replace each other's messages before these are acknowledged.
const serviceDepth = 200

// forMany returns the quality of service of the writer of a service or client.
func forMany(q ros2.QoS) ros2.QoS {
	return q.WithDepth(max(q.EffectiveDepth(), serviceDepth))
}

// serviceTypes returns the DDS types of a service's request and response.
func serviceTypes(rosType string) (request, response string, err error) {
	if request, err = MangleType(rosType + "_Request"); err != nil {
		return "", "", err
	}
	response, err = MangleType(rosType + "_Response")
	return request, response, err
}

// NewServer creates the server of a service, for clients of every mapping.
func (t *Transport) NewServer(cfg ros2.ServerConfig) (ros2.Server, error) {
	requestType, responseType, err := serviceTypes(cfg.Type)
	if err != nil {
		return nil, err
	}
	if cfg.OnRequest == nil {
		return nil, fmt.Errorf("%w: OnRequest is nil", ErrConfig)
	}
	s := &server{ddsEndpoint: t.serviceEndpoint(ros2.ServiceEndpoint, cfg.ServiceConfig), onRequest: cfg.OnRequest}
	requestTopic, replyTopic := MangleService(cfg.Name)
	id := newPairID()
	// The writer first: a client that discovers the reader may call at once.
	s.replies, err = t.participant.NewWriter(rtps.WriterConfig{
		Topic: replyTopic, Type: responseType, UserData: pairUserData(serviceIDKey, id, cfg.ResponseHash),
		QoS: toDDS(forMany(cfg.QoS), wire.DefaultWriterQoS()), OnMatch: s.clientChanged,
	})
	if err != nil {
		return nil, closedError(err)
	}
	s.requests, err = t.participant.NewReader(rtps.ReaderConfig{
		Topic: requestTopic, Type: requestType, UserData: pairUserData(serviceIDKey, id, cfg.RequestHash),
		QoS: readerQoS(cfg.QoS), MaxSampleSize: cfg.MaxRequestSize,
		OnMatch: func(_ int, ev rtps.MatchEvent) { s.requestWriters.update(ev, clientIDKey) }, OnSample: s.receive,
	})
	if err != nil {
		return nil, errors.Join(closedError(err), s.replies.Close())
	}
	if err := s.register(s.requests.GUID(), s.replies.GUID()); err != nil {
		return nil, errors.Join(err, s.requests.Close(), s.replies.Close())
	}
	return s, nil
}

// receive passes a request on.
func (s *server) receive(sample *rtps.Sample) {
	id, payload, err := identify(sample)
	if err != nil {
		s.logFailure("request ignored", err)
		return
	}
	if id.related.IsZero() && !id.hasHeader {
		id.related.Writer = sample.Writer
	}
	id.related.SN = sample.SN // a reply refers to the request's sample
	s.call(func() {
		s.onRequest(ros2.Request{
			Payload: payload, Info: sampleInfo(sample),
			Respond: func(reply []byte) error { return s.respond(id, reply) },
		})
	})
}

// respond sends a reply, or queues it until its client is discovered.
func (s *server) respond(to identity, payload []byte) error {
	if len(payload) < encapsulationSize {
		return fmt.Errorf("%w: a reply of %d bytes", ErrConfig, len(payload))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return fmt.Errorf("service %s: %w", s.info.Topic, ros2.ErrClosed)
	}
	targets := s.targets(to)
	if len(targets) > 0 {
		return s.send(targets, to, payload)
	}
	w := &waitingReply{to: to, payload: slices.Clone(payload)}
	w.timer = task.AfterFunc(replyTimeout, "reply without a reader", func() { s.dropReply(w) })
	s.waiting = append(s.waiting, w)
	return nil
}

// targets returns the readers of a reply: the one that the request names, else those that belong to the writer of the
// request.
func (s *server) targets(to identity) []wire.GUID {
	if _, ok := s.clients.find(to.related.Writer); ok && !to.hasHeader {
		return []wire.GUID{to.related.Writer}
	}
	asker, known := s.requestWriters.find(to.writer)
	if !known {
		asker = peer{guid: to.writer}
	}
	return s.clients.partnersOf(asker)
}

func (s *server) send(targets []wire.GUID, to identity, payload []byte) error {
	related := to.related
	if to.hasHeader {
		related = wire.SampleIdentity{}
		payload = to.header.insert(payload)
	}
	var errs []error
	for _, reader := range targets {
		// A client that has just been unmatched does not matter.
		if err := s.replies.WriteTo(reader, related, payload); !errors.Is(err, rtps.ErrUnknownReader) {
			errs = append(errs, closedError(err))
		}
	}
	return errors.Join(errs...)
}

// clientChanged sends the replies that waited for a client's reader.
func (s *server) clientChanged(_ int, ev rtps.MatchEvent) {
	if !s.clients.update(ev, clientIDKey) || ev.Kind != rtps.Matched {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = slices.DeleteFunc(s.waiting, func(w *waitingReply) bool {
		targets := s.targets(w.to)
		if len(targets) == 0 {
			return false
		}
		w.timer.Stop()
		if err := s.send(targets, w.to, w.payload); err != nil {
			s.logFailure("reply not sent", err)
		}
		return true
	})
}

func (s *server) dropReply(w *waitingReply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.Index(s.waiting, w); i >= 0 {
		s.waiting = slices.Delete(s.waiting, i, i+1)
		s.logFailure("reply not sent", errors.New("the client's reader is not known"))
	}
}

// logFailure logs an error, rate limited.
func (s *server) logFailure(what string, err error) {
	if s.t.mayLog() {
		s.t.log.Warn(what, slog.String("service", s.info.Topic), slog.Any("error", err))
	}
}

// Close closes the server; waiting replies are dropped.
func (s *server) Close() error {
	s.mu.Lock()
	s.ended = true
	for _, w := range s.waiting {
		w.timer.Stop()
	}
	s.waiting = nil
	s.mu.Unlock()
	return s.close(s.requests.Close, s.replies.Close)
}
