// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// endpoint is what writers and readers share. events guards the user's
// callbacks: Close takes it last, so none runs afterwards.
type endpoint struct {
	t    *Transport
	kind ros2.EndpointKind
	cfg  ros2.EndpointConfig
	guid wire.GUID

	events sync.Mutex
	closed bool
}

// GID identifies the endpoint in the graph: it is its GUID.
func (e *endpoint) GID() ros2.GID { return ros2.GID(e.guid.Bytes()) }

func (e *endpoint) info() ros2.EndpointInfo {
	return ros2.EndpointInfo{
		Kind: e.kind, Node: e.cfg.Node, Topic: e.cfg.Topic, Type: e.cfg.Type,
		TypeHash: e.cfg.TypeHash, QoS: e.cfg.QoS, GID: e.GID(),
	}
}

// onMatch passes on what rtps tells of remote endpoints.
func (e *endpoint) onMatch(n int, ev rtps.MatchEvent) {
	var remote ros2.EndpointInfo
	if ev.Kind == rtps.Incompatible {
		remote, _ = endpointInfo(ev.RemoteData, e.t.nodeOf(ev.Remote))
	}
	e.events.Lock()
	defer e.events.Unlock()
	switch {
	case e.closed:
	case ev.Kind != rtps.Incompatible:
		if e.cfg.OnMatch != nil {
			e.cfg.OnMatch(n)
		}
	case e.cfg.OnIncompatible != nil:
		e.cfg.OnIncompatible(remote, policies(ev.Policies))
	}
}

// register puts an endpoint into the graph once rtps has named it.
func (e *endpoint) register(guid wire.GUID) error {
	return e.t.update(func() error {
		e.guid = guid
		e.t.locals = append(e.t.locals, e)
		return nil
	})
}

// close takes the endpoint out of the graph and off the network.
func (e *endpoint) close(off func() error) error {
	e.t.mu.Lock()
	i := slices.Index(e.t.locals, e)
	e.t.mu.Unlock()
	if i < 0 { // closed before, or with the transport
		return nil
	}
	err := e.t.update(func() error {
		e.t.locals = slices.DeleteFunc(e.t.locals, func(x *endpoint) bool { return x == e })
		return nil
	})
	if offErr := off(); err == nil {
		err = offErr
	}
	e.events.Lock()
	e.closed = true
	e.events.Unlock()
	return err
}

// writer implements ros2.Writer.
type writer struct {
	endpoint
	*rtps.Writer
}

// NewWriter offers a topic.
func (t *Transport) NewWriter(cfg ros2.WriterConfig) (ros2.Writer, error) {
	typ, err := MangleType(cfg.Type)
	if err != nil {
		return nil, err
	}
	w := &writer{endpoint: endpoint{t: t, kind: ros2.PublisherEndpoint, cfg: cfg.EndpointConfig}}
	w.Writer, err = t.participant.NewWriter(rtps.WriterConfig{
		Topic: MangleTopic(cfg.Topic), Type: typ, UserData: endpointUserData(cfg.TypeHash),
		QoS: toDDS(cfg.QoS, wire.DefaultWriterQoS()), OnMatch: w.onMatch,
	})
	if err != nil {
		return nil, closedError(err)
	}
	if err := w.register(w.Writer.GUID()); err != nil {
		return nil, errors.Join(err, w.Writer.Close())
	}
	return w, nil
}

// Write sends a message.
func (w *writer) Write(payload []byte) error { return closedError(w.Writer.Write(payload)) }

// Close withdraws the writer.
func (w *writer) Close() error { return w.close(w.Writer.Close) }

// reader implements ros2.Reader.
type reader struct {
	endpoint
	*rtps.Reader
	onSample func(ros2.Sample)
}

// NewReader asks for a topic.
func (t *Transport) NewReader(cfg ros2.ReaderConfig) (ros2.Reader, error) {
	typ, err := MangleType(cfg.Type)
	if err != nil {
		return nil, err
	}
	if cfg.OnSample == nil {
		return nil, fmt.Errorf("%w: OnSample is nil", ErrConfig)
	}
	r := &reader{
		endpoint: endpoint{t: t, kind: ros2.SubscriptionEndpoint, cfg: cfg.EndpointConfig},
		onSample: cfg.OnSample,
	}
	r.Reader, err = t.participant.NewReader(rtps.ReaderConfig{
		Topic: MangleTopic(cfg.Topic), Type: typ, UserData: endpointUserData(cfg.TypeHash),
		QoS: readerQoS(cfg.QoS), OnMatch: r.onMatch, OnSample: r.take, MaxSampleSize: cfg.MaxSampleSize,
	})
	if err != nil {
		return nil, closedError(err)
	}
	if err := r.register(r.Reader.GUID()); err != nil {
		return nil, errors.Join(err, r.Reader.Close())
	}
	return r, nil
}

// take passes a message on.
func (r *reader) take(s *rtps.Sample) {
	r.events.Lock()
	defer r.events.Unlock()
	if r.closed {
		return
	}
	r.onSample(ros2.Sample{Payload: s.Payload, Info: ros2.MessageInfo{
		SourceTime: s.SourceTime, ReceivedTime: time.Now(),
		Publisher: ros2.GID(s.Writer.Bytes()), Sequence: int64(s.SN),
	}})
}

// Close withdraws the reader.
func (r *reader) Close() error { return r.close(r.Reader.Close) }
