// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"errors"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// topicEndpoint is the part that publishers and subscriptions share.
type topicEndpoint struct {
	ddsEndpoint
	matched      func(n int)
	incompatible func(remote ros2.EndpointInfo, policies ros2.QoSPolicy)
	event        func(ros2.EndpointEvent)
}

func (t *Transport) newTopicEndpoint(kind ros2.EndpointKind, cfg ros2.EndpointConfig) topicEndpoint {
	return topicEndpoint{matched: cfg.OnMatch, incompatible: cfg.OnIncompatible, event: cfg.OnEvent, ddsEndpoint: ddsEndpoint{t: t, info: ros2.EndpointInfo{
		Kind: kind, Node: cfg.Node, Topic: cfg.Topic, Type: cfg.Type, TypeHash: cfg.TypeHash, QoS: cfg.QoS,
	}}}
}

// onMatch handles rtps's match events.
func (e *topicEndpoint) onMatch(n int, ev rtps.MatchEvent) {
	if ev.Kind != rtps.Incompatible {
		if e.matched != nil {
			e.call(func() { e.matched(n) })
		}
		return
	}
	if e.incompatible != nil {
		remote, _ := endpointInfo(ev.RemoteData, e.t.nodeOf(ev.Remote))
		e.call(func() { e.incompatible(remote, policies(ev.Policies)) })
	}
}

// onStatus passes on rtps's status events.
func (e *topicEndpoint) onStatus(ev rtps.StatusEvent) {
	if e.event == nil {
		return
	}
	out := ros2.EndpointEvent{Kind: eventKind(ev.Kind), Total: ev.Total, Change: ev.Change}
	if ev.Kind == rtps.LivelinessChanged {
		out.Liveliness = ros2.LivelinessChangedInfo{
			Alive: ev.Alive, NotAlive: ev.NotAlive, AliveChange: ev.AliveChange, NotAliveChange: ev.NotAliveChange,
		}
	}
	if ev.NotAliveChange > 0 {
		out.Remote = e.t.describe(ev.Remote)
	} else if !ev.Remote.IsZero() {
		out.Remote.GID = ros2.GID(ev.Remote.Bytes())
	}
	e.call(func() { e.event(out) })
}

// eventKind converts a status kind.
func eventKind(k rtps.StatusKind) ros2.EventKind {
	switch k {
	case rtps.OfferedDeadlineMissed:
		return ros2.EventOfferedDeadlineMissed
	case rtps.RequestedDeadlineMissed:
		return ros2.EventRequestedDeadlineMissed
	case rtps.LivelinessLost:
		return ros2.EventLivelinessLost
	case rtps.LivelinessChanged:
		return ros2.EventLivelinessChanged
	}
	return ros2.EventMessageLost
}

// describe returns the description of an endpoint in the graph.
func (t *Transport) describe(guid wire.GUID) ros2.EndpointInfo {
	gid := ros2.GID(guid.Bytes())
	for _, info := range t.Graph().Endpoints {
		if info.GID == gid {
			return info
		}
	}
	return ros2.EndpointInfo{Node: t.nodeOf(guid), GID: gid}
}

// writer implements ros2.Writer.
type writer struct {
	topicEndpoint
	dds *rtps.Writer
}

// NewWriter implements [ros2.Transport].
func (t *Transport) NewWriter(cfg ros2.WriterConfig) (ros2.Writer, error) {
	typ, err := MangleType(cfg.Type)
	if err != nil {
		return nil, err
	}
	w := &writer{topicEndpoint: t.newTopicEndpoint(ros2.PublisherEndpoint, cfg.EndpointConfig)}
	w.dds, err = t.participant.NewWriter(rtps.WriterConfig{
		Topic: MangleTopic(cfg.Topic), Type: typ, UserData: endpointUserData(cfg.TypeHash),
		QoS: toDDS(cfg.QoS, wire.DefaultWriterQoS()), OnMatch: w.onMatch, OnStatus: w.onStatus,
	})
	if err != nil {
		return nil, closedError(err)
	}
	if err := w.register(wire.GUID{}, w.dds.GUID()); err != nil {
		return nil, errors.Join(err, w.dds.Close())
	}
	return w, nil
}

// Write sends a message.
func (w *writer) Write(payload []byte) error {
	if err := w.dds.Write(payload); err != nil {
		return closedError(err)
	}
	return nil
}

var _ ros2.LendingWriter = (*writer)(nil)

// Lend implements [ros2.LendingWriter].
func (w *writer) Lend(size int) []byte { return w.dds.Lend(size) }

// WriteLent implements [ros2.LendingWriter].
func (w *writer) WriteLent(lent, payload []byte) error {
	if err := w.dds.WriteLent(lent, payload); err != nil {
		return closedError(err)
	}
	return nil
}

// AssertLiveliness implements [ros2.LivelinessAsserter].
func (w *writer) AssertLiveliness() error { return closedError(w.dds.AssertLiveliness()) }

// Close closes the writer.
func (w *writer) Close() error { return w.close(w.dds.Close) }

// reader implements ros2.Reader.
type reader struct {
	topicEndpoint
	dds *rtps.Reader
}

// NewReader implements [ros2.Transport].
func (t *Transport) NewReader(cfg ros2.ReaderConfig) (ros2.Reader, error) {
	typ, err := MangleType(cfg.Type)
	if err != nil {
		return nil, err
	}
	if cfg.OnSample == nil {
		return nil, fmt.Errorf("%w: OnSample is nil", ErrConfig)
	}
	r := &reader{topicEndpoint: t.newTopicEndpoint(ros2.SubscriptionEndpoint, cfg.EndpointConfig)}
	r.dds, err = t.participant.NewReader(rtps.ReaderConfig{
		Topic: MangleTopic(cfg.Topic), Type: typ, UserData: endpointUserData(cfg.TypeHash),
		QoS: readerQoS(cfg.QoS), OnMatch: r.onMatch, OnStatus: r.onStatus, OnSample: r.receiver(cfg.OnSample), MaxSampleSize: cfg.MaxSampleSize,
		Loans: cfg.Loans,
	})
	if err != nil {
		return nil, closedError(err)
	}
	if err := r.register(r.dds.GUID(), wire.GUID{}); err != nil {
		return nil, errors.Join(err, r.dds.Close())
	}
	return r, nil
}

// receiver passes messages on until the reader is closed.
func (r *reader) receiver(onSample func(ros2.Sample)) func(*rtps.Sample) {
	return func(s *rtps.Sample) {
		r.events.Lock()
		defer r.events.Unlock()
		if !r.closed.Load() {
			onSample(ros2.Sample{Payload: s.Payload, Info: sampleInfo(s), Loan: s.Loan})
		}
	}
}

func sampleInfo(s *rtps.Sample) ros2.MessageInfo {
	received := s.Received
	if received.IsZero() {
		received = time.Now()
	}
	return ros2.MessageInfo{
		SourceTime: s.SourceTime, ReceivedTime: received,
		Publisher: ros2.GID(s.Writer.Bytes()), Sequence: int64(s.SN),
	}
}

// Close closes the reader.
func (r *reader) Close() error { return r.close(r.dds.Close) }
