// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"errors"
	"fmt"
	"sync"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// maxOutstanding bounds the requests that wait for replies; the oldest is dropped first.
const maxOutstanding = 1024

// requester implements ros2.Requester: a writer of requests and a reader of
// replies.
type requester struct {
	ddsEndpoint
	cfg      ros2.ClientConfig
	handle   uint64 // identifies this client in Cyclone's header
	requests *rtps.Writer
	replies  *rtps.Reader
	servers  peers // readers of requests
	repliers peers // writers of replies

	mu        sync.Mutex
	available bool
	written   wire.SequenceNumber           // number of the last sample, from 1
	sent      map[wire.SequenceNumber]int64 // number of the request in a sample
}

// NewRequester creates a client for servers of every mapping: each gets the request in its form.
func (t *Transport) NewRequester(cfg ros2.ClientConfig) (ros2.Requester, error) {
	requestType, responseType, err := serviceTypes(cfg.Type)
	if err != nil {
		return nil, err
	}
	if cfg.OnReply == nil {
		return nil, fmt.Errorf("%w: OnReply is nil", ErrConfig)
	}
	r := &requester{
		ddsEndpoint: t.serviceEndpoint(ros2.ClientEndpoint, cfg.ServiceConfig), cfg: cfg,
		handle: newHandle(), sent: make(map[wire.SequenceNumber]int64),
	}
	requestTopic, replyTopic := MangleService(cfg.Name)
	id := newPairID()
	// The reader first: a server that discovers the writer may look for it.
	r.replies, err = t.participant.NewReader(rtps.ReaderConfig{
		Topic: replyTopic, Type: responseType, UserData: pairUserData(clientIDKey, id, cfg.ResponseHash),
		QoS: readerQoS(cfg.QoS), MaxSampleSize: cfg.MaxReplySize, OnSample: r.receive,
		OnMatch: func(_ int, ev rtps.MatchEvent) { r.peersChanged(&r.repliers, ev) },
	})
	if err != nil {
		return nil, closedError(err)
	}
	r.requests, err = t.participant.NewWriter(rtps.WriterConfig{
		Topic: requestTopic, Type: requestType, UserData: pairUserData(clientIDKey, id, cfg.RequestHash),
		QoS:     toDDS(forMany(cfg.QoS), wire.DefaultWriterQoS()),
		OnMatch: func(_ int, ev rtps.MatchEvent) { r.peersChanged(&r.servers, ev) },
	})
	if err != nil {
		return nil, errors.Join(closedError(err), r.replies.Close())
	}
	if err := r.register(r.replies.GUID(), r.requests.GUID()); err != nil {
		return nil, errors.Join(err, r.requests.Close(), r.replies.Close())
	}
	return r, nil
}

// peersChanged handles matched and unmatched servers.
func (r *requester) peersChanged(p *peers, ev rtps.MatchEvent) {
	if !p.update(ev, serviceIDKey) {
		return
	}
	r.call(func() { r.setAvailable(len(r.complete()) > 0) })
}

// setAvailable reports a change; the caller holds endpoint.events, so changes are reported in order.
func (r *requester) setAvailable(available bool) {
	r.mu.Lock()
	changed := r.available != available
	r.available = available
	r.mu.Unlock()
	if changed && r.cfg.OnAvailable != nil {
		r.cfg.OnAvailable(available)
	}
}

// complete returns the servers of which both endpoints are matched, so that their replies would arrive.
func (r *requester) complete() (out []peer) {
	for _, server := range r.servers.all() {
		if len(r.repliers.partnersOf(server)) > 0 {
			out = append(out, server)
		}
	}
	return out
}

// Available reports whether a server is available.
func (r *requester) Available() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.available
}

// Send sends the request to each server, in the form that it understands.
func (r *requester) Send(sequence int64, payload []byte) error {
	if len(payload) < encapsulationSize {
		return fmt.Errorf("%w: a request of %d bytes", ErrConfig, len(payload))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	reached := 0
	for _, server := range r.complete() {
		related := wire.SampleIdentity{Writer: r.replies.GUID(), SN: wire.SequenceNumberUnknown}
		form := payload
		if server.vendor == wire.VendorCyclone {
			related = wire.SampleIdentity{}
			form = cycloneHeader{r.handle, sequence}.insert(payload)
		}
		err := r.requests.WriteTo(server.guid, related, form)
		if errors.Is(err, rtps.ErrUnknownReader) { // it has just been unmatched
			continue
		}
		if err != nil {
			return closedError(err)
		}
		r.written++
		r.sent[r.written] = sequence
		delete(r.sent, r.written-maxOutstanding)
		reached++
	}
	if reached == 0 {
		return fmt.Errorf("%s: %w", r.cfg.Name, ros2.ErrNoServer)
	}
	return nil
}

// receive passes on a reply to one of our requests: replies that are not directed are received by all clients of the
// service.
func (r *requester) receive(s *rtps.Sample) {
	id, payload, err := identify(s)
	if err != nil {
		return
	}
	sequence, ours := r.match(id)
	if ours {
		r.call(func() { r.cfg.OnReply(sequence, ros2.Sample{Payload: payload, Info: sampleInfo(s)}) })
	}
}

// match returns the number of the request to which a reply belongs.
func (r *requester) match(id identity) (sequence int64, ours bool) {
	if id.hasHeader {
		return id.header.sequence, id.header.client == r.handle
	}
	if id.related.Writer != r.replies.GUID() && id.related.Writer != r.requests.GUID() {
		return 0, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	sequence, ours = r.sent[id.related.SN]
	return sequence, ours
}

// Close closes the client.
func (r *requester) Close() error { return r.close(r.requests.Close, r.replies.Close) }
