// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"fmt"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// NewWriter creates a writer and announces it. The error wraps ErrConfig, ErrLimit, ErrClosed or
// security.ErrDenied.
func (p *Participant) NewWriter(cfg WriterConfig) (*Writer, error) {
	if cfg.MaxSamples == 0 {
		cfg.MaxSamples = defaultMaxSamples
	}
	if err := checkEndpoint(cfg.Topic, cfg.Type, cfg.QoS); err != nil {
		return nil, err
	}
	switch {
	case cfg.MaxSamples < 0:
		return nil, fmt.Errorf("%w: MaxSamples %d", ErrConfig, cfg.MaxSamples)
	case cfg.QoS.Durability > wire.TransientLocal:
		return nil, fmt.Errorf("%w: QoS.Durability %d of %q is not supported", ErrConfig, cfg.QoS.Durability, cfg.Topic)
	}
	p.mu.Lock()
	defer p.unlock()
	id, err := p.newEntity(kindOf(cfg.Keyed, wire.KindWriter, wire.KindWriterKeyed), len(p.userWriters))
	if err != nil {
		return nil, err
	}
	if err := p.secure.addEndpoint(id, cfg.Topic, cfg.QoS.Partition); err != nil {
		return nil, err
	}
	w, now := newWriter(p, cfg, id), time.Now()
	p.writers[id] = w
	w.slot = int32(len(p.userWriters))
	p.userWriters = append(p.userWriters, w)
	p.topics.addWriter(w)
	w.assert(now)
	p.publish(p.secure.announcer(p.builtins.publications, cfg.Topic), id, (*announcedWriter)(w), now)
	if leaseOf(&cfg.QoS) > 0 {
		p.nextAssertion(now)
	}
	for e := range p.directory.EndpointsOn(cfg.Topic) {
		if !e.Data().IsWriter() {
			p.matchWriter(w, e, now)
		}
	}
	for _, r := range p.topics.on(cfg.Topic).readers {
		p.matchLocal(w, r, now)
	}
	return w, nil
}

// NewReader creates a reader and announces it. The error wraps ErrConfig, ErrLimit, ErrClosed or
// security.ErrDenied.
func (p *Participant) NewReader(cfg ReaderConfig) (*Reader, error) {
	if err := checkEndpoint(cfg.Topic, cfg.Type, cfg.QoS); err != nil {
		return nil, err
	}
	if cfg.MaxSampleSize < 0 {
		return nil, fmt.Errorf("%w: MaxSampleSize %d", ErrConfig, cfg.MaxSampleSize)
	}
	p.mu.Lock()
	defer p.unlock()
	id, err := p.newEntity(kindOf(cfg.Keyed, wire.KindReader, wire.KindReaderKeyed), len(p.userReaders))
	if err != nil {
		return nil, err
	}
	if err := p.secure.addEndpoint(id, cfg.Topic, cfg.QoS.Partition); err != nil {
		return nil, err
	}
	r, now := newReader(p, cfg, id), time.Now()
	r.slot = len(p.userReaders)
	p.userReaders = append(p.userReaders, r)
	p.topics.addReader(r)
	p.publish(p.secure.announcer(p.builtins.subscriptions, cfg.Topic), id, (*announcedReader)(r), now)
	for e := range p.directory.EndpointsOn(cfg.Topic) {
		if e.Data().IsWriter() {
			p.matchReader(r, e, now)
		}
	}
	for _, w := range p.topics.on(cfg.Topic).writers {
		p.matchLocal(w, r, now)
	}
	return r, nil
}

// checkEndpoint rejects names and QoS that peers would not accept.
func checkEndpoint(topic, typ string, q wire.QoS) error {
	switch {
	case topic == "" || len(topic) > wire.MaxStringSize:
		return fmt.Errorf("%w: Topic %q", ErrConfig, topic)
	case typ == "" || len(typ) > wire.MaxStringSize:
		return fmt.Errorf("%w: Type %q", ErrConfig, typ)
	case q.Reliability != wire.BestEffort && q.Reliability != wire.Reliable:
		return fmt.Errorf("%w: QoS.Reliability %d of %q (begin with a default QoS)", ErrConfig, q.Reliability, topic)
	case q.Durability > wire.Persistent:
		return fmt.Errorf("%w: QoS.Durability %d of %q is not supported", ErrConfig, q.Durability, topic)
	case q.History == wire.KeepLast && q.Depth < 1:
		return fmt.Errorf("%w: QoS.Depth %d of %q", ErrConfig, q.Depth, topic)
	}
	return nil
}

// newEntity allocates an entity id; n is the number of endpoints of its kind.
func (p *Participant) newEntity(kind wire.EntityKind, n int) (wire.EntityID, error) {
	if p.closed {
		return 0, fmt.Errorf("%w: participant", ErrClosed)
	}
	if n >= p.cfg.Limits.LocalEndpoints {
		return 0, fmt.Errorf("%w: %d endpoints", ErrLimit, n)
	}
	p.entities++
	return wire.NewEntityID(p.entities, kind), nil
}

// data returns the writer's discovery data.
func (w *Writer) data() *wire.EndpointData {
	return &wire.EndpointData{
		Version: wire.Version23, Vendor: wire.VendorOwn, GUID: w.guid, Participant: w.p.guid,
		Topic: w.cfg.Topic, Type: w.cfg.Type, QoS: *w.cfg.QoS, UserData: w.cfg.UserData, Security: w.p.secure.info(w.cfg.Topic),
	}
}

// data returns the reader's discovery data.
func (r *Reader) data() *wire.EndpointData {
	return &wire.EndpointData{
		Version: wire.Version23, Vendor: wire.VendorOwn, GUID: r.guid, Participant: r.p.guid,
		Topic: r.cfg.Topic, Type: r.cfg.Type, QoS: *r.cfg.QoS, UserData: r.cfg.UserData, Security: r.p.secure.info(r.cfg.Topic),
	}
}

// removeWriter removes a user writer and withdraws its announcement.
func (p *Participant) removeWriter(w *Writer) {
	p.cork.sendOf(w)
	w.closed = true
	p.alarms.Cancel(&w.heartbeat)
	if w.deadline != nil {
		p.alarms.Cancel(&w.deadline.alarm)
	}
	if w.live != nil {
		p.alarms.Cancel(&w.live.alarm)
	}
	w.hist.Clear()
	for len(w.readers) > 0 {
		r := w.readers[0]
		w.dropReader(r)
		if r.local != nil {
			r.local.locals = slices.DeleteFunc(r.local.locals, func(e *Writer) bool { return e == w })
			r.local.changed(Unmatched, w.data())
			r.local.localLiveliness(w, -1)
		}
	}
	delete(p.writers, w.guid.Entity)
	p.userWriters = removeAt(p.userWriters, int(w.slot))
	if int(w.slot) < len(p.userWriters) {
		p.userWriters[w.slot].slot = w.slot
	}
	p.topics.removeWriter(w)
	p.retire(p.secure.announcer(p.builtins.publications, w.cfg.Topic), w.guid)
	p.secure.forgetLocal(w.guid.Entity)
}

// removeReader removes a user reader and withdraws its announcement.
func (p *Participant) removeReader(r *Reader) {
	r.closed.Store(true)
	if r.deadline != nil {
		p.alarms.Cancel(&r.deadline.alarm)
	}
	for len(r.writers) > 0 {
		r.dropWriter(r.writers[0])
	}
	for _, w := range r.locals {
		if proxy := w.reader(r.guid); proxy != nil {
			w.dropReader(proxy)
		}
	}
	r.locals = nil
	p.userReaders = removeAt(p.userReaders, r.slot)
	if r.slot < len(p.userReaders) {
		p.userReaders[r.slot].slot = r.slot
	}
	p.topics.removeReader(r)
	p.retire(p.secure.announcer(p.builtins.subscriptions, r.cfg.Topic), r.guid)
	p.secure.forgetLocal(r.guid.Entity)
}

// removeAt removes an element of an unordered list by moving the last one to its index.
func removeAt[T any](list []*T, i int) []*T {
	last := len(list) - 1
	list[i], list[last] = list[last], nil
	return list[:last]
}
